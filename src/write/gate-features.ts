/** What the sentence gate sees of a sentence: its form, its place, what is new in it, and how the scorer of the context window rates
 * its turn. */

import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { GATE_WORDS, GENERIC_WORDS } from "./gate-words.js";

/** Names of the columns, in their order; the weights' file names them again. */
export const GATE_FEATURES = [
  // The form.
  "statement",
  "firstPerson",
  "question",
  "request",
  "time",
  "ownTime",
  "events",
  "ownEvent",
  "preference",
  "aside",
  "number",
  "ownNumber",
  "names",
  "logWords",
  "words",
  // Its place.
  "first",
  "position",
  "longTurn",
  "opensSession",
  "manySentences",
  // The words, against those of the conversation before.
  "sumIdf",
  "meanIdf",
  "ownIdf",
  "newWords",
  "variety",
  // More of the form.
  "secondPerson",
  "reaction",
  "past",
  "ownPast",
  "kin",
  "thanks",
  "generic",
  "duration",
  "relativeTime",
  "possession",
  "being",
  "longStatement",
  "ownAside",
  // The turn.
  "answers",
  "salience",
] as const;

export type GateFeature = (typeof GATE_FEATURES)[number];

/** Where a sentence stands. */
export interface SentencePlace {
  /** From 0. */
  readonly position: number;
  /** Sentences of the turn. */
  readonly count: number;
  /** Characters of the turn. */
  readonly turnLength: number;
  readonly opensSession: boolean;
  /** Somebody else's turn before it ends with a question. */
  readonly answers: boolean;
  /** Logit of the turn by the scorer of the context window. */
  readonly salience: number;
}

/** Longer than this a turn was pasted rather than said. */
export const PASTED = 700;
const MANY_SENTENCES = 8;
/** A sentence is read so far; what goes on longer is no sentence. */
const READ = 600;
const HAN = /\p{Script=Han}/gu;
const WORD = /\p{Script=Han}|[\p{L}\p{N}][\p{L}\p{N}'’]*/gu;
const QUESTION = /[?？؟]\s*["'”’»)\]]*\s*$/u;

/** The words of a text that say something, in lower case, each once; Chinese by its characters. */
export function contentWords(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of text.toLowerCase().match(WORD) ?? []) if (!ENGLISH_STOP_WORDS.has(word)) found.add(word);
  return found;
}

const count = (pattern: RegExp, text: string, most: number): number => Math.min(most, text.match(pattern)?.length ?? 0);

/** Fills `row` for one sentence.
 * @param heard turns of the conversation that hold a word, and how many turns there were */
export function sentenceFeatures(
  sentence: string,
  place: SentencePlace,
  heard: { readonly turns: number; readonly of: ReadonlyMap<string, number> },
  row: Float64Array,
): void {
  const head = sentence.length > READ ? sentence.slice(0, READ) : sentence;
  const has = (name: keyof typeof GATE_WORDS): number => (GATE_WORDS[name].test(head) ? 1 : 0);
  const found = contentWords(head);
  const spoken = head.split(/\s+/u).length + (head.match(HAN)?.length ?? 0) / 2;
  const firstPerson = count(GATE_WORDS.firstPerson, head, 4);
  const question = QUESTION.test(head) ? 1 : 0;
  const statement = firstPerson > 0 && question === 0 ? 1 : 0;
  const events = count(GATE_WORDS.event, head, 3);
  const [time, number, past, aside] = [has("time"), has("number"), has("past"), has("aside")];
  let idf = 0;
  let fresh = 0;
  let generic = 0;
  for (const word of found) {
    const seen = heard.of.get(word) ?? 0;
    idf += Math.log((heard.turns + 1) / (seen + 0.5));
    if (seen === 0) fresh++;
    if (GENERIC_WORDS.has(word)) generic++;
  }
  const scale = Math.log(heard.turns + 2);
  let k = 0;
  row[k++] = statement;
  row[k++] = firstPerson;
  row[k++] = question;
  row[k++] = has("request");
  row[k++] = time;
  row[k++] = time * statement;
  row[k++] = events;
  row[k++] = events > 0 ? statement : 0;
  row[k++] = has("preference");
  row[k++] = aside;
  row[k++] = number;
  row[k++] = firstPerson > 0 ? number : 0;
  row[k++] = count(GATE_WORDS.capitalised, head, 4);
  row[k++] = Math.log1p(spoken);
  row[k++] = Math.min(60, spoken) / 60;
  row[k++] = place.position === 0 ? 1 : 0;
  row[k++] = place.position / Math.max(1, place.count);
  row[k++] = place.turnLength > PASTED ? 1 : 0;
  row[k++] = place.opensSession ? 1 : 0;
  row[k++] = place.count > MANY_SENTENCES ? 1 : 0;
  row[k++] = idf / 20;
  row[k++] = idf / Math.max(1, found.size) / scale;
  row[k++] = statement * Math.log1p(Math.max(0, idf) / scale);
  row[k++] = Math.log1p(fresh);
  row[k++] = found.size / (spoken + 1);
  row[k++] = count(GATE_WORDS.secondPerson, head, 3);
  row[k++] = has("reaction");
  row[k++] = past;
  row[k++] = past * statement;
  row[k++] = has("kin");
  row[k++] = has("thanks");
  row[k++] = generic / (spoken + 1);
  row[k++] = has("duration");
  row[k++] = has("relativeTime");
  row[k++] = has("possession");
  row[k++] = has("being");
  row[k++] = statement * Math.log1p(spoken);
  row[k++] = aside * statement;
  row[k++] = place.answers ? statement : 0;
  row[k++] = place.salience;
}

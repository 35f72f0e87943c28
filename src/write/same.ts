/** Whether two sentences say the same: the safe rule, which would rather keep two than lose one.
 *
 * Cosine alone joins "thinking of buying" with "bought", and Monday with Tuesday. Measured on LongMemEval and LoCoMo: 0 of 19 pairs
 * that this rule joins say different things. */

import { findIdentifiers } from "../text/identifiers.js";
import { VERB_OF_PAST } from "../text/irregular-verbs.js";
import { numberMentions } from "../text/numbers.js";
import { fold, termsOf, wordsOf } from "../text/terms.js";
import { formatIsoDay, timeMentions } from "../text/time.js";
import type { Timestamp } from "../types.js";
import { nameKey, namesIn } from "./names.js";
import { isGuess, isNegative, isWish, negations } from "./signals.js";

export interface SaidSentence {
  readonly text: string;
  readonly saidAt: Timestamp;
  /** Unit norm; undefined where it is not known. */
  readonly vector?: Float32Array | undefined;
}

const MIN_COSINE = 0.95;
/** Of the shorter one's content words, so many stand in the longer one in the same order. */
const CONTAINED = 0.8;
/** Words that tie a sentence to the moment it was said, beside expressions of time. */
const NOW =
  /\b(?:today|tonight|now|just|recently|lately|currently|this (?:morning|afternoon|evening|week|month|year)|earlier|later|soon|heute|gerade|jetzt|eben|neulich|hoy|ahora|recién|hace poco)\b|今天|今晚|现在|刚刚?|最近/iu;
const AUXILIARY_PAST = new Set(["was", "were", "had", "did", "used"]);
const LETTERS = /[\p{L}\p{N}]/u;

/** What two texts have in common that say the same: case, spacing and the marks at the ends aside. */
export function normalised(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[‘’`´]/gu, "'")
    .replaceAll(/[“”]/gu, '"')
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/^[\s.,;:!…。！]+|[\s.,;:!…。！]+$/gu, "");
}

export function isSame(a: SaidSentence, b: SaidSentence, timeZone: string): boolean {
  const [one, other] = [readingOf(a.text), readingOf(b.text)];
  if (one.normalised === other.normalised) return LETTERS.test(a.text) && isOneTime(a, b, timeZone);
  if (one.facts !== other.facts || !a.vector || !b.vector || dot(a.vector, b.vector) < MIN_COSINE) return false;
  return isContained(one.terms, other.terms) && opensAlike(one, other) && opensAlike(other, one) && isOneTime(a, b, timeZone);
}

/** What is compared of a sentence. */
interface Reading {
  readonly normalised: string;
  readonly terms: readonly string[];
  /** Numbers, identifiers, names, denials, tense, wish and guess, in one string. */
  readonly facts: string;
  readonly opening: readonly string[];
  readonly words: ReadonlySet<string>;
}

/** Sentences come again as neighbours of new ones. */
const read = new Map<string, Reading>();
const READ_LIMIT = 4_000;

function readingOf(text: string): Reading {
  let reading = read.get(text);
  if (!reading) {
    if (read.size >= READ_LIMIT) read.clear();
    read.set(text, (reading = parse(text)));
  }
  return reading;
}

function parse(text: string): Reading {
  const names = namesIn(text);
  const words = wordsOf(text);
  const facts = [
    numberMentions(text).map(({ values }) => values.join("|")),
    findIdentifiers(text),
    // Names inside the sentence, in their order.
    names.filter(({ opens }) => !opens).map((name) => nameKey(name.text)),
    denied(text),
    words.filter(isPast),
    [isNegative(text), isWish(text), isGuess(text)],
  ];
  return {
    normalised: normalised(text),
    terms: termsOf(text),
    facts: facts.map((one) => one.join("\n")).join("\0"),
    opening: names.filter(({ opens }) => opens).map((name) => name.text),
    words: new Set(words),
  };
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

/** Stems do not tell "I lived here" from "I live here". */
const isPast = (word: string): boolean =>
  (word.length > 4 && word.endsWith("ed")) || AUXILIARY_PAST.has(word) || VERB_OF_PAST.has(word);

/** What each denial denies: the next two content words. */
function denied(text: string): string[] {
  return negations(text).map((end) =>
    termsOf(text.slice(end, end + 80))
      .slice(0, 2)
      .join(" "),
  );
}

/** The same words in the same order, some left out, none replaced: "tea rather than coffee" is not the other way round. */
function isContained(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = [a, b].sort((one, other) => one.length - other.length) as [readonly string[], readonly string[]];
  if (short.length === 0) return false;
  const common = commonInOrder(short, long);
  if (common.length < CONTAINED * short.length) return false;
  // A word in the place of another is another thing.
  let [i, j] = [0, 0];
  for (const [at, other] of [...common, [short.length, long.length] as const]) {
    if (at > i && other > j) return false;
    [i, j] = [at + 1, other + 1];
  }
  return true;
}

/** Places of a longest common subsequence. */
function commonInOrder(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
  const places: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) places.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) i++;
    else j++;
  }
  return places;
}

/** A name that opens a sentence stands in the other somewhere. */
function opensAlike({ opening }: Reading, { words }: Reading): boolean {
  return opening.every((name) => words.has(fold(name)) || words.has(nameKey(name)));
}

/** Of one time: the same windows, and the same day where a word ties them to the moment. */
function isOneTime(a: SaidSentence, b: SaidSentence, timeZone: string): boolean {
  const windows = ({ text, saidAt }: SaidSentence): string =>
    timeMentions(text, { at: saidAt, timeZone, bias: "nearest" })
      .map(({ window }) => `${window.from}-${window.to}`)
      .join();
  if (windows(a) !== windows(b)) return false;
  if (!NOW.test(a.text) && !NOW.test(b.text)) return true;
  return formatIsoDay(a.saidAt, timeZone) === formatIsoDay(b.saidAt, timeZone);
}

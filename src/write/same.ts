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
  const isEqual = normalised(a.text) === normalised(b.text);
  if (isEqual) return LETTERS.test(a.text) && isOneTime(a, b, timeZone);
  if (!a.vector || !b.vector || dot(a.vector, b.vector) < MIN_COSINE) return false;
  return (
    isContained(a.text, b.text) &&
    agrees(a.text, b.text, numberKeys) &&
    agrees(a.text, b.text, findIdentifiers) &&
    agrees(a.text, b.text, denied) &&
    agrees(a.text, b.text, pasts) &&
    isNegative(a.text) === isNegative(b.text) &&
    isWish(a.text) === isWish(b.text) &&
    isGuess(a.text) === isGuess(b.text) &&
    namesAgree(a.text, b.text) &&
    isOneTime(a, b, timeZone)
  );
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

function agrees(a: string, b: string, keys: (text: string) => readonly string[]): boolean {
  return keys(a).join("\n") === keys(b).join("\n");
}

const numberKeys = (text: string): string[] => numberMentions(text).map(({ values }) => values.join("|"));

/** Stems do not tell "I lived here" from "I live here". */
const pasts = (text: string): string[] =>
  wordsOf(text).filter((word) => (word.length > 4 && word.endsWith("ed")) || AUXILIARY_PAST.has(word) || VERB_OF_PAST.has(word));

/** What each denial denies: the next two content words. */
function denied(text: string): string[] {
  return negations(text).map((end) =>
    termsOf(text.slice(end, end + 80))
      .slice(0, 2)
      .join(" "),
  );
}

/** The same words in the same order, some left out, none replaced: "tea rather than coffee" is not the other way round. */
function isContained(a: string, b: string): boolean {
  const [short, long] = [termsOf(a), termsOf(b)].sort((one, other) => one.length - other.length) as [
    readonly string[],
    readonly string[],
  ];
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

/** Names inside the sentences are the same in the same order; one that opens a sentence stands in the other somewhere. */
function namesAgree(a: string, b: string): boolean {
  const inside = (text: string): string[] =>
    namesIn(text)
      .filter(({ opens }) => !opens)
      .map(({ text: name }) => nameKey(name));
  const opening = (text: string, other: string): boolean => {
    const words = new Set(wordsOf(other));
    return namesIn(text).every(({ opens, text: name }) => !opens || words.has(fold(name)) || words.has(nameKey(name)));
  };
  const [left, right] = [inside(a), inside(b)];
  const both = left.length === right.length && left.every((name, index) => name === right[index]);
  return both && opening(a, b) && opening(b, a);
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

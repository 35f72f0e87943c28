/** Tells a sentence that only repeats what was recalled for it, so that memory does not feed on itself. */

import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import type { Role } from "../types.js";

/** Fewer words are no repetition, they are an answer. */
const MIN_WORDS = 3;
/** Of an assistant's content words, so many in a hundred come from one recalled text. */
const SHARE_REPEATED = 0.9;
const MIN_CONTENT = 4;
/** A recalled text is compared as far as this. */
const MAX_LENGTH = 20_000;
const WORD = /\p{Script=Han}|[\p{L}\p{N}][\p{L}\p{N}'’]*/gu;

const wordsOf = (text: string): string[] =>
  (text.slice(0, MAX_LENGTH).toLowerCase().normalize("NFKC").match(WORD) ?? []).map((word) => word.replaceAll("’", "'"));

/** "You" and "I" change places between a memory and its echo. */
const content = (words: readonly string[]): string[] => words.filter((word) => !ENGLISH_STOP_WORDS.has(word));

export interface RecalledText {
  readonly phrase: string;
  readonly words: ReadonlySet<string>;
}

export function recalledTexts(texts: readonly string[]): RecalledText[] {
  return [...new Set(texts)].map((text) => {
    const words = wordsOf(text);
    return { phrase: ` ${words.join(" ")} `, words: new Set(words) };
  });
}

/** Whether a sentence says nothing that one of the recalled texts did not.
 *
 * A person's sentence must be in it word by word: "not", another number or another order is news. An assistant echoes with
 * other pronouns, so nine in ten of its content words suffice; negations and numbers are content. */
export function repeatsRecalled(sentence: string, role: Role, recalled: readonly RecalledText[]): boolean {
  if (recalled.length === 0) return false;
  const words = wordsOf(sentence);
  if (words.length < MIN_WORDS) return false;
  const phrase = ` ${words.join(" ")} `;
  if (recalled.some((text) => text.phrase.includes(phrase))) return true;
  if (role !== "assistant") return false;
  const telling = content(words);
  if (telling.length < MIN_CONTENT) return false;
  return recalled.some((text) => telling.filter((word) => text.words.has(word)).length >= SHARE_REPEATED * telling.length);
}

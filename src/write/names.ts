/** The names in a sentence: words with a capital, codes aside, and runs of katakana. */

import { ENGLISH_STOP_WORDS, GERMAN_STOP_WORDS, SPANISH_STOP_WORDS } from "../text/stopwords.js";
import { fold } from "../text/terms.js";

export interface NameMention {
  readonly text: string;
  /** Opens a sentence, where every word has a capital. */
  readonly opens: boolean;
  /** The word after it, in lower case; "" at the end. */
  readonly next: string;
}

const NAME = /(?<![\p{L}\p{N}_@#/.-])\p{Lu}[\p{L}\p{M}'’-]*|\p{Script=Katakana}[\p{Script=Katakana}ー・]{2,}/gu;
/** Months and weekdays are dates. */
const DATE_WORD =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|am|pm)$/iu;
/** Always with a capital, or what one is called in a chat. */
const NO_NAME = new Set(
  "i i'm i've i'd i'll user assistant yes no not ok okay hey hi hello please thanks well oh mr mrs ms dr prof user's assistant's tv".split(
    " ",
  ),
);
const isCommon = (word: string): boolean =>
  NO_NAME.has(word) || ENGLISH_STOP_WORDS.has(word) || GERMAN_STOP_WORDS.has(word) || SPANISH_STOP_WORDS.has(word);

/** Without possessive ending and accents, in lower case. */
export function nameKey(name: string): string {
  return fold(name).replace(/'s?$/u, "");
}

export function namesIn(text: string): NameMention[] {
  const names: NameMention[] = [];
  for (const match of text.matchAll(NAME)) {
    const word = match[0].replace(/[-'’]+$/u, "");
    const folded = nameKey(word);
    if (folded === "" || isCommon(folded) || isCommon(fold(word)) || DATE_WORD.test(word)) continue;
    const before = text.slice(Math.max(0, match.index - 8), match.index).trimEnd();
    const opens = before === "" || /[.!?…:\n。！？“"(*•-]$/u.test(before);
    const next = /^[\s,]*([\p{L}'’]*)/u.exec(text.slice(match.index + match[0].length))?.[1] ?? "";
    names.push({ text: word, opens, next: next.toLowerCase() });
  }
  return names;
}

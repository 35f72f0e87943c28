/** Text to terms: what the lexical index counts and a question is matched by.
 *
 * Folding (NFKD without marks), clitics, stop words and stemming for languages with spaces; bigrams for Chinese, Japanese,
 * Thai and their like; Korean with and without its particles; codes, numbers and addresses whole, beside their parts. */

import { stemmer } from "@orama/stemmers/english";
import { VERB_OF_PAST } from "./irregular-verbs.js";
import { lightStem, type StemLanguage } from "./light-stems.js";
import {
  CHINESE_STOP_CHARACTERS,
  ENGLISH_STOP_WORDS,
  FRENCH_STOP_WORDS,
  GERMAN_STOP_WORDS,
  KOREAN_PARTICLES,
  SPANISH_STOP_WORDS,
} from "./stopwords.js";

/** What of a text is indexed; 1 MB of text takes about half a second, and nobody asks for its last word. */
export const MAX_INDEXED_LENGTH = 40_000;

const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
/** Letters that NFKD leaves whole. Arabic: final forms and tatweel, which people spell either way. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  "’": "'",
  "‘": "'",
  ʼ: "'",
  "´": "'",
  ـ: "",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
};
const FOLDABLE = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
const OTHER_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g;
const ASCII = /^[\0-\x7f]*$/;

/** Lower case, compatibility forms resolved, accents and vowel marks off: how two spellings of one word become equal. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower
    .replace(FOLDABLE, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(FOLDABLE, (letter) => LETTERS[letter] ?? letter)
    .replace(OTHER_DIGIT, (digit) => String((digit.charCodeAt(0) - (digit < "\u0900" ? 0 : 6)) % 16));
}

const HAN_KANA = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}々ー";
const SPACELESS = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const ASCII_WORD = /\d{1,3}(?:,\d{3})+(?!\d)|[a-z0-9]+(?:'[a-z]+)?/g;
const ANY_WORD = new RegExp(
  `\\d{1,3}(?:,\\d{3})+(?!\\d)|[${HAN_KANA}]+|\\p{Script=Hangul}+|[${SPACELESS}]+|` +
    `(?:(?![${HAN_KANA}${SPACELESS}\\p{Script=Hangul}])[\\p{L}\\p{N}\\p{M}])+(?:'[a-z]+)?`,
  "gu",
);
/** Characters joined by signs without a space: a code, address, version, time or number when there is a digit, "_" or "@" in it. */
const JOINED = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,64}(?:[-_.:/@#+]{1,4}[\p{L}\p{N}]{1,64}){1,16}|\b[a-z](?:\+\+|#)/gu;
const IS_CODE = /[\p{Nd}_@#]|\+\+/u;
const STARTS_UNSPACED = new RegExp(`^[${HAN_KANA}${SPACELESS}]`, "u");
const STARTS_HANGUL = /^\p{Script=Hangul}/u;
const IS_HAN = /^\p{Script=Han}$/u;
const CLITIC = /'(?:s|d|m|re|ve|ll)$/;
const NOT_CLITIC = /n't$/;

const STEM_CACHE_LIMIT = 50_000;
const stems = new Map<string, string>();

/** The English stem (Porter 1; Snowball English measured equal). */
export function stem(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    // A word is shared by thousands of entries, so the cache is most of the speed; past the limit it starts over.
    if (stems.size >= STEM_CACHE_LIMIT) stems.clear();
    found = word.length > 40 || !ASCII.test(word) ? word : stemmer(VERB_OF_PAST.get(word) ?? word);
    stems.set(word, found);
  }
  return found;
}

const LANGUAGES: readonly (readonly [StemLanguage | "en", ReadonlySet<string>])[] = [
  ["en", ENGLISH_STOP_WORDS],
  ["de", GERMAN_STOP_WORDS],
  ["es", SPANISH_STOP_WORDS],
  ["fr", FRENCH_STOP_WORDS],
];
/** One bit per language that a function word belongs to: a single look-up per word, since every word of every entry passes here. */
const functionWords = new Map<string, number>();
LANGUAGES.forEach(([, words], index) => {
  for (const word of words) functionWords.set(word, (functionWords.get(word) ?? 0) | (1 << index));
});

/** Index of the language whose function words are most of a text's; 0, English, when none wins, as it does for a bare name. */
function languageOf(bits: readonly number[]): number {
  const hits = LANGUAGES.map(() => 0);
  for (const bit of bits) {
    if (bit === 0) continue;
    for (let index = 0; index < hits.length; index++) if (bit & (1 << index)) hits[index] = (hits[index] ?? 0) + 1;
  }
  return hits.indexOf(Math.max(...hits));
}

/** Words of a text in order, folded, clitics off ("Ann's" → "ann", "don't" → "do", "not"); stop words still in. */
export function wordsOf(text: string): string[] {
  const folded = fold(text.length > MAX_INDEXED_LENGTH ? text.slice(0, MAX_INDEXED_LENGTH) : text);
  const words: string[] = [];
  for (const match of folded.match(ASCII.test(folded) ? ASCII_WORD : ANY_WORD) ?? []) {
    if (match.includes("'")) {
      if (NOT_CLITIC.test(match)) words.push(match.slice(0, -3), "not");
      else words.push(match.replace(CLITIC, ""));
    } else words.push(match.includes(",") ? match.replaceAll(",", "") : match);
  }
  return words;
}

function pushBigrams(run: string, terms: string[]): void {
  const characters = [...run];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    const next = characters[i + 1];
    const stops = CHINESE_STOP_CHARACTERS.has(character);
    // A single Han character is a word often enough (cat, dog, a surname) to be found by itself.
    if ((IS_HAN.test(character) && !stops) || characters.length === 1) terms.push(character);
    if (next !== undefined && !(stops && CHINESE_STOP_CHARACTERS.has(next))) terms.push(character + next);
  }
}

function pushKorean(word: string, terms: string[]): void {
  terms.push(word);
  for (const particle of KOREAN_PARTICLES) {
    if (word.length > particle.length && word.endsWith(particle)) {
      terms.push(word.slice(0, -particle.length));
      return;
    }
  }
}

/** The terms of a text and its plain words, which the soft links of `retrieve/` compare by meaning. */
export interface TextTerms {
  /** In order, repeats kept. */
  readonly terms: readonly string[];
  /** Distinct content words of three Latin letters or more, folded, not stemmed. */
  readonly words: readonly string[];
}

const PLAIN_WORD = /^[a-z]{3,}$/;

/** The last few texts and their terms: an entry's text comes again as the neighbour of the entries before and after it, which is
 * two thirds of the work of opening a large memory. */
const recent = new Map<string, TextTerms>();
const RECENT_TEXTS = 32;
/** Longer texts are cut where they are neighbours, so they do not come again as they are. */
const RECENT_LENGTH = 1_000;

/** @param text any length; what lies beyond {@link MAX_INDEXED_LENGTH} characters is not looked at */
export function analyseTerms(text: string): TextTerms {
  const known = recent.get(text);
  if (known) return known;
  const found = analyse(text);
  if (text.length > RECENT_LENGTH) return found;
  if (recent.size >= RECENT_TEXTS) recent.delete(recent.keys().next().value as string);
  recent.set(text, found);
  return found;
}

function analyse(text: string): TextTerms {
  const all = wordsOf(text);
  const bits = all.map((word) => functionWords.get(word) ?? 0);
  const languageIndex = languageOf(bits);
  const language = LANGUAGES[languageIndex]?.[0] ?? "en";
  const terms: string[] = [];
  const words = new Set<string>();
  for (let i = 0; i < all.length; i++) {
    if ((bits[i] as number) & (1 << languageIndex)) continue;
    const word = all[i] as string;
    const code = word.charCodeAt(0);
    if (code >= 0x0e00 && STARTS_UNSPACED.test(word)) pushBigrams(word, terms);
    else if (code >= 0x1100 && STARTS_HANGUL.test(word)) pushKorean(word, terms);
    else {
      terms.push(language === "en" ? stem(word) : lightStem(word, language));
      if (PLAIN_WORD.test(word)) words.add(word);
    }
  }
  if (IS_CODE.test(text)) {
    const folded = fold(text.length > MAX_INDEXED_LENGTH ? text.slice(0, MAX_INDEXED_LENGTH) : text);
    for (const code of folded.match(JOINED) ?? []) if (IS_CODE.test(code)) terms.push(code);
  }
  return { terms, words: [...words] };
}

/** The terms alone; see {@link analyseTerms}. */
export function termsOf(text: string): readonly string[] {
  return analyseTerms(text).terms;
}

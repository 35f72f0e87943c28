/** A text as it is read, with the way back to its places: a name that a zero-width space splits, a number whose spaces do not break and
 * an address with "[at]" are what they seem to be. */

import { ALIKE, MAYBE_ALIKE, SIGNS, UNMARKED } from "./look-alikes.js";

export interface Folded {
  readonly text: string;
  /** Where a place of the folded text lies in the original; its end for the folded text's length. */
  readonly original: (index: number) => number;
}

/** Zero-width and other format characters, fillers, soft hyphens, variation selectors; line breaks are none. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?![\t\n\r])\p{Cc}/gu;
/** Of every width; the blank of Braille is none to Unicode. */
const BLANK = /[\p{Zs}\t\u2800]/u;
/** Letters, digits and signs of addresses that are wide, in circles, joined, or of mathematics. */
const STYLED =
  /[\u2460-\u24FF\uFB00-\uFB06\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\uFF20\uFF0E\u{1D400}-\u{1D7FF}\u{1F100}-\u{1F169}]|(?=\p{L})[\u2100-\u214F]/u;
/** True hyphens; a longer dash parts words, so it stays for those who look for names. */
const HYPHEN = /[\u2010\u2011\uFE63\uFF0D]/u;
const OTHER_DIGIT = /(?!\d)\p{Nd}/u;

const BRACKETED = (meant: string): string => `\\s?[(\\[{<]\\s?(?:${meant})\\s?[)\\]}>]\\s?`;
const AT = BRACKETED("[aA][tT]|[äÄ][tT]|arroba|ARROBA|艾特|@");
const DOT = BRACKETED("[dD][oO][tT]|[pP]unkt|[pP]unto|PUNKT|PUNTO|点|\\.");
/** Of letters, digits and the signs of addresses, so that no link ends early. */
const ESCAPE = "%(?:40|2[BbDdEe]|3\\d|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9Aa])";
const ENTITY = "&#(?:[xX]0*[2-7][\\da-fA-F]|0*(?:3[3-9]|[4-9]\\d|1[01]\\d|12[0-6]));|&(?:commat|period);";
const WRITTEN_OUT = `(?<at>${AT})|(?<dot>${DOT})|(?<code>${ESCAPE}|${ENTITY})`;
/** What needs no folding but of case, in one piece; else one character with its marks. */
const UNITS = new RegExp(`${WRITTEN_OUT}|(?<same>(?:[!-$'*-;=-Z\\\\^-z|~)\\]}>](?!\\p{M}))+)|\\P{M}\\p{M}*|\\p{M}+`, "gu");
const UNFOLDED = new RegExp(`[^\\x20-\\x7E]| {2}|${WRITTEN_OUT}`, "u");
/** Between two Chinese characters it says nothing. */
const CHINESE_GAP = /(?<=\p{Script=Han})[\s·]+(?=\p{Script=Han})/gu;
const MIXED_WORD = /[\p{L}\p{M}\p{Cf}]+/gu;

/** @param plain also without case, accents and the spaces between Chinese characters, so that "JOSÉ" is "jose" */
export function folded(text: string, { plain = false }: { readonly plain?: boolean } = {}): Folded {
  if (!UNFOLDED.test(text))
    return { text: plain ? text.toLowerCase() : text, original: (index) => Math.min(Math.max(0, index), text.length) };
  let result = "";
  const places: number[] = [];
  const disguised = placesOfDisguise(text);
  const gaps = plain ? new Set([...text.matchAll(CHINESE_GAP)].flatMap(({ 0: gap, index }) => range(index, gap.length))) : NONE;
  for (const { 0: unit, index, groups = {} } of text.matchAll(UNITS)) {
    if (groups.same !== undefined) {
      for (let at = 0; at < unit.length; at++) places.push(index + at);
      result += plain ? unit.toLowerCase() : unit;
      continue;
    }
    if (gaps.has(index)) continue;
    let shown = groups.at ? "@" : groups.dot ? "." : groups.code ? decoded(unit) : seen(unit);
    if (shown === " " && result.endsWith(" ")) continue;
    if (disguised.has(index)) shown = ALIKE.get(shown) ?? shown;
    if (plain) shown = unmarked(shown);
    for (let at = 0; at < shown.length; at++) places.push(index);
    result += shown;
  }
  places.push(text.length);
  return { text: result, original: (index) => places[index] ?? text.length };
}

/** The same text, sign for sign, with one kind of dash and no wide signs: for what has a form, not for names. Wide commas and
 * question marks end sentences of Chinese, so they stay but within an address. */
export function withPlainSigns(text: string): string {
  return text
    .replace(/[‐-―−˗⁃﹘﹣－⸺⸻＋．＠／＿％＝＆＃＇（）［］：﹒﹫․∕⁄]/gu, (sign) => SIGNS.get(sign) ?? sign)
    .replace(/(?<=[!-~])[，？](?=\s?[!-~])/gu, (sign) => SIGNS.get(sign) ?? sign);
}

const NONE: ReadonlySet<number> = new Set();

function range(from: number, length: number): number[] {
  return Array.from({ length }, (_, at) => from + at);
}

/** A character with its marks: those that make another letter of it stay with it, the others go. */
function seen(unit: string): string {
  if (BLANK.test(unit)) return " ";
  if (HYPHEN.test(unit)) return "-";
  let shown = unit.replace(INVISIBLE, "");
  if (STYLED.test(shown)) shown = shown.normalize("NFKC");
  shown = shown.normalize("NFC").replace(/\p{M}/gu, "");
  return OTHER_DIGIT.test(shown) ? digitOf(shown) : shown;
}

function decoded(code: string): string {
  if (code === "&commat;") return "@";
  if (code === "&period;") return ".";
  const digits = /[\da-f]+(?=;?$)/iu.exec(code.replace(/^&#x/iu, ""))?.[0] ?? "";
  return String.fromCharCode(Number.parseInt(digits, /^&#\d/u.test(code) ? 10 : 16));
}

/** Small first: a name of another script is the same in both cases, whichever of its letters look Latin. */
function unmarked(shown: string): string {
  const letter = shown.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return UNMARKED.get(letter) ?? ALIKE.get(letter) ?? letter;
}

/** Unicode has ten digits of a script in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** Letters of another script within a word of Latin ones. */
function placesOfDisguise(text: string): ReadonlySet<number> {
  const places = new Set<number>();
  if (!MAYBE_ALIKE.test(text)) return places;
  for (const { 0: word, index } of text.matchAll(MIXED_WORD)) {
    if (!/\p{Script=Latin}/u.test(word) || !MAYBE_ALIKE.test(word)) continue;
    let at = index;
    for (const character of word) {
      if (ALIKE.has(character)) places.add(at);
      at += character.length;
    }
  }
  return places;
}

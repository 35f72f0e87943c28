/** In which forms a person's name may stand: its parts, and what languages add to it. */

import { ENGLISH_STOP_WORDS, GERMAN_STOP_WORDS, SPANISH_STOP_WORDS } from "../../text/stopwords.js";
import { folded } from "./folded.js";

/** Given names that are words too: alone and in lower case they are taken for the word. */
const WORDS_TOO = new Set(
  "will mark may rose hope grace faith joy june april august summer dawn art bill rich chase jack pat sue ray rob drew frank grant guy dean jordan ivy lily olive daisy ruby pearl amber carol holly heather robin jay king prince price young long white black brown green gray grey stone wood woods hill field rivers love best day page cook baker smith miller mason hunter carter taylor sky star bear wolf fox".split(
    " ",
  ),
);
const PARTICLES = new Set("von van de der den del la le el da do dos di du of the and y zu".split(" "));
export const HONORIFICS = /^(?:mr|mrs|ms|miss|dr|prof|sir|herr|herrn|frau|señor|señora|senor|senora|sr|sra|don|doña|dona)\.?$/i;
/** Names that are another name with an "s": "Andreas" is nobody's genitive for certain. */
const TWO_NAMES = new Set(
  "andreas lucas lukas nicolas nikolas elias jonas tobias marcos carlos mathias matthias hans jens frans lars nils alexis miles jules ines denis doris iris chris thomas klaus markus marcus james charles louis".split(
    " ",
  ),
);
/** What a Chinese family name is called with. */
const CHINESE_TITLES = "先生 女士 小姐 老师 医生 总 哥 姐 叔 阿姨 教授 经理 律师 师傅 太太 同学 博士 主任".split(" ");
const DOUBLE_FAMILY = /^(?:欧阳|上官|司马|诸葛|东方|司徒|慕容|皇甫|令狐|端木|公孙|尉迟|夏侯|南宫)/u;

/** A letter of Chinese, or a run of letters and digits of another script. */
export const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;

/** Without case and accents. */
export function plainOf(text: string): string {
  return folded(text, { plain: true }).text;
}

export function wordsOf(plain: string): string[] {
  return plain.match(WORD) ?? [];
}

export interface NamePart {
  /** Without case and accents. */
  readonly plain: string;
  /** Another may be called so as well: hidden as itself. */
  readonly isOwn?: boolean;
  /** Counts only where the text has an umlaut. */
  readonly hasUmlaut?: boolean;
}

/** A name, each word of it that names alone, and how else it is written. */
export function partsOf(name: string): NamePart[] {
  const plain = plainOf(name.trim());
  if (/\p{Script=Han}/u.test(plain)) return chineseParts(name.trim());
  const words = plain.split(/\s+/u).filter((word) => !HONORIFICS.test(word));
  const alone =
    words.length > 1 ? words.filter((word) => word.length > 2 && !PARTICLES.has(word) && !/^\p{L}\.$/u.test(word)) : [];
  const forms = [words.join(" "), ...alone];
  if (words.length > 1) forms.push(words.join(""));
  const spelledOut = name.normalize("NFC").replace(/[äöü]/giu, (letter) => UMLAUTS.get(letter.toLowerCase()) ?? letter);
  const parts: NamePart[] = forms.map((form) => ({ plain: form }));
  if (spelledOut !== name.normalize("NFC")) parts.push(...partsOf(spelledOut).filter(({ hasUmlaut }) => !hasUmlaut));
  for (const form of forms) if (/[aou]e/u.test(form)) parts.push({ plain: form.replace(/([aou])e/gu, "$1"), hasUmlaut: true });
  return parts.filter(({ plain: form }) => form.length > 1);
}

const UMLAUTS = new Map([
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
]);

/** The given name alone, what is made of a short one, and the family name with a title. */
function chineseParts(name: string): NamePart[] {
  const [first = "", ...others] = name.split("·").map((part) => plainOf(part).replace(/\s/gu, ""));
  const full = [first, ...others].join("");
  if (others.length > 0) return [full, first, ...others].filter((form) => form.length > 1).map((form) => ({ plain: form }));
  if (!/^\p{Script=Han}{2,4}$/u.test(full) || /^[小老阿大]/u.test(full)) return full.length > 1 ? [{ plain: full }] : [];
  const family = full.length > 2 ? (DOUBLE_FAMILY.exec(full)?.[0] ?? full.charAt(0)) : full.charAt(0);
  const given = full.slice(family.length);
  const called = given.length > 1 ? [given] : [`小${given}`, `阿${given}`, given + given, `${given}哥`, `${given}姐`];
  const titled = [...CHINESE_TITLES.map((title) => family + title), `老${family}`, `小${family}`];
  return [...[full, ...called].map((form) => ({ plain: form })), ...titled.map((form) => ({ plain: form, isOwn: true }))];
}

/** Whether a name is a word too, which must be written as a name; "auxiliary" that it stands beside any other. */
export function wordToo(plain: string): "auxiliary" | "word" | undefined {
  return ENGLISH_STOP_WORDS.has(plain) ? "auxiliary" : WORDS_TOO.has(plain) ? "word" : undefined;
}

export interface Stem {
  readonly plain: string;
  /** Another may be called so: "Andreas", "Anita". */
  readonly isOwn: boolean;
}

/** What a word may be a form of: "Annas", "Hansens", "Joneses", "Anna1990", "Annchen", "Juanito". */
export function stemsOf(word: string): Stem[] {
  const stems: Stem[] = [];
  if (word.length < 3) return stems;
  const add = (plain: string, isOwn = false): void => {
    stems.push({ plain, isOwn });
  };
  const numbered = /^(\p{L}{3,})\p{N}+$/u.exec(word)?.[1];
  if (numbered !== undefined) add(numbered);
  if (isStopWord(word)) return stems;
  if (word.endsWith("s")) add(word.slice(0, -1), TWO_NAMES.has(word));
  if (/(?:[sxzß]|sh|ch)es$/u.test(word)) add(word.slice(0, -2));
  if (/[sxz]ens$/u.test(word)) add(word.slice(0, -3));
  const small = /^(\p{L}{2,})(?:chen|lein|c?it[oa]s?)$/u.exec(word)?.[1];
  if (small !== undefined) for (const ending of ["", "a", "o", "e"]) add(small + ending, true);
  return stems;
}

export function isStopWord(word: string): boolean {
  return [ENGLISH_STOP_WORDS, GERMAN_STOP_WORDS, SPANISH_STOP_WORDS].some((words) => words.has(word));
}

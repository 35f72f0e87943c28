/** Names, words and places to make sentences of, and the lists that ship. */

import { readFileSync } from "node:fs";
import { allLocales } from "@faker-js/faker";
import { hashOf } from "../../src/ltm/scrub/names/hash.js";
import { wordsWrittenSmall } from "./casing.js";
import {
  type ChineseWord,
  chatLines,
  chineseDictionary,
  isHeldOut,
  LATIN,
  type Locale,
  type NameLists,
  nameLists,
  rankedWords,
  unpackInputs,
  userSentences,
} from "./inputs.js";

const WORDS = JSON.parse(readFileSync(new URL("./words.json", import.meta.url), "utf8")) as Record<
  | "ambiguous"
  | "alsoWords"
  | "capitalised"
  | "calendar"
  | "brands"
  | "chat"
  | "places"
  | "familyCharacters"
  | "foreignCharacters"
  | "germanGivenHeads"
  | "germanGivenTails"
  | "germanFamilyHeads"
  | "germanFamilyTails",
  string
>;
export const AMBIGUOUS = new Set(WORDS.ambiguous.split(" "));
export const ALSO_WORDS = new Set(WORDS.alsoWords.split(" "));
export const CAPITALISED = new Set(WORDS.capitalised.split(" "));
/** Days, months and feasts that nobody is called by, whatever the lists of names say. */
export const CALENDAR = new Set(WORDS.calendar.split(" "));
/** Brands, universities and planets: where one stands in a real sentence it is taken for itself, not for a person. */
export const BRANDS = new Set(WORDS.brands.split(" "));
export const CHAT_WORDS = WORDS.chat.split(" ");
/** Parts that German names are made of: no list holds all of what they make. */
export const GERMAN = {
  given: [WORDS.germanGivenHeads.split(" "), WORDS.germanGivenTails.split(" ")],
  family: [WORDS.germanFamilyHeads.split(" "), WORDS.germanFamilyTails.split(" ")],
} as const;
const NO_COMMON_WORD = 4000;

/** A half of the names, for a model whose other half is in no list of it. */
export type Half = "all" | "first";

export interface Pools {
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly ofLocale: Readonly<
    Record<(typeof LATIN)[number], { readonly given: readonly string[]; readonly family: readonly string[] }>
  >;
  /** Names that are words too. */
  readonly wordNames: readonly string[];
  readonly places: readonly string[];
  readonly ranked: Readonly<Record<(typeof LATIN)[number], readonly string[]>>;
  /** Lower-cased words that are common in one of the languages. */
  readonly top: ReadonlySet<string>;
  readonly allGiven: ReadonlySet<string>;
  /** Lower-cased words of real text, whoever is called so somewhere. */
  readonly writtenSmall: ReadonlySet<string>;
  readonly allFamily: ReadonlySet<string>;
  readonly text: Readonly<Record<Locale, readonly string[]>>;
  readonly users: readonly string[];
  readonly chinese: {
    readonly family: readonly string[];
    readonly rareFamily: readonly string[];
    readonly doubleFamily: readonly string[];
    readonly given: readonly string[];
    readonly foreign: readonly string[];
    readonly givenCharacters: readonly string[];
    readonly words: readonly ChineseWord[];
    readonly isOwn: (name: string) => boolean;
  };
}

export function openPools(cache: string, data: string, half: Half): Pools {
  const unpacked = unpackInputs(cache);
  const lists = nameLists(unpacked);
  const isOwn = (name: string): boolean => half === "all" || (hashOf(name.toLowerCase()) >>> 3) % 2 === 0;
  const ranked = { en: rankedWords(unpacked, "en"), de: rankedWords(unpacked, "de"), es: rankedWords(unpacked, "es") };
  const top = new Set(LATIN.flatMap((locale) => ranked[locale].slice(0, NO_COMMON_WORD)));
  const allGiven = new Set(lists.given.map(({ name }) => name.toLowerCase()));
  const places = placeNames(allGiven);
  const users = userSentences(data).filter((text) => !isHeldOut(text));
  const text = {
    en: chatLines(unpacked, "en"),
    de: chatLines(unpacked, "de"),
    es: chatLines(unpacked, "es"),
    zh: chatLines(unpacked, "zh"),
  };
  const writtenSmall = wordsWrittenSmall([...users, ...LATIN.flatMap((locale) => text[locale])]);
  const given = lists.given.filter(({ name }) => {
    const word = name.toLowerCase();
    return isOwn(name) && !CALENDAR.has(word) && (!top.has(word) || AMBIGUOUS.has(word));
  });
  const family = lists.family.filter(({ name }) => isOwn(name) && !CALENDAR.has(name.toLowerCase()));
  const of = (locale: string) => ({
    given: given.filter(({ locales }) => locales.includes(locale)).map(({ name }) => name),
    family: family.filter(({ locales }) => locales.includes(locale)).map(({ name }) => name),
  });
  const own = new Set(given.map(({ name }) => name.toLowerCase()));
  const wordNames = [...AMBIGUOUS, ...ALSO_WORDS].filter((word) => own.has(word));
  return {
    given: given.map(({ name }) => name),
    family: family.map(({ name }) => name),
    ofLocale: { en: of("en"), de: of("de"), es: of("es") },
    wordNames: [...new Set([...wordNames, ..."will mark rob art max jill".split(" ")])].map(
      (word) => word.charAt(0).toUpperCase() + word.slice(1),
    ),
    places,
    ranked,
    top,
    allGiven,
    writtenSmall,
    allFamily: new Set(lists.family.map(({ name }) => name.toLowerCase())),
    text,
    users,
    chinese: chinesePools(lists, chineseDictionary(unpacked), isOwn),
  };
}

/** Of a place of several words no given name: "San Pedro" and "Ciudad del Carmen" are called after somebody. */
function placeNames(allGiven: ReadonlySet<string>): string[] {
  const found = new Set(WORDS.places.split(" "));
  for (const locale of ["en", "en_US", "en_GB", "de", "de_AT", "de_CH", "es", "es_MX"] as const) {
    const { location } = allLocales[locale] as { location?: Record<string, unknown> };
    for (const key of ["city_name", "state", "country", "county"])
      for (const text of [location?.[key]].flat(2))
        if (typeof text === "string")
          for (const [word] of text.matchAll(/[A-ZÀ-Þ][\wà-ÿ'’-]{3,}/g))
            if (word === text || !allGiven.has(word.toLowerCase())) found.add(word);
  }
  return [...found].sort();
}

function chinesePools(lists: NameLists, dictionary: readonly ChineseWord[], isOwn: (name: string) => boolean): Pools["chinese"] {
  const family = [...WORDS.familyCharacters];
  const isFamily = new Set(family);
  const listed = lists.chineseFamily.filter((name) => /^[\u4e00-\u9fff]{1,2}$/.test(name));
  const listedGiven = lists.chineseGiven.filter((name) => /^[\u4e00-\u9fff]+$/.test(name));
  const named = dictionary
    .filter(
      ({ word, count, tag }) =>
        tag === "nr" && (word.length === 2 || word.length === 3) && isFamily.has(word.charAt(0)) && count >= 3 && count < 400,
    )
    .map(({ word }) => word);
  const counts = new Map<string, number>();
  const count = (text: string, by: number): void => {
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + by);
  };
  for (const name of named) count(name.slice(1), 1);
  for (const name of listedGiven) count(name, 40);
  const foreign = new RegExp(`^[${WORDS.foreignCharacters}]{2,4}$`);
  return {
    family,
    rareFamily: listed.filter((name) => name.length === 1 && !isFamily.has(name)),
    doubleFamily: [
      ...new Set([
        ...listed.filter((name) => name.length === 2),
        ..."欧阳 上官 司马 诸葛 东方 司徒 慕容 皇甫 令狐 端木 公孙 尉迟".split(" "),
      ]),
    ],
    given: [...new Set([...named.map((name) => name.slice(1)), ...listedGiven])].filter(isOwn),
    foreign: dictionary
      .filter(({ word, tag }) => tag === "nrt" && foreign.test(word))
      .map(({ word }) => word)
      .filter(isOwn),
    givenCharacters: [...counts]
      .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .slice(0, 900)
      .map(([character]) => character),
    words: dictionary.filter(({ tag }) => !tag.startsWith("nr")),
    isOwn,
  };
}

/** The lists of the model, and how much a word looks like a name by its letters. */

import { Bloom } from "../../src/ltm/scrub/names/bloom.js";
import { hashOf } from "../../src/ltm/scrub/names/hash.js";
import { likenessPlaces } from "../../src/ltm/scrub/names/latin-tokens.js";
import type { NameModel } from "../../src/ltm/scrub/names/model.js";
import { germanName } from "./generate.js";
import { LATIN } from "./inputs.js";
import { quantised } from "./learn.js";
import { ALSO_WORDS, AMBIGUOUS, BRANDS, CALENDAR, CHAT_WORDS, type Pools } from "./pools.js";

const HASHES = { list: 4, ambiguous: 6 } as const;
const LIKENESS_SIZE = 1 << 13;
/** German names made of their parts, among some 50,000 listed ones. */
const MADE = 4_000;

export function listsOf(pools: Pools, random: () => number) {
  const given = unique(pools.given);
  const family = unique(pools.family);
  const common = new Set<string>([...CHAT_WORDS, ...CALENDAR]);
  const less = new Set<string>(BRANDS);
  for (const locale of LATIN)
    pools.ranked[locale].slice(0, locale === "de" ? 30_000 : 20_000).forEach((word, rank) => {
      if (word.length < 2) return;
      const isSureName =
        (locale === "de" ? !pools.top.has(word) : rank >= 1500) &&
        pools.allGiven.has(word) &&
        !pools.writtenSmall.has(word) &&
        !AMBIGUOUS.has(word) &&
        !ALSO_WORDS.has(word);
      if (!isSureName) (rank < 2500 ? common : less).add(word);
    });
  for (const word of [...ALSO_WORDS, ...pools.places]) less.add(word.toLowerCase());
  for (const word of common) less.delete(word);
  const both = given.filter((word) => common.has(word) || less.has(word));
  const dictionary = pools.chinese.words.map(({ word }) => word).filter((word) => word.length >= 2 && word.length <= 4);
  const { family: chineseFamily, rareFamily, givenCharacters: characters, doubleFamily } = pools.chinese;
  const familyCharacters = [[...chineseFamily.slice(60), ...rareFamily].join(""), chineseFamily.slice(0, 60).join("")];
  const givenCharacters = [
    characters.slice(450).join(""),
    characters.slice(150, 450).join(""),
    characters.slice(0, 150).join(""),
  ];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const made = Array.from({ length: MADE }, (_, at) => germanName(at % 4 === 0 ? "given" : "family", pick).toLowerCase());
  const likeness = trainLikeness(
    [...new Set([...given, ...family, ...made])].filter((word) => !common.has(word) && !less.has(word) && !/[ -]/.test(word)),
    [...common, ...less].filter((word) => !AMBIGUOUS.has(word)),
    random,
  );
  const model: NameModel = {
    version: "",
    weights: { latin: new Int8Array(1), chinese: new Int8Array(2), likeness: likeness.steps },
    scales: { latin: 1, chinese: 1, likeness: likeness.scale },
    lists: {
      given: bloomOf(given, 10),
      family: bloomOf(family, 8),
      common: bloomOf([...common], 9),
      lessCommon: bloomOf([...less], 6.2),
      ambiguous: bloomOf(both, 14, HASHES.ambiguous),
      dictionary: bloomOf(dictionary.slice(0, 30_000), 8.8),
    },
    familyCharacters: grades(familyCharacters),
    doubleFamilyNames: new Set(doubleFamily),
    givenCharacters: grades(givenCharacters),
  };
  return { model, hashes: HASHES, familyCharacters, givenCharacters };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function grades(characters: readonly string[]): Map<string, number> {
  return new Map(characters.flatMap((grade, at) => [...grade].map((character) => [character, at + 1] as const)));
}

function bloomOf(words: readonly string[], bitsPerWord: number, hashes: number = HASHES.list): Bloom {
  const bloom = new Bloom(new Uint8Array(Math.max(8, Math.ceil((words.length * bitsPerWord) / 8))), hashes);
  for (const word of words) bloom.add(hashOf(word));
  return bloom;
}

function trainLikeness(names: readonly string[], words: readonly string[], random: () => number) {
  const weights = new Float32Array(LIKENESS_SIZE);
  const squares = new Float32Array(LIKENESS_SIZE);
  const rows = [...names.map((word) => [word, 1] as const), ...words.map((word) => [word, 0] as const)];
  for (let epoch = 0; epoch < 5; epoch++) {
    for (let k = 0; k < rows.length; k++) {
      const [word, is] = rows[Math.floor(random() * rows.length)] ?? ["", 0];
      const places = likenessPlaces(word, LIKENESS_SIZE);
      const sum = places.reduce((total, place) => total + (weights[place] ?? 0), 0);
      const error = 1 / (1 + Math.exp(-sum)) - is;
      for (const place of places) {
        const slope = error + 2e-4 * (weights[place] ?? 0);
        squares[place] = (squares[place] ?? 0) + slope * slope;
        weights[place] = (weights[place] ?? 0) - (0.1 * slope) / Math.sqrt((squares[place] ?? 0) + 1e-3);
      }
    }
  }
  return quantised(weights);
}

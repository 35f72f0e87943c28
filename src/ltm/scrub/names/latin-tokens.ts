/** A text in Latin script as the tokens that the name tagger looks at, with what its lists know of each. */

import { hashOf } from "./hash.js";
import type { NameModel } from "./model.js";
import { wordClassOf } from "./word-classes.js";

const TOKEN = /\p{Script=Han}|[\p{L}\p{M}]+(?:[-'’ʼ](?!s(?![\p{L}]))[\p{L}\p{M}]+)*|\p{N}+|['’]s(?!\p{L})|[^\s\p{L}\p{N}]/gu;

/** How a token is written. The numbers are part of the model. */
export const SHAPE = {
  lower: 0,
  title: 1,
  upper: 2,
  mixed: 3,
  number: 4,
  sign: 5,
  initial: 6,
  han: 7,
  camel: 8,
  none: 9,
} as const;

export interface Token {
  readonly text: string;
  readonly word: string;
  readonly start: number;
  readonly end: number;
  shape: number;
  /** Of the word; one hash for all given names that are nothing else. */
  hash: number;
  isGiven: boolean;
  isFamily: boolean;
  /** 1 a common word, 2 a less common one, 0 none. */
  common: number;
  /** From 0, no name by its letters, to 7. */
  likeness: number;
  isFirst: boolean;
  readonly wordClass: number;
  readonly suffix2: number;
  readonly suffix3: number;
  readonly prefix3: number;
  readonly length: number;
}

export interface Tokens {
  readonly list: readonly Token[];
  /** 0 small and capital letters, 1 no capitals at all, 2 hardly anything but capitals. */
  readonly casing: number;
}

const GIVEN_HASH = 0x3c6ef372;

export function latinTokens(text: string, model: NameModel): Tokens {
  const list: Token[] = [];
  for (const match of text.matchAll(TOKEN)) list.push(tokenOf(match[0], match.index));
  const casing = casingOf(list);
  list.forEach((token, at) => {
    token.isFirst = at === 0 || /^[.!?:\n¿¡"“„-]$/.test(list[at - 1]?.text ?? "");
    if (casing !== 0 && token.shape !== SHAPE.number && token.shape !== SHAPE.sign && token.shape !== SHAPE.han)
      token.shape = SHAPE.lower;
    if (isCandidate(token) && token.text.length > 1) {
      lookUp(token, model);
      token.likeness = likenessOf(token.word, model);
    }
  });
  return { list, casing };
}

/** Whether a token may belong to a name. */
export function isCandidate({ shape }: Token): boolean {
  return shape < SHAPE.number || shape === SHAPE.camel || shape === SHAPE.initial;
}

function tokenOf(text: string, start: number): Token {
  const word = text.toLowerCase().replace(/[’ʼ]/g, "'");
  return {
    text,
    word,
    start,
    end: start + text.length,
    shape: shapeOf(text, word),
    hash: hashOf(word),
    isGiven: false,
    isFamily: false,
    common: 0,
    likeness: 8,
    isFirst: false,
    wordClass: wordClassOf(word),
    suffix2: hashOf(word.slice(-2)),
    suffix3: hashOf(word.slice(-3)),
    prefix3: hashOf(word.slice(0, 3)),
    length: Math.min(6, word.length >> 1),
  };
}

function shapeOf(text: string, word: string): number {
  const code = text.charCodeAt(0);
  if (code >= 0x3400 && code <= 0x9fff) return SHAPE.han;
  if (!/\p{L}/u.test(text)) return /\p{N}/u.test(text) ? SHAPE.number : SHAPE.sign;
  if (text === word) return SHAPE.lower;
  if (text === text.toUpperCase()) return text.length === 1 ? SHAPE.initial : SHAPE.upper;
  if (text[0] === word[0]) return SHAPE.mixed;
  return text.slice(1) === word.slice(1) ? SHAPE.title : SHAPE.camel;
}

function casingOf(list: readonly Token[]): number {
  let words = 0;
  let upper = 0;
  let hasCapital = false;
  let hasLower = false;
  for (const { shape, text, word } of list) {
    if (shape === SHAPE.title || shape === SHAPE.camel || shape === SHAPE.mixed) hasCapital = true;
    if (shape === SHAPE.initial && word !== "i") hasCapital = true;
    if (shape === SHAPE.lower && text.length > 1) hasLower = true;
    if (shape < SHAPE.number || shape === SHAPE.camel) words++;
    if (shape === SHAPE.upper) upper++;
  }
  if (!hasCapital && upper === 0) return 1;
  return !hasLower && words > 2 && upper >= 0.6 * words ? 2 : 0;
}

function lookUp(token: Token, { lists }: NameModel): void {
  const { hash, word } = token;
  token.common = lists.common.has(hash) ? 1 : lists.lessCommon.has(hash) ? 2 : 0;
  token.isGiven = lists.given.has(hash);
  token.isFamily = lists.family.has(hash);
  if (token.isGiven) {
    if (token.common === 0) token.hash = GIVEN_HASH;
    // Only words of the list of both are both; the others came into one of them by chance.
    else if (!lists.ambiguous.has(hash)) {
      if (token.common === 1) token.isGiven = false;
      else {
        token.common = 0;
        token.hash = GIVEN_HASH;
      }
    }
  }
  if (token.isGiven || token.isFamily) return;
  if (/[-'’ʼ]/.test(word)) {
    const parts = word
      .split(/[-'’ʼ]/)
      .filter((part) => part.length > 1)
      .map(hashOf);
    token.isGiven = parts.some((part) => lists.given.has(part));
    token.isFamily = parts.some((part) => lists.family.has(part));
    if (token.common === 0 && parts.length > 0 && parts.every((part) => lists.common.has(part) || lists.lessCommon.has(part)))
      token.common = 2;
  } else if (word.length > 4 && word.endsWith("s") && token.common === 0) {
    const stem = hashOf(word.slice(0, -1));
    token.isGiven = lists.given.has(stem);
    token.isFamily = lists.family.has(stem);
  }
}

const LIKENESS_STEPS = [-4, -2, -0.7, 0.3, 1.3, 2.5, 4];

function likenessOf(word: string, { weights: { likeness }, scales }: NameModel): number {
  let sum = 0;
  for (const place of likenessPlaces(word, likeness.length)) sum += likeness[place] ?? 0;
  const score = sum * scales.likeness;
  const step = LIKENESS_STEPS.findIndex((limit) => score < limit);
  return step < 0 ? LIKENESS_STEPS.length : step;
}

/** Where the weights of a word's runs of two to four letters lie. */
export function likenessPlaces(word: string, size: number): number[] {
  const marked = `^${word.slice(0, LONGEST)}$`;
  const places: number[] = [];
  for (let from = 0; from < marked.length; from++) {
    let hash = 0x811c9dc5;
    for (let length = 0; length < 4 && from + length < marked.length; length++) {
      hash = Math.imul(hash ^ marked.charCodeAt(from + length), 0x01000193);
      if (length > 0) places.push(((hash ^ (hash >>> 13)) >>> 0) & (size - 1));
    }
  }
  return places;
}

/** No name's word is longer. */
const LONGEST = 40;

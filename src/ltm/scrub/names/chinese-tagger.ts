/** Which characters of a Chinese text are persons' names: begin, inside or outside, by hashed features of a character and its neighbours. */

import { hashOf, mix } from "./hash.js";
import type { NamePlace } from "./latin-tagger.js";
import type { NameModel } from "./model.js";

const THRESHOLD = 0.5;
const OF_NAME = /\p{Script=Han}|·/u;
/** Characters of padding before the first, so that neighbours need no test. */
const PAD = 4;

export const OUTSIDE = 0;
export const BEGIN = 1;
export const INSIDE = 2;

export interface Characters {
  readonly list: readonly string[];
  /** Where each begins in the text, and the text's end. */
  readonly places: Int32Array;
  readonly hashes: Int32Array;
  readonly family: Uint8Array;
  readonly given: Uint8Array;
  /** Place within a dictionary word, read forwards and backwards: 1 alone, 2 first, 3 within, 4 last. */
  readonly forwards: Uint8Array;
  readonly backwards: Uint8Array;
  /** Whether a dictionary word of two, of three characters begins here. */
  readonly two: Uint8Array;
  readonly three: Uint8Array;
}

export function charactersOf(
  text: string,
  { lists, familyCharacters, doubleFamilyNames, givenCharacters }: NameModel,
): Characters {
  const list = [...text];
  const size = list.length;
  const bytes = () => new Uint8Array(size + 2 * PAD);
  const [family, given, forwards, backwards, two, three] = [bytes(), bytes(), bytes(), bytes(), bytes(), bytes()] as const;
  const hashes = new Int32Array(size + 2 * PAD);
  const places = new Int32Array(size + 1);
  let place = 0;
  list.forEach((character, at) => {
    hashes[at + PAD] = hashOf(character);
    family[at + PAD] = doubleFamilyNames.has(character + (list[at + 1] ?? "")) ? 3 : (familyCharacters.get(character) ?? 0);
    given[at + PAD] = givenCharacters.get(character) ?? 0;
    places[at] = place;
    place += character.length;
  });
  places[size] = place;
  const isWord = (from: number, length: number): boolean =>
    from + length <= size &&
    OF_NAME.test(list[from] ?? "") &&
    lists.dictionary.has(hashOf(list.slice(from, from + length).join("")));
  const lengthAt = (from: number): number => (isWord(from, 4) ? 4 : three[from + PAD] === 1 ? 3 : two[from + PAD] === 1 ? 2 : 1);
  for (let at = 0; at < size; at++) {
    two[at + PAD] = isWord(at, 2) ? 1 : 0;
    three[at + PAD] = isWord(at, 3) ? 1 : 0;
  }
  for (let at = 0; at < size; ) {
    const length = lengthAt(at);
    mark(forwards, at, length);
    at += length;
  }
  for (let end = size; end > 0; ) {
    const length =
      end >= 4 && isWord(end - 4, 4) ? 4 : end >= 3 && three[end - 3 + PAD] ? 3 : end >= 2 && two[end - 2 + PAD] ? 2 : 1;
    mark(backwards, end - length, length);
    end -= length;
  }
  return { list, places, hashes, family, given, forwards, backwards, two, three };
}

function mark(places: Uint8Array, from: number, length: number): void {
  if (length === 1) places[from + PAD] = 1;
  else for (let k = 0; k < length; k++) places[from + PAD + k] = k === 0 ? 2 : k === length - 1 ? 4 : 3;
}

/** Writes the places of a character's features among `size` weights.
 * @param last the tag before
 * @param last2 the one before that
 * @returns how many there are */
export function chineseFeatures(
  text: Characters,
  index: number,
  last: number,
  last2: number,
  into: Int32Array,
  size: number,
): number {
  const at = index + PAD;
  const of = (row: Uint8Array | Int32Array, offset: number): number => row[at + offset] ?? 0;
  const { hashes, family, given, forwards, backwards, two, three } = text;
  let count = 0;
  const add = (id: number, one: number, other: number): void => {
    into[count++] = (mix(mix(one | 0, Math.imul(id, 0x2545f491) | 0), other | 0) >>> 0) & (size - 1);
  };
  const own = of(hashes, 0);
  const before = of(hashes, -1);
  const before2 = of(hashes, -2);
  const after = of(hashes, 1);
  const after2 = of(hashes, 2);
  const after3 = of(hashes, 3);
  const surname = of(family, 0);
  const words =
    of(two, -1) | (of(two, 0) << 1) | (of(two, 1) << 2) | (of(three, 0) << 3) | (of(three, -1) << 4) | (of(two, 2) << 5);
  const parts = surname * 64 + of(given, 0) * 16 + of(given, 1) * 4 + of(given, 2);
  const tags = last * 3 + last2;
  add(51, 0, tags);
  add(52, own, last);
  add(53, before, last);
  add(54, before2, last);
  add(55, after, last);
  add(56, after2, last);
  add(57, after3, last);
  add(58, before, own);
  add(59, own, after);
  add(60, after, after2);
  add(61, before2, before);
  add(62, after2, after3);
  add(63, before, after);
  add(64, mix(before, own), after);
  add(65, mix(own, after), after2);
  add(66, parts, tags);
  add(67, parts, words);
  add(68, words, tags);
  add(69, of(family, -1) * 16 + of(family, -2) * 4 + surname, tags * 16 + of(given, 0) * 4 + of(given, 1));
  const segments = (row: Uint8Array): number => of(row, -1) * 125 + of(row, 0) * 25 + of(row, 1) * 5 + of(row, 2);
  add(70, segments(forwards), surname * 4 + last);
  add(71, segments(backwards), surname * 4 + last);
  add(72, before, surname * 16 + of(given, 1) * 4 + of(given, 2));
  add(73, after2, surname * 16 + of(given, 0) * 4 + of(given, 1));
  add(74, after3, surname * 16 + of(given, 1) * 4 + of(given, 2));
  add(75, after, tags * 64 + of(family, -1) * 16 + of(given, 0) * 4 + of(family, -2));
  add(76, mix(before2, before), surname);
  add(77, mix(after, after2), tags);
  add(78, mix(after2, after3), surname * 4 + of(given, 1));
  add(79, of(forwards, 0) * 5 + of(backwards, 0), parts);
  add(80, mix(before, own), tags);
  return count;
}

export function mayBeOfName(character: string): boolean {
  return OF_NAME.test(character);
}

export function chineseNames(text: string, model: NameModel): NamePlace[] {
  const characters = charactersOf(text, model);
  const { chinese } = model.weights;
  const size = chinese.length / 2;
  const features = new Int32Array(48);
  const names: { start: number; end: number }[] = [];
  let last = OUTSIDE;
  let last2 = OUTSIDE;
  characters.list.forEach((character, at) => {
    let tag = OUTSIDE;
    if (mayBeOfName(character)) {
      const count = chineseFeatures(characters, at, last, last2, features, size);
      let begin = 0;
      let inside = 0;
      for (let k = 0; k < count; k++) {
        begin += chinese[features[k] ?? 0] ?? 0;
        inside += chinese[size + (features[k] ?? 0)] ?? 0;
      }
      tag = tagOf(begin * model.scales.chinese, inside * model.scales.chinese, last, THRESHOLD);
    }
    const start = characters.places[at] ?? 0;
    const end = characters.places[at + 1] ?? text.length;
    const name = names.at(-1);
    if (tag === INSIDE && last !== OUTSIDE && name) name.end = end;
    else if (tag !== OUTSIDE) names.push({ start, end });
    last2 = last;
    last = tag;
  });
  return names;
}

function tagOf(begin: number, inside: number, last: number, threshold: number): number {
  const b = Math.exp(Math.min(30, begin));
  const i = last === OUTSIDE ? 0 : Math.exp(Math.min(30, inside));
  if ((b + i) / (1 + b + i) < threshold) return OUTSIDE;
  return b >= i ? BEGIN : INSIDE;
}

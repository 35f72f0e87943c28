/** Which tokens of a text in Latin script are persons' names: a logistic model over hashed features of a token and its neighbours. */

import { mix } from "./hash.js";
import { isCandidate, latinTokens, SHAPE, type Token, type Tokens } from "./latin-tokens.js";
import type { NameModel } from "./model.js";
import { KIN_CLASS, TITLE_CLASS } from "./word-classes.js";

/** Chances from which on a token is a name: lower for a listed given name that is no word, higher for what is written small where
 * others are not. */
const THRESHOLD = { listed: 0.1, listedSmall: 0.3, other: 0.4, otherSmall: 0.9 } as const;
export const MOST_FEATURES = 48;

const NOTHING: Omit<Token, "text" | "start" | "end"> & { readonly text: string } = {
  text: "",
  word: "",
  hash: 0x1234567,
  shape: SHAPE.none,
  isGiven: false,
  isFamily: false,
  common: 0,
  likeness: 9,
  isFirst: false,
  wordClass: 0,
  suffix2: 77,
  suffix3: 77,
  prefix3: 77,
  length: 0,
};
const NOTHING_LISTED = 13;

function listed(token: Pick<Token, "isGiven" | "isFamily" | "common">): number {
  return (token.isGiven ? 1 : 0) | (token.isFamily ? 2 : 0) | (token.common << 2);
}

/** Writes the places of a token's features among `size` weights.
 * @param named whether the token before is a name
 * @returns how many there are */
export function latinFeatures({ list, casing }: Tokens, at: number, named: boolean, into: Int32Array, size: number): number {
  const own = list[at] ?? NOTHING;
  const before = list[at - 1] ?? NOTHING;
  const before2 = list[at - 2] ?? NOTHING;
  const after = list[at + 1] ?? NOTHING;
  const after2 = list[at + 2] ?? NOTHING;
  const lists = listed(own);
  const listsBefore = before === NOTHING ? NOTHING_LISTED : listed(before);
  const listsAfter = after === NOTHING ? NOTHING_LISTED : listed(after);
  const previous = named ? 1 : 0;
  const first = own.isFirst ? 1 : 0;
  const state = lists * 160 + own.shape * 16 + casing * 4 + first * 2 + previous;
  const form = lists * 16 + own.shape;
  let count = 0;
  const add = (id: number, one: number, other: number): void => {
    into[count++] = (mix(mix(one | 0, Math.imul(id, 0x2545f491) | 0), other | 0) >>> 0) & (size - 1);
  };
  add(1, 0, casing);
  add(2, own.hash, 0);
  add(3, own.shape * 2 + first, casing);
  add(4, lists, casing);
  add(5, state >> 1, 0);
  add(6, own.suffix3, casing);
  add(7, own.suffix2, own.shape);
  add(8, own.prefix3, 0);
  add(9, before.hash, 0);
  add(10, after.hash, 0);
  add(11, before2.hash, 0);
  add(12, after2.hash, 0);
  add(13, before.hash, before2.hash);
  add(14, after.hash, after2.hash);
  add(15, before.hash, after.hash);
  add(16, before.hash, lists);
  add(17, after.hash, lists);
  add(18, before.hash, own.shape);
  add(19, after.hash, own.shape);
  add(20, listsBefore * 16 + before.shape, form);
  add(21, listsAfter * 16 + after.shape, form);
  add(22, before.wordClass * 8 + before2.wordClass, form);
  add(23, after.wordClass * 8 + after2.wordClass, form);
  add(24, previous, first);
  add(25, state, 1);
  add(26, previous, before.hash);
  add(27, own.length * 4 + own.common, own.shape);
  add(28, after.suffix2, own.shape);
  add(29, after.suffix3, lists);
  add(30, before.shape * 100 + own.shape * 10 + after.shape, casing);
  add(31, own.suffix3, own.common);
  add(32, before.wordClass * 64 + after.wordClass * 8 + own.common, own.shape);
  add(33, before.suffix2, lists);
  add(34, before.hash, own.common * 10 + after.wordClass);
  add(35, own.hash, own.shape);
  add(36, own.suffix3, own.shape * 16 + lists);
  add(37, own.likeness, own.shape * 4 + casing);
  add(38, own.likeness, form);
  add(39, own.likeness * 8 + before.wordClass, own.shape * 4 + own.common);
  add(40, before.hash, own.likeness * 4 + own.common);
  add(41, after.hash, own.likeness * 4 + own.common);
  add(42, own.likeness * 16 + after.likeness, own.shape * 16 + after.shape);
  add(43, own.likeness * 10 + before.likeness, previous * 4 + own.common);
  return count;
}

/** Signs within a name do not end it. */
export function endsName({ text }: Token): boolean {
  return text !== "-" && text !== "." && text !== "’" && text !== "'";
}

export interface NamePlace {
  readonly start: number;
  readonly end: number;
}

export function latinNames(text: string, model: NameModel): NamePlace[] {
  const tokens = latinTokens(text, model);
  const chances = chancesOf(tokens, model);
  if (tokens.casing === 0) raiseByCues(tokens.list, chances);
  const places: { start: number; end: number }[] = [];
  tokens.list.forEach((token, at) => {
    const isListed = token.isGiven && token.common === 0;
    const isSmall = tokens.casing === 0 && token.shape === SHAPE.lower;
    const kind = isListed ? (isSmall ? "listedSmall" : "listed") : isSmall ? "otherSmall" : "other";
    const last = places.at(-1);
    if ((chances[at] ?? 0) < THRESHOLD[kind] && !isSurname(tokens, at, last?.end, text)) return;
    if (last && isOneName(text, last, token.start)) last.end = token.end;
    else places.push({ start: token.start, end: token.end });
  });
  return places;
}

/** A full stop parts names, but after an initial or "St". */
function isOneName(text: string, { start, end }: NamePlace, next: number): boolean {
  const between = text.slice(end, next);
  return /^[\s-]{1,2}$/u.test(between) || (/^\. ?$/u.test(between) && /(?<!\p{L})\p{L}{1,2}$/u.test(text.slice(start, end)));
}

/** "Rebecca Stone": a capitalised family name right after a given name that is no word, though it is a word itself. */
function isSurname({ list, casing }: Tokens, at: number, nameEnd: number | undefined, text: string): boolean {
  const [given, token] = [list[at - 1], list[at]];
  if (!given || !token || casing !== 0 || token.shape !== SHAPE.title || !token.isFamily) return false;
  return given.isGiven && given.common === 0 && given.end === nameEnd && text.slice(given.end, token.start) === " ";
}

function chancesOf(tokens: Tokens, { weights: { latin }, scales }: NameModel): Float32Array {
  const chances = new Float32Array(tokens.list.length);
  const features = new Int32Array(MOST_FEATURES);
  let named = false;
  tokens.list.forEach((token, at) => {
    if (!isCandidate(token)) {
      if (endsName(token)) named = false;
      return;
    }
    const count = latinFeatures(tokens, at, named, features, latin.length);
    let sum = 0;
    for (let k = 0; k < count; k++) sum += latin[features[k] ?? 0] ?? 0;
    const chance = 1 / (1 + Math.exp(-sum * scales.latin));
    chances[at] = chance;
    named = chance > 0.5;
  });
  return chances;
}

/** A title before a capitalised word, and a relation before one that a list knows or that is no word, tell a name. */
function raiseByCues(list: readonly Token[], chances: Float32Array): void {
  list.forEach((token, at) => {
    if (token.shape !== SHAPE.title && token.shape !== SHAPE.camel && token.shape !== SHAPE.upper) return;
    const from = list[at - 1]?.text === "." ? at - 2 : at - 1;
    const cue = list[from];
    if (!cue || (cue.text.length > 3 && cue.text === cue.text.toUpperCase())) return;
    const isAbbreviated = from === at - 1 || /^(?:mr|mrs|ms|dr|prof|sr|sra|st)$/.test(cue.word);
    const isOtherWord =
      cue.word === "miss" ||
      (cue.word === "don" && cue.shape === SHAPE.lower && !token.isGiven) ||
      (cue.word === "coach" && token.common > 0);
    const isNoWord = token.common !== 1 || token.isGiven || (token.isFamily && isAddress(list, from));
    const isTitled = cue.wordClass === TITLE_CLASS && isNoWord && !isOtherWord && isAbbreviated;
    const isRelated =
      cue.wordClass === KIN_CLASS && from === at - 1 && (token.isGiven || (token.common === 0 && token.likeness > 2));
    if (isTitled || isRelated) chances[at] = 1;
  });
}

/** Titles that a name follows even where it is a word: "Ms Stone", "Frau Klein", but not "meiner Frau Kaffee". */
function isAddress(list: readonly Token[], at: number): boolean {
  const cue = list[at];
  if (!cue || !/^(?:mr|mrs|ms|dr|prof|herrn?|frau|sr|sra|srta)$/.test(cue.word)) return false;
  return cue.word !== "frau" || !/^(?:[mds]ein|ihr|unser|eur?e|ein|die|der|jede|keine)/u.test(list[at - 1]?.word ?? "");
}

/** Finds the identifiers of a unit (ids, tokens, codes, URLs, paths, e-mails, amounts), byte for byte, with the field they stood in.
 *
 * Wider than `text/identifiers`, which is made for what people say: here any string that a later call could need counts, and
 * which shapes count is part of what the shipped agent weights were learned with. */

import { FLAG, flagsOf } from "./lexicon.js";

export const IDENTIFIER_KINDS = [
  "url",
  "email",
  "token",
  "uuid",
  "path",
  "snake",
  "code",
  "mixed",
  "digits",
  "hash",
  "amount",
  "field",
  "file",
  "host",
] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

export interface Identifier {
  readonly value: string;
  readonly kind: IdentifierKind;
  /** The JSON field or word it stood behind; "" when nothing named it. */
  readonly field: string;
}

/** At most this many of one text; a listing of thousands is not what a later call needs. */
const MAX_IDENTIFIERS = 400;
/** Characters looked at; the rest of a longer text is a file. */
const MAX_LENGTH = 200_000;

/** In the order in which they claim their text; each is bounded, so none backtracks over more than a token. */
const PATTERNS: readonly (readonly [IdentifierKind, RegExp])[] = [
  ["url", /\b(?:https?|wss?|ftp|file|git|ssh):\/\/[^\s"'<>)\]}]{1,2000}/g],
  ["email", /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g],
  // A web token, or any long key.
  ["token", /\beyJ[\w-]{8,4000}(?:\.[\w-]{1,4000}){1,2}|\b(?=[\w-]{0,40}\d)(?=[\w-]{0,60}[A-Za-z])[\w-]{41,4000}={0,2}/g],
  ["uuid", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ["path", /(?<![\w.:/-])(?:~|\.{1,2})?\/[\w.@+-]{1,100}(?:\/[\w.@+-]{1,100}){1,20}/g],
  [
    "host",
    /(?<![\w.:-])(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|localhost:\d{1,5}|[a-z\d-]{1,40}(?:\.[a-z\d-]{1,40}){1,4}:\d{2,5})(?![\w-])/gi,
  ],
  ["path", /(?<![\w./:-])[\w.@+-]{1,100}(?:\/[\w.@+-]{1,100}){1,20}\.[a-z]{1,5}\b/g],
  ["file", /(?<![\w./-])[\w-]{1,80}(?:\.[\w-]{1,20}){0,2}\.(?:[a-z]{2,5}\d?|[chr]|7z|mp[34])\b(?![\w(-])/g],
  ["snake", /\b[a-z]{1,30}(?:_[a-z]{1,30}){0,5}_\d{2,12}\b/gi],
  ["hash", /#[A-Za-z_]{0,12}\d\w{0,20}/g],
  ["amount", /[$€£¥]\s?\d[\d,]{0,12}(?:\.\d{1,2})?/g],
  ["code", /\b(?=[A-Z0-9]{0,11}[A-Z])[A-Z0-9]{6,12}\b/g],
  ["mixed", /\b(?=[A-Za-z]{0,39}\d)(?=\d{0,39}[A-Za-z])[A-Za-z0-9]{6,40}\b/g],
  ["digits", /\b\d{5,20}\b/g],
];
/** A JSON field that says what its value is for. */
const NAMED =
  /"([\w.-]{0,30}(?:id|token|key|code|password|secret|session|number|email|url|path|ref|sku|pin))"\s{0,3}:\s{0,3}"([^"\\\s]{3,4000})"/gi;
const DATE = /^(?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:T|$)/;
const JSON_FIELD = /"([\w .-]{1,40})"\s{0,3}:\s{0,3}(?:\[\s{0,3})?"?$/;
const SPOKEN_FIELD = /([\p{L}_][\p{L}\w-]{1,30})\s{0,2}([=:#]|\bis\b|\bno\.?|\bnumber\b)?[\s"'(]{0,3}$/u;
/** Words that name the value behind them without a sign between: "reservation HX48QR", but not "never touch ledger.csv". */
const NAMES =
  /^(?:order|booking|reservation|confirmation|reference|ref|ticket|invoice|account|case|claim|tracking|flight|user|customer|session|token|key|password|pin|port|host|server|file|folder|path|version|issue|commit|branch|payment|card|certificate|e-?mail|phone|id|code|number|url|link)s?$/i;
const ANY_FIELD = /"([\w .-]{1,40})"\s{0,3}:/g;

/** The JSON field or the word that names what stands at a place of a text; "" when nothing does. */
export function fieldBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 60), at);
  const json = JSON_FIELD.exec(before);
  if (json) return json[1] as string;
  // Inside a list of values: the last field that was opened.
  if (/["\d]\s{0,3},\s{0,3}"?$/.test(before)) {
    const fields = [...text.slice(Math.max(0, at - 400), at).matchAll(ANY_FIELD)];
    const last = fields.at(-1)?.[1];
    if (last) return last;
  }
  const [, word = "", sign] = SPOKEN_FIELD.exec(before) ?? [];
  const isName = sign !== undefined ? (flagsOf(word.toLowerCase()) & FLAG.stop) === 0 : NAMES.test(word);
  return isName ? word : "";
}

/** Whether seeing it again means the same thing is meant: two equal amounts may be two things. */
export const isReference = (identifier: Identifier): boolean => identifier.kind !== "amount";

/** In order of kind, each value once. Linear in the length. */
export function findIdentifiers(text: string): Identifier[] {
  const read = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text;
  const found = new Map<string, Identifier>();
  // A piece of an identifier is none: what an earlier kind claimed is not looked at again.
  const claimed = new Uint8Array(read.length);
  for (const [kind, pattern] of PATTERNS) {
    for (const match of read.matchAll(pattern)) {
      if (found.size >= MAX_IDENTIFIERS) return [...found.values()];
      const value = kind === "url" || kind === "email" || kind === "path" ? match[0].replace(/[.,;:!?]{1,3}$/, "") : match[0];
      if (DATE.test(value) || claimed[match.index] === 1) continue;
      claimed.fill(1, match.index, match.index + value.length);
      if (found.has(value)) continue;
      found.set(value, { value, kind, field: fieldBefore(read, match.index) });
    }
  }
  for (const match of read.matchAll(NAMED)) {
    const [, field = "", value = ""] = match;
    if (found.size >= MAX_IDENTIFIERS) break;
    if (!found.has(value) && !DATE.test(value)) found.set(value, { value, kind: "field", field });
  }
  return [...found.values()];
}

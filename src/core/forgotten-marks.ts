/** What is kept of what was forgotten: keyed hashes, which block its way back through an import and cannot be read.
 *
 * A mark is the first 64 bits of HMAC-SHA-256 under a random key of 256 bits that was made on this device, of a message's id, of
 * its words with the second in which they were said, and, where the words are telling by themselves, of the words alone. So a
 * short "Yes, please." is blocked in its place and nowhere else. Without the key nothing can be told of the words, not even by
 * trying all short ones, which is why a plain hash would not do. The key lies beside the marks: who holds the whole database
 * could test a guess against them, as they could read everything else in it. Both go with `eraseUser`, and into
 * backups, so that what was forgotten stays so on another device. */

import type { Store } from "../ports.js";
import { findIdentifiers } from "../text/identifiers.js";
import { splitSentences } from "../text/sentences.js";
import { termsOf } from "../text/terms.js";
import type { Timestamp } from "../types.js";
import { normalised } from "../write/same.js";
import { pause } from "./pause.js";

/** Of the meta rows that hold marks; each forgetting adds one, so that two tabs never overwrite each other's. */
/** Of the meta rows that hold marks. */
export const MARKS_PREFIX = "forgotten:";
/** Distinct terms from which a text says enough to be known wherever it turns up. */
const TELLING_TERMS = 4;
/** Messages whose hashes are made between two pauses. */
const SLICE = 64;

interface MarkRow {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly marks: BigUint64Array;
}

/** What comes from elsewhere may be anything. */
export function isMarkRow(value: unknown): value is MarkRow {
  const { key, marks } = (value ?? {}) as Partial<MarkRow>;
  return key instanceof Uint8Array && key.length > 0 && marks instanceof BigUint64Array;
}

interface Ring {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly key: CryptoKey;
  readonly marks: Set<bigint>;
}

/** The marks as they were read at one moment. */
interface Known {
  /** Changes with every new mark. */
  readonly state: string;
  readonly rings: readonly Ring[];
}

/** What can be recognised again. */
export interface Markable {
  readonly id?: string;
  readonly text: string;
  readonly at?: Timestamp;
}

export interface ForgottenMarksParts {
  readonly store: Store;
  readonly newId: () => string;
  /** Told where the platform has no WebCrypto (an insecure origin): forgetting works there, and leaves no marks. */
  readonly onMissing: (reason: string) => void;
}

export class ForgottenMarks {
  readonly #parts: ForgottenMarksParts;
  #known: Known = { state: "", rings: [] };

  constructor(parts: ForgottenMarksParts) {
    this.#parts = parts;
  }

  /** Another one whenever marks have come: what was permitted before is to be asked again then. */
  async state(): Promise<string> {
    return (await this.#keys()).join();
  }

  /** Meta rows that leave marks of messages, to be written with the forgetting itself.
   * @param quotes parts of messages that were forgotten for what they say, not for where they stand */
  async rowsFor(
    messages: readonly Markable[],
    quotes: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly meta: Readonly<Record<string, unknown>>; readonly count: number }> {
    const names = [...messages.flatMap(placeNames), ...quotes.flatMap(textNames)];
    if (names.length === 0) return { meta: {}, count: 0 };
    if (!globalThis.crypto?.subtle) {
      this.#parts.onMissing("without WebCrypto nothing marks what was forgotten, so an import may bring it back");
      return { meta: {}, count: 0 };
    }
    const { rings } = await this.#load();
    const ring = rings[0] ?? (await ringOf(crypto.getRandomValues(new Uint8Array(32))));
    const marks = new Set<bigint>();
    for (let from = 0; from < names.length; from += SLICE) {
      for (const mark of await marksOf(ring, names.slice(from, from + SLICE))) if (!ring.marks.has(mark)) marks.add(mark);
      await pause();
      signal?.throwIfAborted();
    }
    if (marks.size === 0) return { meta: {}, count: 0 };
    const row: MarkRow = { key: ring.bytes, marks: BigUint64Array.from(marks) };
    return { meta: { [`${MARKS_PREFIX}${this.#parts.newId()}`]: row }, count: marks.size };
  }

  /** Which of these message ids were forgotten. */
  async forgottenIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    if (ids.length === 0) return found;
    for (const ring of marking(await this.#load())) {
      const marks = await marksOf(ring, ids.map(idName));
      for (const [at, mark] of marks.entries()) if (ring.marks.has(mark)) found.add(ids[at] as string);
    }
    return found;
  }

  /** What may be recorded of messages: each as it is, without forgotten sentences, or undefined. */
  async permitted<M extends Markable>(messages: readonly M[]): Promise<readonly (M | undefined)[]> {
    const rings = marking(await this.#load());
    if (rings.length === 0) return messages;
    const permitted: (M | undefined)[] = [];
    for (const [at, message] of messages.entries()) {
      if (at % SLICE === SLICE - 1) await pause();
      permitted.push(await permittedOf(message, rings));
    }
    return permitted;
  }

  /** Keyed names for messages that have none, the same for the same words: the words cannot be told from them, so that they may
   * outlive them in the journal. Undefined where the platform has no WebCrypto. */
  async namesOf(words: readonly string[]): Promise<readonly string[] | undefined> {
    if (!globalThis.crypto?.subtle) return undefined;
    let [ring] = (await this.#load()).rings;
    if (!ring) {
      const row: MarkRow = { key: crypto.getRandomValues(new Uint8Array(32)), marks: new BigUint64Array() };
      await this.#parts.store.write({ meta: { [`${MARKS_PREFIX}${this.#parts.newId()}`]: row } });
      [ring] = (await this.#load()).rings;
    }
    const marks = await marksOf(
      ring as Ring,
      words.map((one) => `name\n${one}`),
    );
    return marks.map((mark) => mark.toString(16).padStart(16, "0"));
  }

  /** Reads the marks where there are new ones. */
  async #load(): Promise<Known> {
    const { store } = this.#parts;
    const keys = await this.#keys();
    const state = keys.join();
    if (state === this.#known.state) return this.#known;
    const rings = new Map<string, Ring>();
    for (const key of keys) {
      const row = await store.meta<MarkRow>(key);
      if (!row) continue;
      const name = row.key.join();
      const ring = rings.get(name) ?? (await ringOf(row.key.slice()));
      rings.set(name, ring);
      for (const mark of row.marks) ring.marks.add(mark);
    }
    // Two calls may read side by side: each answers by what it has read.
    const known = { state, rings: [...rings.values()] };
    this.#known = known;
    return known;
  }

  async #keys(): Promise<readonly string[]> {
    return (await this.#parts.store.metaKeys()).filter((key) => key.startsWith(MARKS_PREFIX));
  }
}

/** A key alone, made for names, blocks nothing. */
function marking({ rings }: Known): readonly Ring[] {
  return rings.filter(({ marks }) => marks.size > 0);
}

async function permittedOf<M extends Markable>(message: M, rings: readonly Ring[]): Promise<M | undefined> {
  if (await isMarked([...placeNames(message), ...textNames(message.text)], rings)) return undefined;
  const sentences = splitSentences(message.text);
  if (sentences.length < 2) return message;
  let text = message.text;
  for (const sentence of sentences) if (await isMarked(textNames(sentence), rings)) text = without(text, sentence);
  if (text === message.text) return message;
  return text.trim() === "" ? undefined : { ...message, text: text.trim() };
}

async function isMarked(names: readonly string[], rings: readonly Ring[]): Promise<boolean> {
  for (const ring of rings) if ((await marksOf(ring, names)).some((mark) => ring.marks.has(mark))) return true;
  return false;
}

function idName(id: string): string {
  return `id\n${id}`;
}

/** Names of a message where it stands. */
function placeNames({ id, text, at }: Markable): string[] {
  const names = id === undefined ? [] : [idName(id)];
  const words = normalised(text);
  if (at !== undefined && words !== "") names.push(`said\n${Math.floor(at / 1_000)}\n${words}`);
  return names;
}

/** Names of words wherever they stand; none where they say too little. */
function textNames(text: string): string[] {
  return isTelling(text) ? [`text\n${normalised(text)}`] : [];
}

function isTelling(text: string): boolean {
  return new Set(termsOf(text)).size >= TELLING_TERMS || findIdentifiers(text).length > 0;
}

function without(text: string, sentence: string): string {
  const at = text.indexOf(sentence);
  return at < 0 ? text : text.slice(0, at) + text.slice(at + sentence.length);
}

async function ringOf(bytes: Uint8Array<ArrayBuffer>): Promise<Ring> {
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return { bytes, key, marks: new Set() };
}

async function marksOf({ key }: Ring, names: readonly string[]): Promise<bigint[]> {
  const encoder = new TextEncoder();
  const hashes = await Promise.all(names.map((name) => crypto.subtle.sign("HMAC", key, encoder.encode(name))));
  return hashes.map((hash) => new DataView(hash).getBigUint64(0));
}

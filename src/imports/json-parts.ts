/** JSON as a stream: the values inside the large containers of an export one by one, so that no file is held whole. */

import type { ExportPart, Fields } from "./conversation.js";
import { salvaged } from "./salvage.js";

/** What could not be read, in the place of a part. */
export interface JsonDamage {
  readonly path: readonly string[];
  readonly damage: string;
}

/** Characters of one value beyond which it is given up: an unclosed string swallows the rest of a file. */
const MAX_VALUE = 64 * 1024 * 1024;

/** The containers that are gone into, in whichever format; everything else is one value. */
const OPENED: readonly RegExp[] = [
  /^$/,
  /^\/(?:conversations|messages|chats|left_chats)$/,
  /^\/(?:chats|left_chats)\/list(?:\/#(?:\/messages)?)?$/,
];

function isOpened(path: readonly string[]): boolean {
  const joined = path.map((key) => `/${key}`).join("");
  return OPENED.some((pattern) => pattern.test(joined));
}

interface Container {
  readonly isArray: boolean;
  readonly path: readonly string[];
  /** Members that are no opened containers. */
  readonly members: Record<string, unknown>;
  key: string | undefined;
  /** Keys of the last member of this array that could be read, by which others are found in what is damaged. */
  firstKey: string | undefined;
  /** Damage may have swallowed its end, which is then not told as another. */
  isDamaged: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Reads one JSON value or several in a row. An opened object is a part of its own when it ends, with its other members. */
export async function* jsonParts(chunks: AsyncIterable<string>): AsyncGenerator<ExportPart | JsonDamage> {
  const scanner = new Scanner();
  for await (const chunk of chunks) yield* scanner.read(chunk);
  yield* scanner.end();
}

class Scanner {
  readonly #stack: Container[] = [];
  /** Of the value that is being read; -1 between values. */
  #depth = -1;
  #inString = false;
  #escaped = false;
  #pieces: string[] = [];
  #length = 0;
  #document = -1;

  *read(chunk: string): Generator<ExportPart | JsonDamage> {
    let from = this.#depth >= 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        // No string holds a line break: this one was never closed, and the next line is outside of it.
        else if (code === QUOTE || code === 10) this.#inString = false;
        if (this.#inString || this.#depth !== 0) continue;
        // A string by itself ends here; so does a key, which is read as one.
        yield* this.#value(chunk.slice(Math.max(from, 0), at + 1));
        from = -1;
        continue;
      }
      if (this.#depth >= 0) {
        const isEnd = this.#step(code);
        if (isEnd === "no") continue;
        // A number or word ends before the mark after it.
        const end = isEnd === "after" ? at + 1 : at;
        yield* this.#value(chunk.slice(Math.max(from, 0), end));
        from = -1;
        if (isEnd === "after") continue;
      }
      const began = yield* this.#between(code);
      if (began) from = at;
    }
    if (this.#depth >= 0) yield* this.#keep(chunk.slice(Math.max(from, 0)));
  }

  *end(): Generator<ExportPart | JsonDamage> {
    if (this.#depth >= 0) {
      if (this.#depth === 0 && !this.#inString) yield* this.#value("");
      else yield* this.#salvage(this.#text(""), "the file ends in the middle of it");
    } else if (this.#stack.length > 0 && !this.#stack.some(({ isDamaged }) => isDamaged))
      yield { path: this.#path(), damage: "the file ends before its end" };
    while (this.#stack.length > 0) yield* this.#close();
  }

  /** A character inside a value, outside of strings; whether the value ends with it or before it. */
  #step(code: number): "no" | "after" | "before" {
    if (code === QUOTE) this.#inString = true;
    else if (code === 123 || code === 91) this.#depth++;
    else if (code === 125 || code === 93) {
      if (this.#depth === 0) return "before";
      if (--this.#depth === 0) return "after";
    } else if (this.#depth === 0 && (code === 44 || code === 58 || code <= 32)) return "before";
    return "no";
  }

  /** A character between values.
   * @returns whether a value begins with it that is read whole */
  *#between(code: number): Generator<ExportPart | JsonDamage, boolean> {
    if (code <= 32 || code === 44 || code === 58 || code === 0xfeff) return false;
    if (code === 125 || code === 93) {
      yield* this.#close();
      return false;
    }
    if (this.#stack.length === 0) this.#document++;
    const container = this.#stack.at(-1);
    const isContainer = code === 123 || code === 91;
    const path = this.#path();
    if (isContainer && (!container || container.isArray || container.key !== undefined) && isOpened(path)) {
      this.#stack.push({ isArray: code === 91, path, members: {}, key: undefined, firstKey: undefined, isDamaged: false });
      return false;
    }
    this.#depth = isContainer ? 1 : 0;
    this.#inString = code === QUOTE;
    return true;
  }

  /** Path of what comes next. */
  #path(): string[] {
    const container = this.#stack.at(-1);
    if (!container) return [];
    return [...container.path, container.isArray ? "#" : (container.key ?? "?")];
  }

  *#close(): Generator<ExportPart | JsonDamage> {
    const container = this.#stack.pop();
    if (!container) {
      yield { path: [], damage: "a bracket that closes nothing" };
      return;
    }
    const parent = this.#stack.at(-1);
    if (parent) parent.key = undefined;
    if (!container.isArray) yield { ...this.#part(container.path, container.members), isRest: true };
  }

  *#keep(piece: string): Generator<ExportPart | JsonDamage> {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > MAX_VALUE) yield* this.#salvage(this.#text(""), `it is longer than ${MAX_VALUE} characters`);
  }

  #text(last: string): string {
    const text = this.#pieces.join("") + last;
    this.#pieces = [];
    this.#length = 0;
    this.#depth = -1;
    this.#inString = false;
    this.#escaped = false;
    return text;
  }

  *#value(last: string): Generator<ExportPart | JsonDamage> {
    const text = this.#text(last);
    const container = this.#stack.at(-1);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (container && !container.isArray && container.key === undefined) container.key = text;
      else yield* this.#salvage(text, error instanceof Error ? error.message : String(error));
      return;
    }
    if (!container) yield this.#part([], value);
    else if (container.isArray) {
      container.firstKey = firstKeyOf(value) ?? container.firstKey;
      yield this.#part(this.#path(), value);
    } else if (container.key === undefined) container.key = String(value);
    else {
      // Not by assignment, which takes "__proto__" for no key of the file.
      Object.defineProperty(container.members, container.key, { value, enumerable: true, writable: true, configurable: true });
      container.key = undefined;
    }
  }

  /** What can be read of a damaged member: a missing quote runs members together, and each may be whole. */
  *#salvage(text: string, reason: string): Generator<ExportPart | JsonDamage> {
    const container = this.#stack.at(-1);
    const path = this.#path();
    if (container) container.isDamaged = true;
    if (container && !container.isArray) container.key = undefined;
    const firstKey = container?.isArray ? (container.firstKey ?? /^\{\s*"([^"\\]*)"\s*:/.exec(text)?.[1]) : undefined;
    for (const found of salvaged(text, firstKey)) yield found === undefined ? { path, damage: reason } : this.#part(path, found);
  }

  #part(path: readonly string[], value: unknown): ExportPart {
    const around: Fields[] = this.#stack.filter(({ isArray }) => !isArray).map(({ members }) => members);
    return { path, value, around, document: this.#document };
  }
}

function firstKeyOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value)[0] : undefined;
}

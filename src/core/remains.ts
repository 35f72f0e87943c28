/** The proof of a forgetting: a scan of everything stored for the words that should be gone. */

import type { Store } from "../ports.js";
import type { EntryId, TurnId } from "../types.js";
import { pause } from "./pause.js";

/** Rows between two pauses. */
const PAGE = 500;
const JOURNAL = "journal";
/** Characters by which a quote is looked up before it is compared. */
const SEED = 12;

export interface Forgettable {
  readonly entryIds: readonly EntryId[];
  readonly turnIds: readonly TurnId[];
  /** What the forgotten entries were said with. */
  readonly quotes: readonly string[];
}

export interface Remains {
  readonly rows: number;
  readonly tables: readonly string[];
  readonly remaining: number;
  readonly remainingIn: Readonly<Record<string, number>>;
}

/** Looks through every row of every table for one that is, or names, one of those that should be gone, or still holds one of
 * the quotes. The journal alone may name them: it tells other tabs what to remove, and holds no words. */
export async function findRemains(
  store: Store,
  { entryIds, turnIds, quotes }: Forgettable,
  signal?: AbortSignal,
): Promise<Remains> {
  const finder = new QuoteFinder(quotes);
  const gone = new Set<string>([...entryIds, ...turnIds]);
  const tables = new Set<string>();
  const remainingIn: Record<string, number> = {};
  let rows = 0;
  for await (const { table, strings } of store.scan()) {
    tables.add(table);
    if (++rows % PAGE === 0) {
      await pause();
      signal?.throwIfAborted();
    }
    const names = table !== JOURNAL && strings.some((text) => gone.has(text));
    if (names || strings.some((text) => finder.isIn(text))) remainingIn[table] = (remainingIn[table] ?? 0) + 1;
  }
  const remaining = Object.values(remainingIn).reduce((sum, count) => sum + count, 0);
  return { rows, tables: [...tables].sort(), remaining, remainingIn };
}

/** Finds any of many quotes in a text, in time that does not grow with their number. Spacing aside, character for
 * character, and not inside a longer word. */
export class QuoteFinder {
  /** By the length of the seed, then by the seed. */
  readonly #seeds = new Map<number, Map<string, string[]>>();

  constructor(quotes: Iterable<string>) {
    for (const quote of new Set([...quotes].map(spaced))) {
      if (quote === "") continue;
      const seed = quote.slice(0, SEED);
      const alike = this.#seeds.get(seed.length) ?? new Map<string, string[]>();
      this.#seeds.set(seed.length, alike.set(seed, [...(alike.get(seed) ?? []), quote]));
    }
  }

  isIn(text: string): boolean {
    if (this.#seeds.size === 0) return false;
    const where = spaced(text);
    for (let at = 0; at < where.length; at++) {
      if (isInsideWord(where, at)) continue;
      for (const [length, alike] of this.#seeds)
        for (const quote of alike.get(where.slice(at, at + length)) ?? [])
          if (where.startsWith(quote, at) && !isInsideWord(where, at + quote.length)) return true;
    }
    return false;
  }
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

/** Whether letters or digits stand on both sides of a position; scripts without spaces have no such places. */
function isInsideWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && isLetter(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at));
}

function isLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || (code >= 0xc0 && code < 0x590)
  );
}

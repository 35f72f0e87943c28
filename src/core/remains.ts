/** The proof of a forgetting: a scan of everything stored for the words that should be gone. */

import type { Store } from "../ports.js";
import type { Entry, EntryId, TurnId } from "../types.js";
import { pause } from "./pause.js";

const PAGE = 500;
/** Characters by which a quote is looked up before it is compared. */
const SEED = 12;

export interface Forgettable {
  readonly entryIds: readonly EntryId[];
  readonly turnIds: readonly TurnId[];
  /** What the forgotten entries were said with. */
  readonly quotes: readonly string[];
}

/** Rows of the store, entries and turns, that are one of those that should be gone or still hold one of the quotes. */
export async function countRemains(
  store: Store,
  { entryIds, turnIds, quotes }: Forgettable,
  signal?: AbortSignal,
): Promise<number> {
  const finder = new QuoteFinder(quotes);
  const entries = new Set(entryIds);
  const turns = new Set(turnIds);
  let count = 0;
  for (let after: EntryId | undefined; ; ) {
    const page = await store.listEntries({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const entry of page) if (entries.has(entry.id) || textsOf(entry).some((text) => finder.isIn(text))) count++;
    after = page.at(-1)?.id;
    if (page.length < PAGE || after === undefined) break;
    await pause();
    signal?.throwIfAborted();
  }
  for (let after = -1; ; ) {
    const page = await store.listTurns({ limit: PAGE, after });
    for (const turn of page) if (turns.has(turn.id) || finder.isIn(turn.text)) count++;
    after = page.at(-1)?.sequence ?? after;
    if (page.length < PAGE) return count;
    await pause();
    signal?.throwIfAborted();
  }
}

function textsOf({ text, indexText, context, sources }: Entry): string[] {
  return [text, indexText, context?.previous ?? "", context?.next ?? "", ...sources.map(({ quote }) => quote)];
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

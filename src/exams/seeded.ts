/** Chance that can be repeated: the same seed gives the same exam. */

import type { Random } from "../ports.js";

/** Mulberry32. @param seed any integer */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed of its own for each model, so that no exam is known beforehand. */
export function seedOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash | 0;
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}

/** Deals words without repeating one before all have come. */
export class Deck {
  readonly #items: readonly string[];
  readonly #random: Random;
  #left: string[] = [];

  constructor(items: readonly string[], random: Random) {
    this.#items = items;
    this.#random = random;
  }

  next(): string {
    if (this.#left.length === 0) this.#left = shuffled(this.#items, this.#random);
    return this.#left.pop() as string;
  }
}

/** Fills "{place}" from `values`, or with the next word of that deck: the same word wherever it stands in these templates. */
export function filler(decks: Readonly<Record<string, Deck>>, values: Readonly<Record<string, string>> = {}) {
  const known = new Map(Object.entries(values));
  return (template: string): string =>
    template.replace(/\{(\w+)\}/g, (_, slot: string) => {
      let value = known.get(slot);
      if (value === undefined) {
        // "{place2}" is another place.
        value = decks[slot.replace(/\d+$/, "")]?.next() ?? slot;
        known.set(slot, value);
      }
      return value;
    });
}

/** Units at hand, and those of them that stay or go together. */

import type { Identifier } from "./identifiers.js";
import type { Unit } from "./unit.js";

/** A unit at hand. */
export interface Held<U extends Unit> {
  readonly unit: U;
  /** Position among all units ever pushed. */
  readonly at: number;
  readonly tokens: number;
  readonly score: number;
  /** Probability a token on arrival: the order in which streaming lets go. */
  readonly density: number;
  readonly identifiers: readonly Identifier[];
  readonly pinned: boolean;
}

/** A unit with those that are joined to it. */
export interface Bundle {
  /** Where it begins among the units at hand. */
  readonly from: number;
  /** Where the next begins. */
  readonly to: number;
  /** Of all of it. */
  readonly tokens: number;
  /** Position of its last unit among all units ever pushed. */
  readonly last: number;
}

type Piece = Pick<Held<Unit>, "unit" | "at" | "tokens">;

/** In order; O(units at hand). */
export function bundlesOf(held: readonly Piece[]): Bundle[] {
  const bundles: Bundle[] = [];
  for (let from = 0; from < held.length; ) {
    let to = from + 1;
    let { tokens } = held[from] as Piece;
    for (; held[to]?.unit.isJoined; to++) tokens += (held[to] as Piece).tokens;
    bundles.push({ from, to, tokens, last: (held[to - 1] as Piece).at });
    from = to;
  }
  return bundles;
}

/** What all of a bundle's units hold. */
export const identifiersOfAll = <U extends Unit>(held: readonly Held<U>[], { from, to }: Bundle): readonly Identifier[] =>
  to - from === 1 ? (held[from] as Held<U>).identifiers : held.slice(from, to).flatMap(({ identifiers }) => identifiers);

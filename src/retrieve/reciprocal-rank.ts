/** The paper's own coarse search: every query of the plan brings 2K/n candidates, dense and lexical ranks fused by reciprocal rank.
 *
 * Kept to reproduce the paper; score fusion finds a quarter more (`coarse.ts`). */

import type { Mask } from "../ports.js";
import { termsOf } from "../text/terms.js";
import type { Indexes } from "./coarse.js";
import { topSlots } from "./ranking.js";

/** The usual constant of reciprocal rank fusion (Cormack et al., 2009). */
const RANK_CONSTANT = 60;
const DEPTH = 100;

export interface RankedQuery {
  readonly text: string;
  readonly vector?: Float32Array;
  /** Share of the candidates, 0 to 1. */
  readonly share: number;
}

/** @param count candidates of all queries together, the paper's 2K
 * @returns slots with their fused scores, best first */
export function searchByRank(
  indexes: Indexes,
  queries: readonly RankedQuery[],
  count: number,
  mask: Mask,
): { readonly slot: number; readonly score: number }[] {
  const best = new Map<number, number>();
  for (const query of queries) {
    const fused = new Float64Array(mask.length);
    const addRanks = (slots: readonly number[]): void => {
      slots.forEach((slot, rank) => {
        fused[slot] = (fused[slot] as number) + 1 / (RANK_CONSTANT + rank + 1);
      });
    };
    if (query.vector) addRanks(indexes.vector.search(query.vector, DEPTH, mask).map((hit) => hit.slot));
    const lexical = indexes.lexical.scoreAll(new Map(termsOf(query.text).map((term) => [term, 1])), mask);
    addRanks(topSlots(lexical, DEPTH, mask).filter((slot) => (lexical[slot] as number) > 0));
    for (const slot of topSlots(fused, Math.max(1, Math.round(count * query.share)), mask)) {
      const score = fused[slot] as number;
      if (score > 0) best.set(slot, Math.max(score, best.get(slot) ?? 0));
    }
  }
  return [...best].map(([slot, score]) => ({ slot, score })).sort((a, b) => b.score - a.score || a.slot - b.slot);
}

/** Candidates that a plan's other queries bring beside the user's own words: a plan can add, it can never hide. */

import type { Mask } from "../ports.js";
import { termsOf } from "../text/terms.js";
import { COARSE_WEIGHTS, type Indexes } from "./coarse.js";
import { addScaled, topSlots } from "./ranking.js";
import type { RankedQuery } from "./reciprocal-rank.js";

/** The best slots of each query by dense and lexical score alone, share × count of each. */
export function extraCandidates(indexes: Indexes, queries: readonly RankedQuery[], count: number, mask: Mask): number[] {
  const slots = new Set<number>();
  for (const query of queries) {
    const scores = new Float64Array(mask.length);
    addScaled(
      scores,
      indexes.lexical.scoreAll(new Map(termsOf(query.text).map((term) => [term, 1])), mask),
      COARSE_WEIGHTS.lexical,
      mask,
    );
    if (query.vector) {
      if (indexes.vector.scoreAll)
        addScaled(scores, indexes.vector.scoreAll(query.vector, mask).best, 1 - COARSE_WEIGHTS.lexical, mask);
      else
        for (const hit of indexes.vector.search(query.vector, count, mask))
          scores[hit.slot] = (scores[hit.slot] as number) + hit.score;
    }
    for (const slot of topSlots(scores, Math.max(1, Math.round(count * query.share)), mask))
      if ((scores[slot] as number) > 0) slots.add(slot);
  }
  return [...slots];
}

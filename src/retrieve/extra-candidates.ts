/** Candidates that a plan's other queries bring beside the user's own words: a plan can add, it can never hide. */

import type { Mask } from "../ports.js";
import { termsOf } from "../text/terms.js";
import { COARSE_WEIGHTS, type Indexes } from "./coarse.js";
import type { LinkedEntries } from "./linked.js";
import { addScaled, topSlots } from "./ranking.js";

export interface ExtraQuery {
  readonly text: string;
  readonly vector?: Float32Array;
  /** Share of the candidates, 0 to 1. */
  readonly share: number;
  /** "ltm": from the graph, and from the memories where the graph knows nothing; "both": half from each. */
  readonly route: "mtm" | "ltm" | "both";
  /** What the graph leads to from it. */
  readonly linked?: LinkedEntries;
}

/** The best slots of each query by dense and lexical score alone or by the graph, share × count of each. */
export function extraCandidates(indexes: Indexes, queries: readonly ExtraQuery[], count: number, mask: Mask): number[] {
  const slots = new Set<number>();
  for (const query of queries) {
    const wanted = Math.max(1, Math.round(count * query.share));
    const known = linkedSlots(indexes, query, query.route === "ltm" ? wanted : wanted >> 1, mask);
    for (const slot of known) slots.add(slot);
    const left = query.route === "ltm" && known.length > 0 ? 0 : wanted - known.length;
    if (left === 0) continue;
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
    for (const slot of topSlots(scores, left, mask)) if ((scores[slot] as number) > 0) slots.add(slot);
  }
  return [...slots];
}

function linkedSlots({ table }: Indexes, { linked, route }: ExtraQuery, count: number, mask: Mask): number[] {
  if (!linked || route === "mtm") return [];
  return [...linked]
    .map(([id, { weight }]) => ({ slot: table.slotOf(id) ?? -1, weight }))
    .filter(({ slot }) => mask[slot] === 1)
    .sort((a, b) => b.weight - a.weight || a.slot - b.slot)
    .slice(0, count)
    .map(({ slot }) => slot);
}

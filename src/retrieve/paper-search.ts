/** Plan "paper": the candidates of LightMem's coarse search, an equal share for each query of the plan (§5.1). */

import type { Candidate, Mask } from "../ports.js";
import type { Plan } from "../types.js";
import type { Indexes } from "./coarse.js";
import type { QueryVectors } from "./query-vectors.js";
import { searchByRank } from "./reciprocal-rank.js";

/** @param count candidates of all queries together, the paper's 2K */
export function searchPaper(indexes: Indexes, plan: Plan, vectors: QueryVectors, count: number, mask: Mask): Candidate[] {
  const queries = plan.queries.map((query, index) => {
    const vector = vectors.each[index];
    return { text: query.text, share: 1 / plan.queries.length, ...(vector ? { vector } : {}) };
  });
  return searchByRank(indexes, queries, count, mask).flatMap(({ slot, score }) => {
    const entry = indexes.table.entry(slot);
    return entry ? [{ entry, score, features: { score } }] : [];
  });
}

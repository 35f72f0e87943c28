/** The embeddings of a plan's queries. */

import type { CallOptions, Embedder } from "../ports.js";
import type { Plan, PlannedQuery, QueryPurpose } from "../types.js";

/** Queries that are the user's own words in another form, and so take part in the scoring; all others only add candidates. */
const OWN_FORMS: ReadonlySet<QueryPurpose> = new Set(["own-words", "first-person", "resolved"]);

/** A question is read at both ends: what is pasted in the middle says little of what is asked. */
const END_LENGTH = 1_000;

export const isOwnForm = (query: PlannedQuery): boolean => OWN_FORMS.has(query.purpose);

/** At most 2,000 characters of a question, from its start and its end. */
export function readable(text: string): string {
  return text.length <= 2 * END_LENGTH ? text : `${text.slice(0, END_LENGTH)}\n${text.slice(-END_LENGTH)}`;
}

export interface QueryVectors {
  /** Mean over own words and their other forms, not normalised again: its dot product is the mean of their cosines.
   * Absent when none of them has a vector. */
  readonly own?: Float32Array;
  /** Per query of the plan; absent for a text without a vector, such as one of emoji only. */
  readonly each: readonly (Float32Array | undefined)[];
}

/** @throws what the embedder throws */
export async function embedQueries(plan: Plan, embedder: Embedder, options: CallOptions): Promise<QueryVectors> {
  const { dimension } = embedder;
  const rows = await embedder.embed(
    plan.queries.map((query) => query.text),
    options,
  );
  const each = plan.queries.map((_, index) => {
    const row = rows.slice(index * dimension, (index + 1) * dimension);
    return row.some((value) => value !== 0) ? row : undefined;
  });
  const own = each.filter((row, index) => row !== undefined && isOwnForm(plan.queries[index] as PlannedQuery)) as Float32Array[];
  if (own.length === 0) return { each };
  const mean = new Float32Array(dimension);
  for (const row of own) for (let d = 0; d < dimension; d++) mean[d] = (mean[d] as number) + (row[d] as number) / own.length;
  return { own: mean, each };
}

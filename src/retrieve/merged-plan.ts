/** A model's plan beside the rules': what it adds, and what it may not change. */

import type { Plan, PlannedQuery } from "../types.js";
import { MAX_QUERIES, OWN_WORDS_SHARE } from "./controller.js";
import { isOwnForm } from "./query-vectors.js";

/** The model's queries beside lite's own forms, so that no model can blind the search: own words keep half of the candidates and all of
 * the scoring, and the others share the rest as their plans say. Its other findings count where lite has none. */
export function mergePlans(lite: Plan, { queries, windows, kinds, budget }: Plan): Plan {
  const own = lite.queries.filter(isOwnForm);
  // A model's "own words" or "resolved" are its words, and its words do no scoring.
  const added = queries
    .filter((query) => own.every((other) => other.text !== query.text))
    .map((query) => (isOwnForm(query) ? { ...query, purpose: "hypothetical" as const } : query));
  return {
    ...lite,
    queries: shared([...own, ...added].slice(0, MAX_QUERIES)),
    windows: lite.windows.length > 0 ? lite.windows : windows,
    ...(kinds && { kinds }),
    ...(budget !== undefined && { budget }),
  };
}

function shared([own, ...others]: readonly PlannedQuery[]): PlannedQuery[] {
  if (!own) return [];
  const sum = others.reduce((total, { share }) => total + share, 0);
  if (!(sum > 0)) return [{ ...own, share: 1 }];
  const rest = 1 - OWN_WORDS_SHARE;
  return [{ ...own, share: OWN_WORDS_SHARE }, ...others.map((query) => ({ ...query, share: (rest * query.share) / sum }))];
}

/** Pseudo-relevance feedback: the words that the best entries share say what else the answer may be called. */

import type { LexicalIndex } from "../ports.js";
import { termsOf } from "../text/terms.js";

const TERMS_READ = 60;
/** Characters that hold so many terms. */
const LENGTH_READ = 1_200;
const TERMS_KEPT = 8;
const WEIGHT = 0.15;

/** Terms of the given texts with the highest (texts that hold it × idf), weighted .15.
 * @param texts of the best entries, three as measured */
export function feedbackTerms(texts: readonly string[], lexical: LexicalIndex): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const term of new Set(termsOf(text.slice(0, LENGTH_READ)).slice(0, TERMS_READ)))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const weighted = [...counts].map(([term, count]) => [term, count * lexical.idf(term)] as const);
  weighted.sort(([termA, a], [termB, b]) => b - a || (termA < termB ? -1 : 1));
  return new Map(weighted.slice(0, TERMS_KEPT).map(([term]) => [term, WEIGHT]));
}

/** The best entries of a coarse search as candidates, with the features that a selector reads. */

import type { Candidate, LexicalIndex } from "../ports.js";
import type { Plan } from "../types.js";
import { answers, statesInFirstPerson } from "./answer-types.js";
import { type CoarseQuery, type CoarseScores, type Indexes, queryTerms } from "./coarse.js";
import { highest, topSlots } from "./ranking.js";

/** What of the question's weight of words an entry holds itself: Σ idf of shared terms / Σ idf, 0 to 1 over slots. */
function coverageOf(plan: Plan, lexical: LexicalIndex, slotLimit: number): Float32Array {
  const coverage = new Float32Array(slotLimit);
  const terms = [...queryTerms(plan).keys()];
  const sum = terms.reduce((total, term) => total + lexical.idf(term), 0);
  for (const term of terms) {
    const share = lexical.idf(term) / sum;
    for (const slot of lexical.postings(term)) coverage[slot] = (coverage[slot] as number) + share;
  }
  return coverage;
}

/** The best candidates, with the features that a selector reads. */
export function gatherCandidates(
  indexes: Indexes,
  query: CoarseQuery,
  scores: CoarseScores,
  extraSlots: readonly number[] = [],
): Candidate[] {
  const { table, lexical } = indexes;
  const { plan, mask } = query;
  const slots = topSlots(scores.total, query.poolSize, mask);
  for (const slot of extraSlots) if (!slots.includes(slot)) slots.push(slot);
  const bestWhole = scores.dense ? highest(scores.dense.whole, mask) : 0;
  const bestSentence = scores.dense ? highest(scores.dense.best, mask) : 0;
  const subject = plan.subject === undefined ? undefined : table.nameNumber(plan.subject);
  const typed = plan.answerType !== "what";
  const coverage = coverageOf(plan, lexical, mask.length);
  const finite = (value: number | undefined, otherwise: number): number =>
    value !== undefined && Number.isFinite(value) ? value : otherwise;
  return slots.flatMap((slot) => {
    const entry = table.entry(slot);
    if (!entry) return [];
    const whole = finite(scores.dense?.whole[slot], 0);
    const sentence = finite(scores.dense?.best[slot], 0);
    const isSubject = subject !== undefined && (table.speaker[slot] === subject || table.subject[slot] === subject);
    const matches = typed && answers(plan.answerType, entry);
    const score = finite(scores.total[slot], 0);
    return {
      entry,
      score,
      features: {
        score,
        sentenceGap: sentence - bestSentence,
        wholeGap: whole - bestWhole,
        isSubject: isSubject ? 1 : 0,
        isOther: subject !== undefined && !isSubject ? 1 : 0,
        typeMatches: matches ? 1 : 0,
        typeMisses: typed && !matches ? 1 : 0,
        assistant: table.assistant[slot] as number,
        firstPerson: statesInFirstPerson(entry) ? 1 : 0,
        whole,
        sentence,
        lexical: finite(scores.lexical[slot], 0),
        coverage: coverage[slot] as number,
        time: finite(scores.time?.[slot], 0),
      },
    };
  });
}

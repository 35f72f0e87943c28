/** The best entries of a coarse search as candidates, with the features that a selector reads. */

import type { Candidate } from "../ports.js";
import { answers, statesInFirstPerson } from "./answer-types.js";
import type { CoarseQuery, CoarseScores, Indexes } from "./coarse.js";
import { highest, topSlots } from "./ranking.js";

/** The best candidates, with the features that a selector reads. */
export function gatherCandidates(
  indexes: Indexes,
  query: CoarseQuery,
  scores: CoarseScores,
  extraSlots: readonly number[] = [],
): Candidate[] {
  const { table } = indexes;
  const { plan, mask } = query;
  const slots = topSlots(scores.total, query.poolSize, mask);
  for (const slot of extraSlots) if (!slots.includes(slot)) slots.push(slot);
  const bestWhole = scores.dense ? highest(scores.dense.whole, mask) : 0;
  const bestSentence = scores.dense ? highest(scores.dense.best, mask) : 0;
  const subject = plan.subject === undefined ? undefined : table.nameNumber(plan.subject);
  const typed = plan.answerType !== "what";
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
        coverage: scores.coverage[slot] as number,
        time: finite(scores.time?.[slot], 0),
      },
    };
  });
}

/** Puts the newer of two values first when a question asks how things are now.
 *
 * Measured on 30 knowledge updates of LongMemEval: the newest value comes before the old one in .90, without the rule in .63; both stay
 * in the ten. Only questions about the present are touched: on all questions the rule costs LoCoMo .055 of reciprocal rank. */

import type { Candidate, Selected } from "../ports.js";
import type { Plan } from "../types.js";
import { answers } from "./answer-types.js";
import { speakerOf } from "./entry-table.js";

const ITEMS_READ = 10;
/** Best cosine of two of their sentences from which two memories speak of one thing. */
const MIN_COSINE = 0.6;
/** Both must be about as good as the best: within 3 logits of the lite selector, which are 3.35 of its probability's log-odds. */
const MAX_LOG_ODDS = 3.35;

const logOdds = (probability: number): number => Math.log(Math.max(probability, 1e-9) / Math.max(1 - probability, 1e-9));

/** Best cosine of two entries' rows; the first row, the whole text, counts only for an entry without sentences. */
function bestCosine(a: Float32Array, b: Float32Array, dimension: number): number {
  const first = (rows: Float32Array): number => (rows.length > dimension ? dimension : 0);
  let best = -1;
  for (let i = first(a); i < a.length; i += dimension) {
    for (let j = first(b); j < b.length; j += dimension) {
      let sum = 0;
      for (let d = 0; d < dimension; d++) sum += (a[i + d] as number) * (b[j + d] as number);
      if (sum > best) best = sum;
    }
  }
  return best;
}

/** @param selected best first
 * @param rowsOf an entry's vectors, flat
 * @returns the same selection, the newer of two alike in the older's place and the older right after it */
export function putNewestFirst(
  plan: Plan,
  candidates: readonly Candidate[],
  selected: readonly Selected[],
  dimension: number,
  rowsOf: (candidate: Candidate) => Float32Array | undefined,
): readonly Selected[] {
  if (!plan.asksPresent || selected.length < 2) return selected;
  const floor = logOdds(selected[0]?.score ?? 0) - MAX_LOG_ODDS;
  const order = selected.map((choice) => {
    const candidate = candidates[choice.index] as Candidate;
    return { choice, candidate, rows: undefined as Float32Array | undefined };
  });
  const eligible = order.slice(0, ITEMS_READ).filter(({ choice, candidate }) => {
    const stated = candidate.entry.sources[0]?.role !== "assistant";
    return stated && logOdds(choice.score) >= floor && (plan.answerType === "what" || answers(plan.answerType, candidate.entry));
  });
  for (const item of eligible) item.rows = rowsOf(item.candidate);
  // Oldest first, so that of three values the newest ends up on top.
  for (const older of [...eligible].sort((a, b) => a.candidate.entry.saidAt - b.candidate.entry.saidAt)) {
    const newer = eligible.filter(
      ({ candidate, rows }) =>
        candidate.entry.saidAt > older.candidate.entry.saidAt &&
        candidate.entry.sessionId !== older.candidate.entry.sessionId &&
        speakerOf(candidate.entry) === speakerOf(older.candidate.entry) &&
        rows !== undefined &&
        older.rows !== undefined &&
        bestCosine(rows, older.rows, dimension) >= MIN_COSINE,
    );
    if (newer.length === 0) continue;
    const place = order.indexOf(older);
    const best = Math.min(...newer.map((item) => order.indexOf(item)));
    if (best < place) continue;
    const [moved] = order.splice(best, 1);
    if (moved) order.splice(place, 0, moved);
  }
  // Scores stay with the places: best first is what a reader relies on.
  return order.map(({ choice }, place) => ({ index: choice.index, score: selected[place]?.score ?? choice.score }));
}

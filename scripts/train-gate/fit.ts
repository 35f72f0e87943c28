/** Fits the sentence gate where only turns are labelled: of an evidence turn one sentence at least is worth keeping. */

import { fitLogistic, type Logistic, logit, type TrainingRows } from "../../src/lre/logistic.js";
import type { GateTurn } from "./rows.js";

/** Refits with the best sentence of each evidence turn as the positive. */
const ROUNDS = 4;

export interface GateFitOptions {
  /** Turns to learn from. */
  readonly turns: readonly GateTurn[];
  readonly use: readonly number[];
  readonly l2: number;
  readonly scale?: { readonly mean: Float64Array; readonly deviation: Float64Array };
}

/** Multiple-instance logistic regression with balanced classes: all sentences of an evidence turn are positive at first; then the
 * best-scoring one is, and its siblings are left out. Deterministic. */
export function fitGate(data: TrainingRows, { turns, use, l2, scale }: GateFitOptions): Logistic {
  const labels = new Float32Array(data.rows);
  const weights = new Float32Array(data.rows);
  const rows = turns.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));
  for (const { isEvidence, from, to } of turns) labels.fill(isEvidence ? 1 : 0, from, to);
  let subset = rows;
  let fitted = fitBalanced();
  for (let round = 0; round < ROUNDS; round++) {
    const left = new Set<number>();
    for (const { isEvidence, from, to } of turns) {
      if (!isEvidence) continue;
      let best = from;
      for (let row = from; row < to; row++) {
        left.add(row);
        if (scoreOf(fitted, data, row) > scoreOf(fitted, data, best)) best = row;
      }
      left.delete(best);
    }
    subset = rows.filter((row) => !left.has(row));
    fitted = fitBalanced();
  }
  return fitted;

  function fitBalanced(): Logistic {
    const positives = subset.reduce((sum, row) => sum + (labels[row] as number), 0);
    for (const row of subset) weights[row] = subset.length / (2 * (labels[row] === 1 ? positives : subset.length - positives));
    return fitLogistic(data, { labels, weights, subset, use, l2, ...(scale && { scale }) });
  }
}

export const scoreOf = (fitted: Logistic, { dense, columns }: TrainingRows, row: number): number =>
  logit(fitted, dense, row * columns);

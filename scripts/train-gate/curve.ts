/** Evidence turns kept against sentences stored, by gates that did not learn from what they are tried on. */

import type { Folds } from "../../eval/lre/folds.js";
import type { Logistic } from "../../src/lre/logistic.js";
import { scoreOf } from "./fit.js";
import type { GateRows } from "./rows.js";

export const SHARES = [0.1, 0.15, 0.2, 0.3, 0.4] as const;

export interface CurvePoint {
  /** Of all sentences. */
  readonly share: number;
  /** Of evidence turns, those with a stored sentence. */
  readonly recall: number;
  /** Of all turns, those with a stored sentence. */
  readonly turns: number;
  /** By evidence turn, 1 or 0. */
  readonly kept: readonly number[];
}

export function gateCurve({ store, turns }: GateRows, folds: Folds, gates: readonly Logistic[]): CurvePoint[] {
  const scores = new Float64Array(store.rows);
  for (const { dialogue, from, to } of turns) {
    const gate = gates[folds.of[dialogue] as number] as Logistic;
    for (let row = from; row < to; row++) scores[row] = scoreOf(gate, store.data, row);
  }
  const sorted = scores.slice().sort().reverse();
  const best = turns.map(({ from, to }) => scores.subarray(from, to).reduce((most, score) => Math.max(most, score)));
  return SHARES.map((share) => {
    const least = sorted[Math.floor(share * sorted.length)] as number;
    const kept = turns.flatMap(({ isEvidence }, i) => (isEvidence ? [(best[i] as number) >= least ? 1 : 0] : []));
    return {
      share,
      recall: kept.reduce<number>((sum, one) => sum + one, 0) / kept.length,
      turns: best.filter((score) => score >= least).length / best.length,
      kept,
    };
  });
}

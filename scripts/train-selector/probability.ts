/** What a logit is worth as a probability: σ(logit · own + (logit − best logit) · gap + bias), fitted by Newton's method. */

import type { Pool } from "./pools.js";

export interface Probability {
  readonly logit: number;
  readonly gap: number;
  readonly bias: number;
}

/** Candidates of a question that count; what is further down is left out anyway. */
const PLACES = 30;
const ROUNDS = 50;
/** Keeps the system solvable. */
const RIDGE = 0.1;

type Triple = [number, number, number];

/** Solves a symmetric 3 × 3 system by elimination. */
function solve(matrix: readonly Triple[], right: Triple): Triple {
  const rows = matrix.map((row, i) => [...row, right[i] as number]);
  for (let i = 0; i < 3; i++) {
    const pivot = rows[i] as number[];
    for (let j = i + 1; j < 3; j++) {
      const row = rows[j] as number[];
      const factor = (row[i] as number) / (pivot[i] as number);
      for (let c = i; c < 4; c++) row[c] = (row[c] as number) - factor * (pivot[c] as number);
    }
  }
  const answer: Triple = [0, 0, 0];
  for (let i = 2; i >= 0; i--) {
    const row = rows[i] as number[];
    let sum = row[3] as number;
    for (let j = i + 1; j < 3; j++) sum -= (row[j] as number) * (answer[j] as number);
    answer[i] = sum / (row[i] as number);
  }
  return answer;
}

/** @param scored pools with logits of a selector that did not see them */
export function fitProbability(scored: readonly { readonly pool: Pool; readonly logits: readonly number[] }[]): Probability {
  const samples = scored.flatMap(({ pool, logits }) => {
    const best = Math.max(...logits);
    return logits
      .map((logit, place) => ({ x: [logit, logit - best, 1] as Triple, y: pool.found.includes(place) ? 1 : 0 }))
      .sort((a, b) => b.x[0] - a.x[0])
      .slice(0, PLACES);
  });
  let weights: Triple = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const gradient: Triple = [-RIDGE * weights[0], -RIDGE * weights[1], 0];
    const hessian: Triple[] = [
      [RIDGE, 0, 0],
      [0, RIDGE, 0],
      [0, 0, 1e-9],
    ];
    for (const { x, y } of samples) {
      const p = 1 / (1 + Math.exp(-(x[0] * weights[0] + x[1] * weights[1] + weights[2])));
      for (const i of [0, 1, 2] as const) {
        gradient[i] += (y - p) * x[i];
        const row = hessian[i] as Triple;
        for (const j of [0, 1, 2] as const) row[j] += p * (1 - p) * x[i] * x[j];
      }
    }
    const change = solve(hessian, gradient);
    weights = [weights[0] + change[0], weights[1] + change[1], weights[2] + change[2]];
    if (Math.max(...change.map(Math.abs)) < 1e-9) break;
  }
  return { logit: weights[0], gap: weights[1], bias: weights[2] };
}

/** Conditional logit over pools of candidates, with constrained signs, pulled towards a prior. */

import { FEATURES, type Pool } from "./pools.js";

/** Standardised weights: the logit is Σ weight · (value − mean) / deviation. */
export interface Fitted {
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly weights: readonly number[];
}

/** Signs that a weight may have; 0 either. A coarse score, a near sentence, the subject's own words and a fitting answer never speak
 * against a candidate, whatever one data set says. */
const SIGNS: readonly number[] = [1, 1, 1, 1, -1, 1, -1, 0, 0];
/** Pull towards a weight of 2 for the score and 0 for all else. */
const PULL = 60;
const PRIOR: readonly number[] = FEATURES.map((name) => (name === "score" ? 2 : 0));
const ROUNDS = 2_000;
const PRECISION = 1e-7;

interface Standardised {
  readonly rows: readonly (readonly number[])[];
  readonly found: readonly number[];
}

function moments(pools: readonly Pool[]): Pick<Fitted, "means" | "deviations"> {
  const rows = pools.flatMap(({ features }) => features);
  const means = FEATURES.map((_, f) => rows.reduce((sum, row) => sum + (row[f] as number), 0) / rows.length);
  const deviations = FEATURES.map((_, f) => {
    const mean = means[f] as number;
    return Math.sqrt(rows.reduce((sum, row) => sum + ((row[f] as number) - mean) ** 2, 0) / rows.length) + 1e-6;
  });
  return { means, deviations };
}

const dot = (row: readonly number[], weights: readonly number[]): number => {
  let sum = 0;
  for (let f = 0; f < row.length; f++) sum += (row[f] as number) * (weights[f] as number);
  return sum;
};

/** Loss and gradient: for each question the mean of its evidence's −log softmax, and half the pull. */
function loss(questions: readonly Standardised[], weights: readonly number[]): { value: number; gradient: number[] } {
  let value = 0;
  const gradient = weights.map((weight, f) => PULL * (weight - (PRIOR[f] as number)));
  for (const [f, weight] of weights.entries()) value += 0.5 * PULL * (weight - (PRIOR[f] as number)) ** 2;
  for (const { rows, found } of questions) {
    const logits = rows.map((row) => dot(row, weights));
    const highest = Math.max(...logits);
    const shares = logits.map((logit) => Math.exp(logit - highest));
    const sum = shares.reduce((a, b) => a + b, 0);
    value += highest + Math.log(sum);
    for (const place of found) value -= (logits[place] as number) / found.length;
    for (const [place, row] of rows.entries()) {
      const share = (shares[place] as number) / sum - (found.includes(place) ? 1 / found.length : 0);
      for (let f = 0; f < row.length; f++) gradient[f] = (gradient[f] as number) + share * (row[f] as number);
    }
  }
  return { value, gradient };
}

const allowed = (weight: number, sign: number): number => (sign * weight < 0 ? 0 : weight);

/** Projected gradient descent with steps halved until they pay; the loss is convex, so the start does not matter. */
export function fitLogit(pools: readonly Pool[]): Fitted {
  const { means, deviations } = moments(pools);
  const questions = pools
    .filter(({ found }) => found.length > 0)
    .map(({ features, found }) => ({
      rows: features.map((row) => row.map((value, f) => (value - (means[f] as number)) / (deviations[f] as number))),
      found,
    }));
  let weights = [...PRIOR];
  let step = 1 / PULL;
  let now = loss(questions, weights);
  for (let round = 0; round < ROUNDS; round++) {
    const from = now;
    const next = weights.map((weight, f) => allowed(weight - step * (from.gradient[f] as number), SIGNS[f] as number));
    const then = loss(questions, next);
    if (then.value > from.value) {
      step /= 2;
      if (step < 1e-9) break;
      continue;
    }
    const gain = from.value - then.value;
    [weights, now] = [next, then];
    step *= 1.2;
    if (gain < PRECISION) break;
  }
  return { means, deviations, weights };
}

/** Logits of a pool's candidates. */
export function logitsOf({ features }: Pool, { means, deviations, weights }: Fitted): number[] {
  return features.map((row) =>
    dot(
      row.map((value, f) => (value - (means[f] as number)) / (deviations[f] as number)),
      weights,
    ),
  );
}

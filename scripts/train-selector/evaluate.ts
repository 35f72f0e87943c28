/** Recall of a selector over pools, and of selectors that never saw the fold that they are tried on. */

import { bootstrapInterval, mean, seededRandom } from "../../eval/metrics.js";
import { type Fitted, fitLogit, logitsOf } from "./fit.js";
import type { Pool } from "./pools.js";

const FOLDS = 5;
const K = 10;

export interface Scored {
  readonly pool: Pool;
  readonly logits: readonly number[];
}

export interface Measured {
  readonly "recall@10": number;
  readonly "recall@10.interval": readonly [number, number];
  readonly "all@10": number;
  readonly "all@10.interval": readonly [number, number];
  readonly categories: Readonly<Record<string, number>>;
}

export const scoreAll = (pools: readonly Pool[], fitted: Fitted): Scored[] =>
  pools.map((pool) => ({ pool, logits: logitsOf(pool, fitted) }));

export function measure(scored: readonly Scored[], seed: number): Measured {
  const recalls = scored.map(({ pool, logits }) => {
    const order = logits.map((logit, place) => ({ logit, place })).sort((a, b) => b.logit - a.logit || a.place - b.place);
    return order.slice(0, K).filter(({ place }) => pool.found.includes(place)).length / pool.evidence;
  });
  const alls = recalls.map((recall) => (recall === 1 ? 1 : 0));
  const categories = [...new Set(scored.map(({ pool }) => pool.category))].sort();
  return {
    "recall@10": mean(recalls),
    "recall@10.interval": bootstrapInterval(recalls, seed),
    "all@10": mean(alls),
    "all@10.interval": bootstrapInterval(alls, seed),
    categories: Object.fromEntries(
      categories.map((category) => [category, mean(recalls.filter((_, i) => scored[i]?.pool.category === category))]),
    ),
  };
}

/** @param training pools to train on, and @param testing to be tried on, by question id alike
 * @returns each test pool with the logits of a selector trained on the other folds */
export function crossValidate(training: readonly Pool[], testing: readonly Pool[], seed: number): Scored[] {
  const random = seededRandom(seed);
  const order = testing.map((pool) => ({ pool, key: random() })).sort((a, b) => a.key - b.key);
  return Array.from({ length: FOLDS }, (_, fold) => {
    const held = order.filter((_, index) => index % FOLDS === fold).map(({ pool }) => pool);
    const ids = new Set(held.map(({ id }) => id));
    return scoreAll(held, fitLogit(training.filter(({ id }) => !ids.has(id))));
  }).flat();
}

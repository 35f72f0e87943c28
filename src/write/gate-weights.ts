/** The shape of the sentence gate's weights. */

import type { GateFeature } from "./gate-features.js";

/** What is learned of a sentence; whether its turn answers a question is not, it has a bonus of its own. */
export type LearnedFeature = Exclude<GateFeature, "answers">;

export interface GateWeights {
  /** Number of the training. */
  readonly version: string;
  /** Of the numbers below, as the training script joins them. */
  readonly sha256: string;
  /** What it was learned on, and how. */
  readonly provenance: string;
  /** The score is Σ weight · clip((value − mean) / deviation, ±4), by the running mean and deviation of the conversation, which
   * begin as these. */
  readonly features: Readonly<
    Record<LearnedFeature, { readonly mean: number; readonly deviation: number; readonly weight: number }>
  >;
  /** Added between people to a statement that answers a question: .3 deviations of the score, set by hand, since nobody answers a
   * person's question in the training data. */
  readonly answers: number;
  /** Scores of a person's sentences, ascending, in equal steps: the first idea of a conversation's own. */
  readonly quantiles: readonly number[];
}

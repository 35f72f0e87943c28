/** The shape of the lite selector's weights, and which belong to which embedder. */

import { SELECTOR_DATA } from "./selector-data.js";

/** Names of the candidate features that the selector reads; `candidates.ts` computes them. */
export type SelectorFeature =
  | "score"
  | "sentenceGap"
  | "wholeGap"
  | "isSubject"
  | "isOther"
  | "typeMatches"
  | "typeMisses"
  | "assistant"
  | "firstPerson";

export interface SelectorWeights {
  /** Kind of embedder and number of the training. */
  readonly version: string;
  /** Of the numbers below, as the training script joins them. */
  readonly sha256: string;
  /** What it was learned on, and how. */
  readonly provenance: string;
  /** The logit is Σ weight · (value − mean) / deviation. */
  readonly features: Readonly<
    Record<SelectorFeature, { readonly mean: number; readonly deviation: number; readonly weight: number }>
  >;
  /** Probability that a candidate supports the question: σ(logit · own + (logit − best logit) · gap + bias). */
  readonly probability: { readonly logit: number; readonly gap: number; readonly bias: number };
  /** Cosine of question and sentence from which they are taken to be about one thing though they share no word. */
  readonly minCosine: number;
}

/** For embeddings of 64 dimensions, as the static embedder gives them. */
export const STATIC_SELECTOR: SelectorWeights = SELECTOR_DATA.static;

/** For sentence models such as all-MiniLM-L6-v2. */
export const SENTENCE_MODEL_SELECTOR: SelectorWeights = SELECTOR_DATA.sentenceModel;

/** @param dimension of the embedder; up to 128 the static weights */
export function selectorWeightsFor(dimension: number): SelectorWeights {
  return dimension <= 128 ? STATIC_SELECTOR : SENTENCE_MODEL_SELECTOR;
}

/** Weights of the lite selector, learned once per kind of embedder. Data, no logic. */

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
  readonly version: string;
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

const of = (mean: number, deviation: number, weight: number) => ({ mean, deviation, weight });

const PROVENANCE =
  "LongMemEval_S dev, 222 questions with evidence (MIT); conditional logit over the 50 best of the coarse search, signs constrained, " +
  "L2 60 towards a weight of 2 for the score and 0 for the others; LoCoMo was not used";
const PROBABILITY = { logit: 0.288, gap: 0.828, bias: -0.97 };

/** For embeddings of 64 dimensions, as the static embedder gives them. */
export const STATIC_SELECTOR: SelectorWeights = {
  version: "static-64/1",
  provenance: `${PROVENANCE}; features of a 64-d static embedder`,
  features: {
    score: of(0.8749, 0.2253, 1.7728),
    sentenceGap: of(-0.3096, 0.1611, 0.0771),
    wholeGap: of(-0.2896, 0.1476, 0.1225),
    isSubject: of(0.7821, 0.4128, 0.0837),
    isOther: of(0.1774, 0.382, -0.0905),
    typeMatches: of(0.2674, 0.4426, 0.1773),
    typeMisses: of(0.2957, 0.4563, -0.172),
    assistant: of(0.3096, 0.4623, -0.2465),
    firstPerson: of(0.61, 0.4878, 0.2872),
  },
  probability: PROBABILITY,
  minCosine: 0.4,
};

/** For sentence models such as all-MiniLM-L6-v2. */
export const SENTENCE_MODEL_SELECTOR: SelectorWeights = {
  version: "sentence-model/1",
  provenance: `${PROVENANCE}; features of a 256-d static embedder, checked on MiniLM's`,
  features: {
    score: of(0.8129, 0.2442, 1.7768),
    sentenceGap: of(-0.3666, 0.184, 0.0682),
    wholeGap: of(-0.3327, 0.1628, 0.11),
    isSubject: of(0.7755, 0.4173, 0.1014),
    isOther: of(0.184, 0.3875, -0.1092),
    typeMatches: of(0.2683, 0.4431, 0.1695),
    typeMisses: of(0.2948, 0.4559, -0.1648),
    assistant: of(0.3135, 0.4639, -0.239),
    firstPerson: of(0.6079, 0.4882, 0.2877),
  },
  probability: PROBABILITY,
  minCosine: 0.35,
};

/** @param dimension of the embedder; up to 128 the static weights */
export function selectorWeightsFor(dimension: number): SelectorWeights {
  return dimension <= 128 ? STATIC_SELECTOR : SENTENCE_MODEL_SELECTOR;
}

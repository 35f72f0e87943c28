/** Weights of the lite selectors. Written by `npm run train:selector`; data, no logic. */

import type { SelectorWeights } from "./selector-weights.js";

export const SELECTOR_DATA: Readonly<Record<"static" | "sentenceModel", SelectorWeights>> = {
  static: {
    version: "static-64/2",
    sha256: "00fbdb6a466f3e44c13b8cf2670122097473e925c7edf5bb4f3ddcd5e1c43ce9",
    provenance:
      "LongMemEval_S dev without ShareGPT sessions (MIT) but ten that hold evidence, 222 questions with evidence; conditional logit over the 50 best of the coarse search, signs constrained, L2 60 towards a weight of 2 for the score and 0 for the others; LoCoMo was not used; embedder static-minilm-64@5865726f, seed 1",
    features: {
      score: { mean: 0.8806, deviation: 0.2295, weight: 1.8323 },
      sentenceGap: { mean: -0.3015, deviation: 0.1597, weight: 0.1 },
      wholeGap: { mean: -0.2861, deviation: 0.1467, weight: 0.0516 },
      isSubject: { mean: 0.7514, deviation: 0.4322, weight: 0.0794 },
      isOther: { mean: 0.208, deviation: 0.4059, weight: -0.0846 },
      typeMatches: { mean: 0.2774, deviation: 0.4477, weight: 0.1697 },
      typeMisses: { mean: 0.2857, deviation: 0.4517, weight: -0.1682 },
      assistant: { mean: 0.3434, deviation: 0.4749, weight: -0.3011 },
      firstPerson: { mean: 0.6159, deviation: 0.4864, weight: 0.3189 },
    },
    probability: { logit: 0.2615, gap: 0.8769, bias: -0.8153 },
    minCosine: 0.4,
  },
  sentenceModel: {
    version: "sentence-model/1",
    sha256: "98667ce121387863e25f6127421224a7cd73b482435fcef31f704d7d9b3d2a68",
    provenance:
      "LongMemEval_S dev, 222 questions with evidence (MIT); conditional logit over the 50 best of the coarse search, signs constrained, L2 60 towards a weight of 2 for the score and 0 for the others; LoCoMo was not used; features of a 256-d static embedder, checked on MiniLM's",
    features: {
      score: { mean: 0.8129, deviation: 0.2442, weight: 1.7768 },
      sentenceGap: { mean: -0.3666, deviation: 0.184, weight: 0.0682 },
      wholeGap: { mean: -0.3327, deviation: 0.1628, weight: 0.11 },
      isSubject: { mean: 0.7755, deviation: 0.4173, weight: 0.1014 },
      isOther: { mean: 0.184, deviation: 0.3875, weight: -0.1092 },
      typeMatches: { mean: 0.2683, deviation: 0.4431, weight: 0.1695 },
      typeMisses: { mean: 0.2948, deviation: 0.4559, weight: -0.1648 },
      assistant: { mean: 0.3135, deviation: 0.4639, weight: -0.239 },
      firstPerson: { mean: 0.6079, deviation: 0.4882, weight: 0.2877 },
    },
    probability: { logit: 0.288, gap: 0.828, bias: -0.97 },
    minCosine: 0.35,
  },
};

/** The shipped weights are those that were trained, and training finds what it is given. */

import { describe, expect, it } from "vitest";
import { fitLogit, logitsOf } from "../../scripts/train-selector/fit.js";
import { FEATURES, type Pool } from "../../scripts/train-selector/pools.js";
import { fitProbability } from "../../scripts/train-selector/probability.js";
import { checksumOf } from "../../scripts/train-selector/write-weights.js";
import { SENTENCE_MODEL_SELECTOR, STATIC_SELECTOR, selectorWeightsFor } from "../../src/retrieve/selector-weights.js";

describe("the shipped weights", () => {
  it.each([STATIC_SELECTOR, SENTENCE_MODEL_SELECTOR])("bear the checksum of their numbers: $version", (weights) => {
    expect(weights.sha256).toBe(checksumOf(weights));
    expect(weights.provenance).toMatch(/LongMemEval.*LoCoMo was not used/);
  });
  it("belong to the kind of embedder", () => {
    expect(selectorWeightsFor(64)).toBe(STATIC_SELECTOR);
    expect(selectorWeightsFor(384)).toBe(SENTENCE_MODEL_SELECTOR);
  });
});

/** Forty questions of ten candidates; the evidence has the given features, the others noise that repeats. */
function poolsOf(evidence: Partial<Record<(typeof FEATURES)[number], number>>): Pool[] {
  return Array.from({ length: 40 }, (_, question) => ({
    id: `q${question}`,
    category: "one",
    features: Array.from({ length: 10 }, (_, place) =>
      FEATURES.map((name, f) =>
        place === question % 10 ? (evidence[name] ?? 0.5) : ((question * 7 + place * 3 + f * 5) % 11) / 11,
      ),
    ),
    found: [question % 10],
    evidence: 1,
  }));
}

describe("training", () => {
  it("raises the weight of what marks the evidence, and never lets a coarse score speak against it", () => {
    const fitted = fitLogit(poolsOf({ score: 0, firstPerson: 3 }));
    const weightOf = (name: (typeof FEATURES)[number]): number => fitted.weights[FEATURES.indexOf(name)] as number;
    expect(weightOf("firstPerson")).toBeGreaterThan(0.3);
    expect(weightOf("score")).toBeGreaterThanOrEqual(0);
    expect(weightOf("isOther")).toBeLessThanOrEqual(0);
  });
  it("gives the same weights twice", () => {
    const pools = poolsOf({ score: 2 });
    expect(fitLogit(pools)).toEqual(fitLogit(pools));
  });
  it("makes likelier what stands out", () => {
    const pools = poolsOf({ score: 2, firstPerson: 2 });
    const fitted = fitLogit(pools);
    const { logit, gap } = fitProbability(pools.map((pool) => ({ pool, logits: logitsOf(pool, fitted) })));
    expect(logit + gap).toBeGreaterThan(0);
  });
});

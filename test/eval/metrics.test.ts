/** Retrieval metrics against values worked out by hand. */

import { describe, expect, it } from "vitest";
import { bootstrapInterval, quantile, rankMetrics } from "../../eval/metrics.js";

describe("rankMetrics", () => {
  it("is full when the evidence comes first", () => {
    expect(rankMetrics([["a"], ["b"], ["x"]], ["a", "b"])).toEqual({
      "recall@5": 1,
      "recall@10": 1,
      "all@10": 1,
      "ndcg@10": 1,
      mrr: 1,
    });
  });
  it("counts what lies beyond ten only for the reciprocal rank", () => {
    const ranked = [...Array.from({ length: 10 }, (_, i) => [`x${i}`]), ["a"]];
    expect(rankMetrics(ranked, ["a"])).toEqual({ "recall@5": 0, "recall@10": 0, "all@10": 0, "ndcg@10": 0, mrr: 1 / 11 });
  });
  it("counts an evidence turn once, and an item for all turns it stands on", () => {
    const metrics = rankMetrics([["x"], ["a", "b"], ["a"]], ["a", "b", "c"]);
    expect(metrics["recall@10"]).toBeCloseTo(2 / 3);
    expect(metrics.mrr).toBe(0.5);
  });
});

describe("intervals", () => {
  it("hold the mean, are the same for one seed, and shrink to a point without spread", () => {
    const values = [0, 1, 1, 0, 1, 1, 1, 0];
    const [low, high] = bootstrapInterval(values, 7);
    expect(low).toBeLessThan(5 / 8);
    expect(high).toBeGreaterThan(5 / 8);
    expect(bootstrapInterval(values, 7)).toEqual([low, high]);
    expect(bootstrapInterval([1, 1, 1], 7)).toEqual([1, 1]);
  });
  it("take quantiles of unsorted values", () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
  });
});

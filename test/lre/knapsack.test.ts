import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactValue } from "../../eval/lre/exact.js";
import { solveKnapsack } from "../../src/lre/knapsack.js";

const items = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 60 })), { maxLength: 40 });

describe("the greedy knapsack", () => {
  it("stays inside the budget, below the exact optimum, and at half of it or more", () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 0, max: 400 }), (pairs, budget) => {
        const values = pairs.map(([value]) => value);
        const costs = pairs.map(([, cost]) => cost);
        const found = solveKnapsack(values, costs, budget);
        const optimum = exactValue(values, costs, budget);
        expect(found.cost).toBeLessThanOrEqual(budget);
        expect(found.value).toBeLessThanOrEqual(optimum + 1e-9);
        expect(found.value).toBeGreaterThanOrEqual(optimum / 2 - 1e-9);
        expect(found.bound).toBeGreaterThanOrEqual(optimum - 1e-9);
        expect(values.reduce((sum, value, i) => sum + (found.taken[i] === 1 ? value : 0), 0)).toBeCloseTo(found.value, 9);
      }),
    );
  });

  it("is within a tenth of a percent of the optimum on units of dialogue", () => {
    let state = 7;
    const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff;
    const costs = Array.from({ length: 600 }, () => 5 + Math.floor(60 * random() ** 2));
    const values = costs.map((cost) => random() ** 3 * Math.min(1, cost / 30));
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    for (const share of [0.1, 0.25, 0.5]) {
      const budget = Math.floor(share * total);
      expect(1 - solveKnapsack(values, costs, budget).value / exactValue(values, costs, budget)).toBeLessThan(0.001);
    }
  });

  it("prefers one item worth more than all that density would take", () => {
    expect([...solveKnapsack([0.1, 0.9], [1, 10], 10).taken]).toEqual([0, 1]);
  });

  it("takes nothing for a budget of 0, nothing worthless and nothing too large", () => {
    expect([...solveKnapsack([1, 1], [1, 1], 0).taken]).toEqual([0, 0]);
    expect([...solveKnapsack([0, 1], [1, 9], 5).taken]).toEqual([0, 0]);
  });
});

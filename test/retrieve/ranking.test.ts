/** Scaling and picking over score arrays. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addScaled, highest, topSlots } from "../../src/retrieve/ranking.js";

describe("topSlots", () => {
  it("picks what a full sort picks, ties by slot, never what is masked", () => {
    const scored = fc.array(
      fc.tuple(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(Number.NEGATIVE_INFINITY)), fc.boolean()),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(scored, fc.nat(20), (slots, count) => {
        const scores = slots.map(([score]) => score);
        const mask = Uint8Array.from(slots, ([, allowed]) => (allowed ? 1 : 0));
        const expected = [...scores.keys()]
          .filter((slot) => mask[slot] === 1 && Number.isFinite(scores[slot]))
          .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
          .slice(0, count);
        expect(topSlots(Float64Array.from(scores), count, mask)).toEqual(expected);
      }),
    );
  });
});

describe("addScaled", () => {
  it("scales the lowest allowed score to 0 and the highest to the weight", () => {
    const into = new Float64Array(4);
    addScaled(into, Float32Array.from([5, 9, 7, 100]), 2, new Uint8Array([1, 1, 1, 0]));
    expect([...into]).toEqual([0, expect.closeTo(2), expect.closeTo(1), 0]);
  });
  it("adds nothing when all scores are equal, and takes a slot without a score for the lowest", () => {
    const into = new Float64Array(3);
    addScaled(into, Float32Array.from([4, 4, 4]), 1, new Uint8Array([1, 1, 1]));
    expect([...into]).toEqual([0, 0, 0]);
    addScaled(into, Float32Array.from([Number.NEGATIVE_INFINITY, 1, 3]), 1, new Uint8Array([1, 1, 1]));
    expect([...into]).toEqual([0, 0, expect.closeTo(1)]);
  });
});

describe("highest", () => {
  it("looks at allowed slots only", () => {
    expect(highest(Float32Array.from([1, 9]), new Uint8Array([1, 0]))).toBe(1);
    expect(highest(Float32Array.from([1]), new Uint8Array([0]))).toBe(Number.NEGATIVE_INFINITY);
  });
});

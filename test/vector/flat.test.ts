import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FlatIndex } from "../../src/vector/flat.js";
import { describeVectorIndex } from "./contract.js";
import { nodeKernel } from "./node-kernel.js";
import { NaiveIndex, seeded, topicRows, unit } from "./samples.js";

const kernel = await nodeKernel();
const kernels = [
  ["wasm", kernel],
  ["js", undefined],
] as const;

for (const [name, used] of kernels) {
  describeVectorIndex({ name: `flat ${name}`, open: async (dimension) => new FlatIndex({ dimension, kernel: used }), recall: 1 });
}

/** Components on a coarse grid, so that dot products are exact and ties are common. */
const gridValue = fc.integer({ min: -4, max: 4 }).map((value) => value / 4);
const anyValue = fc.oneof(
  gridValue,
  fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
  fc.constantFrom(0, -0, 1e15, -1e15, 1e-30, -1e-30, 1e-44),
);

function commands(dimension: number, value: fc.Arbitrary<number>) {
  const row = fc.array(value, { minLength: dimension, maxLength: dimension });
  const slot = fc.integer({ min: 0, max: 12 });
  return fc.array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ type: fc.constant("add" as const), slot, rows: fc.array(row, { minLength: 1, maxLength: 4 }) }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("remove" as const), slot }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("clear" as const) }) },
      {
        weight: 4,
        arbitrary: fc.record({
          type: fc.constant("search" as const),
          query: row,
          k: fc.integer({ min: 0, max: 8 }),
          mask: fc.option(fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 15 }), { nil: undefined }),
        }),
      },
    ),
    { maxLength: 60 },
  );
}

describe.each(kernels)("a flat index (%s)", (_name, used) => {
  it.each([3, 32, 37])(
    "answers any sequence of calls as a naive float64 scan does, ties included (%i-d)",
    { timeout: 60_000 },
    (dimension) => {
      fc.assert(
        fc.property(commands(dimension, gridValue), (sequence) => {
          const index = new FlatIndex({ dimension, kernel: used });
          const naive = new NaiveIndex(dimension);
          for (const step of sequence) {
            if (step.type === "add") {
              const rows = Float32Array.from(step.rows.flat());
              index.add(step.slot, rows);
              naive.entries.set(step.slot, rows);
            } else if (step.type === "remove") {
              index.remove(step.slot);
              naive.entries.delete(step.slot);
            } else if (step.type === "clear") {
              index.clear();
              naive.entries.clear();
            } else {
              const query = Float32Array.from(step.query);
              const mask = step.mask === undefined ? undefined : Uint8Array.from(step.mask);
              expect(index.search(query, step.k, mask)).toEqual(naive.search(query, step.k, mask).map(plusZero));
              const scores = index.scoreAll(query, mask);
              expect(scores).toEqual(naive.scoreAll(query, scores.best.length, mask));
            }
          }
          expect(index.size).toBe(naive.size);
          expect(index.usedSlots()).toEqual([...naive.entries.keys()].sort((a, b) => a - b));
          for (const [slot, rows] of naive.entries) expect(index.rowsOf(slot)).toEqual(rows);
          index.close();
        }),
        { numRuns: 60 },
      );
    },
  );

  it("finds the float64 scan's 20 best among 3,000 rows, near-ties and duplicates included", { timeout: 60_000 }, () => {
    const random = seeded(11);
    const dimension = 96;
    const index = new FlatIndex({ dimension, kernel: used });
    const naive = new NaiveIndex(dimension);
    const rows = topicRows(3000, dimension, random, 5);
    for (let slot = 0; slot < 3000; slot++) {
      const own = rows.slice(slot * dimension, (slot + 1) * dimension);
      // Every tenth repeats its neighbour, every other tenth differs from it in the last bit of one component.
      if (slot % 10 > 7) own.set(rows.subarray((slot - 1) * dimension, slot * dimension));
      if (slot % 10 === 9) own[slot % dimension] = Math.fround((own[slot % dimension] as number) * (1 + 2 ** -23));
      rows.set(own, slot * dimension);
      index.add(slot, own);
      naive.entries.set(slot, own);
    }
    for (let i = 0; i < 30; i++) {
      const query = i % 2 ? unit(dimension, random) : rows.slice(i * dimension, (i + 1) * dimension);
      const truth = naive.search(query, 20);
      const hits = index.search(query, 20);
      // Float64 sums of another order may swap what differs by less than their rounding.
      hits.forEach((hit, rank) => expect(hit.score).toBeCloseTo(truth[rank]?.score ?? Number.NaN, 12));
      const last = truth.at(-1)?.score ?? 0;
      const sure = truth.filter((hit) => hit.score > last + 1e-12).map((hit) => hit.slot);
      expect(hits.map((hit) => hit.slot)).toEqual(expect.arrayContaining(sure));
    }
  });

  it("keeps what it holds while it grows, shrinks and closes its holes", { timeout: 60_000 }, () => {
    const random = seeded(5);
    const dimension = 16;
    const index = new FlatIndex({ dimension, kernel: used });
    const held = new Map<number, Float32Array>();
    const put = (slot: number, count: number) => {
      const rows = topicRows(count, dimension, random, 3);
      index.add(slot, rows);
      held.set(slot, rows);
    };
    for (let slot = 0; slot < 3000; slot++) put(slot, 1 + (slot % 3));
    for (let slot = 0; slot < 3000; slot++) {
      if (slot % 7 === 0) continue;
      index.remove(slot);
      held.delete(slot);
    }
    for (let slot = 0; slot < 3000; slot += 70) put(slot, 4);
    expect(index.size).toBe([...held.values()].reduce((sum, rows) => sum + rows.length / dimension, 0));
    for (const [slot, rows] of held) {
      expect(index.rowsOf(slot)).toEqual(rows);
      expect(index.search(rows.slice(0, dimension), 1)[0]?.score).toBeCloseTo(1, 5);
    }
  });

  it("stays right for rows of very different lengths", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyValue, { minLength: 8, maxLength: 8 }), { minLength: 2, maxLength: 40 }), (rows) => {
        const index = new FlatIndex({ dimension: 8, kernel: used });
        const naive = new NaiveIndex(8);
        rows.forEach((values, slot) => {
          index.add(slot, Float32Array.from(values));
          naive.entries.set(slot, Float32Array.from(values));
        });
        const query = Float32Array.from(rows[0] as number[]);
        const truth = naive.search(query, 3);
        const largest = Math.max(...rows.flat().map(Math.abs));
        index.search(query, 3).forEach((hit, rank) => {
          const expected = truth[rank]?.score ?? Number.NaN;
          expect(Math.abs(hit.score - expected)).toBeLessThanOrEqual(1e-14 * largest ** 2);
        });
        index.close();
      }),
      { numRuns: 100 },
    );
  });
});

it("gives the same hits to the last bit with and without a kernel", { timeout: 60_000 }, () => {
  const random = seeded(21);
  const dimension = 64;
  const [wasm, js] = [new FlatIndex({ dimension, kernel }), new FlatIndex({ dimension })];
  for (let slot = 0; slot < 500; slot++) {
    const rows = topicRows(1 + (slot % 3), dimension, random);
    wasm.add(slot, rows);
    js.add(slot, rows);
  }
  for (let i = 0; i < 20; i++) {
    const query = unit(dimension, random);
    expect(wasm.search(query, 50)).toEqual(js.search(query, 50));
  }
});

it("scores the leading entries exactly and the rest within the codes' bound when it is large", { timeout: 60_000 }, () => {
  const random = seeded(2);
  const dimension = 384;
  const index = new FlatIndex({ dimension, kernel });
  const plain = new FlatIndex({ dimension });
  const rows = topicRows(6000, dimension, random);
  for (let slot = 0; slot < 6000; slot++) {
    const own = rows.subarray(slot * dimension, (slot + 1) * dimension);
    index.add(slot, own);
    plain.add(slot, own);
  }
  const query = unit(dimension, random);
  const scores = index.scoreAll(query);
  const truth = plain.scoreAll(query);
  for (const { slot } of plain.search(query, 64)) expect(scores.best[slot]).toBe(truth.best[slot]);
  let total = 0;
  scores.best.forEach((score, slot) => {
    const error = Math.abs(score - (truth.best[slot] as number));
    expect(error).toBeLessThan(0.01);
    total += error;
  });
  expect(total / 6000).toBeLessThan(0.001);
});

it("wipes the rows of a removed entry from its memory", () => {
  const memories: WebAssembly.Memory[] = [];
  const watched = {
    instantiate() {
      const exports = kernel.instantiate();
      memories.push(exports.memory);
      return exports;
    },
  };
  const index = new FlatIndex({ dimension: 32, kernel: watched });
  const holds = (value: number) => memories.some((memory) => new Float32Array(memory.buffer).includes(value));
  const [secret, other] = [unit(32, seeded(1)), unit(32, seeded(2))];
  index.add(0, secret);
  index.add(1, other);
  index.remove(0);
  expect(holds(other[5] as number)).toBe(true);
  expect(holds(secret[5] as number)).toBe(false);
  index.close();
});

/** Scores are compared as numbers: a sum of nothing but -0 is 0. */
function plusZero(hit: { slot: number; score: number }) {
  return { slot: hit.slot, score: hit.score + 0 };
}

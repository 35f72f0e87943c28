/** What every vector index must do; run over each adapter, in Node and in Chromium. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import type { VectorIndex } from "../../src/ports.js";
import { NaiveIndex, seeded, topicRows, unit } from "./samples.js";

export interface Adapter {
  readonly name: string;
  readonly open: (dimension: number) => Promise<VectorIndex>;
  /** Share of the true neighbours that a search must find: 1 for an exact index. */
  readonly recall: number;
  /** Waits until work in the background has come to rest. */
  readonly settle?: (index: VectorIndex) => Promise<void>;
}

const DIMENSION = 48;

function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    return isMemoryError(error) ? error.code : `${error}`.split(":")[0];
  }
  return undefined;
}

export function describeVectorIndex({ name, open, recall, settle = () => Promise.resolve() }: Adapter): void {
  describe(name, { timeout: 60_000 }, () => {
    let index: VectorIndex;
    beforeEach(async () => {
      index = await open(DIMENSION);
    });
    afterEach(() => index.close());

    const axis = (i: number, length = 1) => {
      const row = new Float32Array(DIMENSION);
      row[i] = length;
      return row;
    };

    it("finds nothing in an empty index", () => {
      expect(index.search(axis(0), 5)).toEqual([]);
      expect(index.size).toBe(0);
    });

    it("returns the best entries first with their dot products", () => {
      index.add(3, axis(0));
      index.add(7, axis(1));
      index.add(1, axis(0, 0.5));
      const hits = index.search(axis(0), 2);
      expect(hits.map((hit) => hit.slot)).toEqual([3, 1]);
      expect(hits.map((hit) => hit.score)).toEqual([expect.closeTo(1, 6), expect.closeTo(0.5, 6)]);
    });

    it("orders equal scores by slot", () => {
      for (const slot of [9, 2, 5, 0]) index.add(slot, axis(4));
      expect(index.search(axis(4), 3).map((hit) => hit.slot)).toEqual([0, 2, 5]);
    });

    it("scores an entry by its best row and returns it once", () => {
      index.add(0, Float32Array.from([...axis(0), ...axis(1), ...axis(2)]));
      index.add(1, axis(3));
      expect(index.size).toBe(4);
      const hits = index.search(axis(2), 10);
      expect(hits.map((hit) => hit.slot)).toEqual([0, 1]);
      expect(hits[0]?.score).toBeCloseTo(1, 6);
    });

    it("replaces what a slot held", () => {
      index.add(0, Float32Array.from([...axis(0), ...axis(1)]));
      index.add(1, axis(5));
      index.add(0, axis(2));
      expect(index.size).toBe(2);
      expect(index.search(axis(1), 1)[0]?.score).toBeCloseTo(0, 6);
      expect(index.search(axis(2), 1)[0]).toEqual({ slot: 0, score: expect.closeTo(1, 6) });
    });

    it("forgets a removed entry and reuses its slot", () => {
      index.add(0, axis(0));
      index.add(1, axis(1));
      index.remove(0);
      index.remove(0);
      index.remove(77);
      expect(index.size).toBe(1);
      expect(index.search(axis(0), 5).map((hit) => hit.slot)).toEqual([1]);
      index.add(0, axis(2));
      expect(index.search(axis(2), 1)[0]?.slot).toBe(0);
    });

    it("returns only slots that the mask allows, and none beyond its length", () => {
      for (let slot = 0; slot < 30; slot++) index.add(slot, axis(slot));
      const mask = new Uint8Array(20);
      mask[4] = mask[11] = mask[19] = 1;
      expect(
        index
          .search(axis(25), 10, mask)
          .map((hit) => hit.slot)
          .sort((a, b) => a - b),
      ).toEqual([4, 11, 19]);
      expect(index.search(axis(11), 1, mask)[0]?.slot).toBe(11);
      expect(index.search(axis(11), 3, new Uint8Array(30))).toEqual([]);
      expect(index.search(axis(11), 3, new Uint8Array(0))).toEqual([]);
    });

    it("takes a query of any norm", () => {
      index.add(0, axis(0));
      index.add(1, axis(1));
      expect(index.search(axis(1, 0.25), 1)[0]).toEqual({ slot: 1, score: expect.closeTo(0.25, 6) });
      expect(index.search(new Float32Array(DIMENSION), 2).map((hit) => hit.score)).toEqual([
        expect.closeTo(0, 6),
        expect.closeTo(0, 6),
      ]);
    });

    it("returns nothing for k = 0 and everything for a k beyond its size", () => {
      index.add(0, axis(0));
      index.add(1, axis(1));
      expect(index.search(axis(0), 0)).toEqual([]);
      expect(index.search(axis(0), 1000)).toHaveLength(2);
    });

    it("refuses vectors that are empty, not finite or of another dimension, and adds nothing", () => {
      index.add(0, axis(0));
      const broken = Float32Array.from([...axis(1), ...axis(2)]);
      broken[DIMENSION + 3] = Number.NaN;
      expect(codeOf(() => index.add(0, broken))).toBe("invalid-vector");
      expect(codeOf(() => index.add(1, axis(0, Number.POSITIVE_INFINITY)))).toBe("invalid-vector");
      expect(codeOf(() => index.add(1, new Float32Array(0)))).toBe("invalid-vector");
      expect(codeOf(() => index.add(1, new Float32Array(DIMENSION + 1)))).toBe("dimension-mismatch");
      expect(codeOf(() => index.add(-1, axis(0)))).toBe("RangeError");
      expect(codeOf(() => index.add(0.5, axis(0)))).toBe("RangeError");
      expect(index.size).toBe(1);
      expect(index.search(axis(0), 9)).toEqual([{ slot: 0, score: expect.closeTo(1, 6) }]);
    });

    it("refuses queries that are not finite or of another dimension", () => {
      index.add(0, axis(0));
      expect(codeOf(() => index.search(axis(0, Number.NaN), 1))).toBe("invalid-vector");
      expect(codeOf(() => index.search(new Float32Array(3), 1))).toBe("dimension-mismatch");
      expect(codeOf(() => index.search(axis(0), -1))).toBe("RangeError");
      if (index.scoreAll) expect(codeOf(() => index.scoreAll?.(new Float32Array(3)))).toBe("dimension-mismatch");
    });

    it("is empty and usable after clear", () => {
      index.add(0, axis(0));
      index.clear();
      expect(index.size).toBe(0);
      expect(index.search(axis(0), 3)).toEqual([]);
      index.add(2, axis(1));
      expect(index.search(axis(1), 3).map((hit) => hit.slot)).toEqual([2]);
    });

    it("closes twice without an error and refuses calls afterwards", () => {
      index.add(0, axis(0));
      index.close();
      index.close();
      expect(codeOf(() => index.search(axis(0), 1))).toBe("closed");
      expect(codeOf(() => index.add(0, axis(0)))).toBe("closed");
      expect(codeOf(() => index.remove(0))).toBe("closed");
    });

    it("finds the neighbours of a full scan among many entries, also after changes", async () => {
      const random = seeded(7);
      const naive = new NaiveIndex(DIMENSION);
      const put = (slot: number) => {
        const rows = topicRows(1 + Math.floor(random() * 3), DIMENSION, random);
        naive.entries.set(slot, rows);
        index.add(slot, rows);
      };
      for (let slot = 0; slot < 600; slot++) put(slot);
      for (let i = 0; i < 200; i++) {
        const slot = Math.floor(random() * 600);
        if (random() < 0.5) put(slot);
        else {
          naive.entries.delete(slot);
          index.remove(slot);
        }
      }
      await settle(index);
      expect(index.size).toBe(naive.size);
      const mask = Uint8Array.from({ length: 600 }, () => (random() < 0.1 ? 1 : 0));
      for (const filter of [undefined, mask]) {
        let found = 0;
        let wanted = 0;
        for (let i = 0; i < 40; i++) {
          const query = unit(DIMENSION, random);
          const truth = naive.search(query, 20, filter);
          const hits = index.search(query, 20, filter);
          expect(new Set(hits.map((hit) => hit.slot)).size).toBe(hits.length);
          if (recall === 1) expect(hits.map((hit) => hit.slot)).toEqual(truth.map((hit) => hit.slot));
          const slots = new Set(hits.map((hit) => hit.slot));
          wanted += truth.length;
          found += truth.filter((hit) => slots.has(hit.slot)).length;
        }
        expect(found / wanted).toBeGreaterThanOrEqual(recall);
      }
    });

    it("gives back a slot's rows as they were put", async () => {
      if (!index.rowsOf) return expect(index.kind).toBe("hnsw");
      const random = seeded(4);
      const rows = topicRows(3, DIMENSION, random);
      index.add(5, rows);
      index.add(6, topicRows(2, DIMENSION, random));
      await settle(index);
      expect(index.rowsOf(5)).toEqual(rows);
      index.remove(5);
      expect(index.rowsOf(5)).toBeUndefined();
    });

    it("scores every entry: its whole text, and its best row", async () => {
      if (!index.scoreAll) return expect(index.kind).toBe("hnsw");
      const random = seeded(3);
      const naive = new NaiveIndex(DIMENSION);
      for (let slot = 0; slot < 60; slot += 1 + (slot % 3)) {
        const rows = topicRows(1 + (slot % 4), DIMENSION, random);
        naive.entries.set(slot, rows);
        index.add(slot, rows);
      }
      await settle(index);
      const query = unit(DIMENSION, random);
      const mask = Uint8Array.from({ length: 40 }, (_, slot) => slot % 2);
      for (const filter of [undefined, mask]) {
        const scores = index.scoreAll(query, filter);
        const truth = naive.scoreAll(query, scores.best.length, filter);
        expect(scores.best.length).toBeGreaterThan(Math.max(...naive.entries.keys()));
        for (const part of ["whole", "best"] as const) {
          scores[part].forEach((score, slot) => {
            const expected = truth[part][slot] as number;
            if (expected === -Infinity) expect(score).toBe(-Infinity);
            else expect(score).toBeCloseTo(expected, 5);
          });
        }
      }
    });
  });
}

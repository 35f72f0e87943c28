import { describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import { type AutoIndexOptions, createAutoIndex } from "../../src/vector/auto.js";
import { FlatIndex } from "../../src/vector/flat.js";
import { describeVectorIndex } from "./contract.js";
import { nodeKernel } from "./node-kernel.js";
import { seeded, topicRows, unit } from "./samples.js";

const kernel = await nodeKernel();

describeVectorIndex({
  name: "auto below its threshold",
  open: async (dimension) => createAutoIndex({ dimension, kernel }),
  recall: 1,
});
describeVectorIndex({
  name: "auto above its threshold",
  open: async (dimension) => searched({ dimension, kernel, hnswThreshold: 1 }),
  recall: 0.95,
  settle: async (index) => {
    const auto = index as ReturnType<typeof createAutoIndex>;
    await auto.settled();
    expect(auto.kind).toBe("hnsw");
  },
});

/** An index that has answered a search: from then on it wants a graph. */
function searched(options: AutoIndexOptions) {
  const index = createAutoIndex(options);
  index.search(new Float32Array(options.dimension).fill(1), 1);
  return index;
}

describe("the automatic choice", () => {
  const dimension = 16;
  const rowsOf = (random: () => number) => topicRows(1, dimension, random);

  it("scans up to the threshold and uses the graph above it", { timeout: 60_000 }, async () => {
    const random = seeded(1);
    const index = searched({ dimension, kernel, hnswThreshold: 100 });
    for (let slot = 0; slot < 100; slot++) index.add(slot, rowsOf(random));
    await index.settled();
    expect(index.kind).toBe("flat-wasm");
    index.add(100, rowsOf(random));
    expect(index.kind).toBe("flat-wasm");
    await index.settled();
    expect(index.kind).toBe("hnsw");
    index.close();
  });

  it("builds no graph that nobody searches", { timeout: 60_000 }, async () => {
    const index = createAutoIndex({ dimension, kernel, hnswThreshold: 50 });
    const random = seeded(9);
    for (let slot = 0; slot < 100; slot++) index.add(slot, rowsOf(random));
    index.scoreAll(unit(dimension, random));
    await index.settled();
    expect(index.kind).toBe("flat-wasm");
    index.search(unit(dimension, random), 1);
    await index.settled();
    expect(index.kind).toBe("hnsw");
    index.close();
  });

  it("goes back to the scan when entries have gone", { timeout: 60_000 }, async () => {
    const random = seeded(2);
    const index = searched({ dimension, hnswThreshold: 50 });
    for (let slot = 0; slot < 60; slot++) index.add(slot, rowsOf(random));
    await index.settled();
    expect(index.kind).toBe("hnsw");
    for (let slot = 0; slot < 30; slot++) index.remove(slot);
    expect(index.kind).toBe("flat-js");
    index.close();
  });

  it("finds what was added a moment ago, before the graph has it", { timeout: 60_000 }, async () => {
    const random = seeded(3);
    const index = searched({ dimension, kernel, hnswThreshold: 50 });
    for (let slot = 0; slot < 200; slot++) index.add(slot, rowsOf(random));
    await index.settled();
    const fresh = unit(dimension, random);
    index.add(500, fresh);
    const replaced = unit(dimension, random);
    index.add(7, replaced);
    expect(index.kind).toBe("hnsw");
    expect(index.search(fresh, 1)[0]).toEqual({ slot: 500, score: expect.closeTo(1, 5) });
    expect(index.search(replaced, 1)[0]?.slot).toBe(7);
    index.remove(500);
    expect(index.search(fresh, 300).map((hit) => hit.slot)).not.toContain(500);
    await index.settled();
    expect(index.search(replaced, 1)[0]?.slot).toBe(7);
    index.close();
  });

  it("answers selective masks exactly", { timeout: 60_000 }, async () => {
    const random = seeded(4);
    const index = searched({ dimension, kernel, hnswThreshold: 50 });
    const exact = new FlatIndex({ dimension });
    for (let slot = 0; slot < 400; slot++) {
      const rows = rowsOf(random);
      index.add(slot, rows);
      exact.add(slot, rows);
    }
    await index.settled();
    const mask = Uint8Array.from({ length: 400 }, () => (random() < 0.2 ? 1 : 0));
    for (let i = 0; i < 20; i++) {
      const query = unit(dimension, random);
      expect(index.search(query, 20, mask)).toEqual(exact.search(query, 20, mask));
    }
    index.close();
  });

  it("renews the graph when replaced entries have worn it out", { timeout: 60_000 }, async () => {
    const random = seeded(5);
    const index = searched({ dimension, kernel, hnswThreshold: 50 });
    for (let round = 0; round < 4; round++) {
      for (let slot = 0; slot < 150; slot++) index.add(slot, rowsOf(random));
      await index.settled();
      expect(index.kind).toBe("hnsw");
    }
    const query = unit(dimension, random);
    expect(new Set(index.search(query, 150).map((hit) => hit.slot)).size).toBe(150);
    index.close();
  });

  it("scans on when the peer is missing, and says so once", { timeout: 60_000 }, async () => {
    const random = seeded(6);
    const reasons: unknown[] = [];
    const importPeer = async () => {
      throw new TypeError("Failed to resolve module specifier");
    };
    const index = searched({ dimension, kernel, hnswThreshold: 10, importPeer, onDegraded: (reason) => reasons.push(reason) });
    for (let slot = 0; slot < 40; slot++) {
      index.add(slot, rowsOf(random));
      await index.settled();
    }
    expect(index.kind).toBe("flat-wasm");
    expect(reasons.map((reason) => isMemoryError(reason, "peer-missing"))).toEqual([true]);
    expect(index.search(unit(dimension, random), 40)).toHaveLength(40);
    index.close();
  });

  it("scans on when the peer fails in the middle of its work", { timeout: 60_000 }, async () => {
    const random = seeded(7);
    const reasons: unknown[] = [];
    const peer = (await import("hnswlib-wasm/lib/hnswlib.mjs")) as {
      default: (options: unknown) => Promise<{ HierarchicalNSW: { prototype: { addPoint: unknown; searchKnn: unknown } } }>;
    };
    const importPeer = async () => ({
      default: async (options: unknown) => {
        const library = await peer.default(options);
        library.HierarchicalNSW.prototype.searchKnn = () => {
          throw { notAnError: true };
        };
        return library;
      },
    });
    Object.assign(globalThis, { window: globalThis });
    const index = searched({ dimension, kernel, hnswThreshold: 10, importPeer, onDegraded: (reason) => reasons.push(reason) });
    for (let slot = 0; slot < 40; slot++) index.add(slot, rowsOf(random));
    await index.settled();
    Reflect.deleteProperty(globalThis, "window");
    expect(index.kind).toBe("hnsw");
    expect(index.search(unit(dimension, random), 5)).toHaveLength(5);
    expect(index.kind).toBe("flat-wasm");
    expect(reasons.map((reason) => isMemoryError(reason, "unsupported"))).toEqual([true]);
    index.close();
  });

  it("builds nothing more after it was closed or cleared", { timeout: 60_000 }, async () => {
    const random = seeded(8);
    const slices: (() => void)[] = [];
    const index = searched({ dimension, kernel, hnswThreshold: 10, defer: (slice) => slices.push(slice) });
    for (let slot = 0; slot < 40; slot++) index.add(slot, rowsOf(random));
    await expect.poll(() => slices.length).toBe(1);
    index.clear();
    slices[0]?.();
    await index.settled();
    expect(index.kind).toBe("flat-wasm");
    expect(index.search(unit(dimension, random), 3)).toEqual([]);
    index.close();
    slices[0]?.();
    await index.settled();
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import { openHnswIndex } from "../../src/vector/hnsw.js";
import { loadHnswLibrary } from "../../src/vector/hnsw-library.js";
import { describeVectorIndex } from "./contract.js";
import { NaiveIndex, seeded, topicRows, unit } from "./samples.js";

describeVectorIndex({ name: "hnsw", open: (dimension) => openHnswIndex({ dimension }), recall: 0.95 });

describe("the HNSW peer", () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, "window");
  });

  it("starts in Node and leaves no window behind", { timeout: 60_000 }, async () => {
    await loadHnswLibrary();
    expect("window" in globalThis).toBe(false);
  });

  it("leaves a window that is there as it is", { timeout: 60_000 }, async () => {
    const window = { own: true };
    Object.assign(globalThis, { window });
    await loadHnswLibrary();
    expect((globalThis as { window?: unknown }).window).toBe(window);
  });

  it("restores the scope when its factory throws", { timeout: 60_000 }, async () => {
    const importPeer = async () => ({
      default: () => {
        throw new EvalError("Code generation from strings disallowed for this context");
      },
    });
    const error = await openHnswIndex({ dimension: 4, importPeer }).catch((reason: unknown) => reason);
    expect(isMemoryError(error, "unsupported")).toBe(true);
    expect((error as Error).message).toContain("unsafe-eval");
    expect("window" in globalThis).toBe(false);
  });

  it("is named when it has no factory", { timeout: 60_000 }, async () => {
    const error = await openHnswIndex({ dimension: 4, importPeer: async () => ({}) }).catch((reason: unknown) => reason);
    expect(isMemoryError(error, "unsupported")).toBe(true);
  });

  it("has its exceptions, which are no Errors, turned into errors with their message", { timeout: 60_000 }, async () => {
    const library = await loadHnswLibrary();
    const graph = library.newGraph(4);
    library.guard("init", () => graph.initIndex(1, 16, 200, 1));
    library.guard("add", () => graph.addPoint(new Float32Array(4), 0, false));
    try {
      library.guard("add a vector", () => graph.addPoint(new Float32Array(4), 1, false));
      expect.unreachable();
    } catch (error) {
      expect(isMemoryError(error, "unsupported")).toBe(true);
      expect((error as Error).message).toContain("maximum number of elements");
      expect((error as Error).cause).toBeInstanceOf(Error);
    }
    graph.delete();
  });
});

describe("an HNSW index", () => {
  it("takes more rows than it was made for, one by one across every resize", { timeout: 60_000 }, async () => {
    const index = await openHnswIndex({ dimension: 4 });
    const random = seeded(1);
    for (let slot = 0; slot < 2600; slot++) index.add(slot, unit(4, random));
    expect(index.size).toBe(2600);
    const own = unit(4, random);
    index.add(5000, own);
    expect(index.search(own, 1)[0]?.slot).toBe(5000);
    index.close();
  });

  it("keeps its recall and a bounded graph when entries come and go", { timeout: 60_000 }, async () => {
    const dimension = 16;
    const index = await openHnswIndex({ dimension, efConstruction: 60 });
    const naive = new NaiveIndex(dimension);
    const random = seeded(9);
    for (let i = 0; i < 1900; i++) {
      const slot = i % 300;
      const rows = topicRows(1, dimension, random);
      index.add(slot, rows);
      naive.entries.set(slot, rows);
    }
    expect(index.size).toBe(300);
    expect(index.deleted).toBeLessThanOrEqual(1026);
    let found = 0;
    for (let i = 0; i < 50; i++) {
      const query = unit(dimension, random);
      const slots = new Set(index.search(query, 20).map((hit) => hit.slot));
      found += naive.search(query, 20).filter((hit) => slots.has(hit.slot)).length;
    }
    expect(found / 1000).toBeGreaterThanOrEqual(0.95);
    index.close();
  });

  it("finds all entries a selective mask allows", { timeout: 60_000 }, async () => {
    const dimension = 16;
    const index = await openHnswIndex({ dimension, efConstruction: 60 });
    const random = seeded(4);
    for (let slot = 0; slot < 1500; slot++) index.add(slot, topicRows(2, dimension, random));
    const mask = new Uint8Array(1500);
    for (let slot = 0; slot < 1500; slot += 100) mask[slot] = 1;
    expect(index.search(unit(dimension, random), 15, mask)).toHaveLength(15);
    index.close();
  });
});

import { describe, expect, it } from "vitest";
import { ConsolidationGraph } from "../../src/core/consolidation-graph.js";
import type { MemoryIndex } from "../../src/core/memory-index.js";
import { SUPPORT_WEIGHT } from "../../src/ltm/confidence.js";
import type { GraphRead, Store, StoredNode } from "../../src/ports.js";
import { node } from "../store/samples.js";

/** A store that lists nodes by id, page by page. */
function graphOf(nodes: readonly StoredNode[]): ConsolidationGraph {
  const sorted = [...nodes].sort((one, other) => (one.id < other.id ? -1 : 1));
  const graph = async ({ list: { after = "", limit = 1 } = {} }: GraphRead) => ({
    nodes: sorted.filter(({ id }) => id > after).slice(0, limit),
    edges: [],
    support: [],
    common: [],
  });
  return new ConsolidationGraph({ store: { graph } as unknown as Store, index: () => ({}) as MemoryIndex });
}

const OLD = 60;

describe("the sweep beside a batch", () => {
  it("takes what has faded below the floor, and leaves what is sure, fresh, or was told of in this batch", async () => {
    const graph = graphOf([
      node("faded", { confidence: SUPPORT_WEIGHT, cycle: 1 }),
      node("busy", { confidence: SUPPORT_WEIGHT, cycle: 1 }),
      node("fresh", { confidence: SUPPORT_WEIGHT, cycle: OLD - 1 }),
      node("sure", { confidence: 0.9, cycle: 1 }),
    ]);
    expect(await graph.sweep("", OLD, new Set(["busy"]))).toEqual({ swept: undefined, gone: ["faded"] });
  });

  it("looks at a part each time, and comes to all of them", async () => {
    const all = Array.from({ length: 600 }, (_, at) =>
      node(`n${String(at).padStart(3, "0")}`, { confidence: SUPPORT_WEIGHT, cycle: 1 }),
    );
    const graph = graphOf(all);
    const gone: string[] = [];
    let parts = 0;
    for (let after: string | undefined = ""; after !== undefined; parts++) {
      const swept = await graph.sweep(after, OLD, new Set());
      gone.push(...swept.gone);
      after = swept.swept;
    }
    expect(parts).toBeGreaterThan(1);
    expect(gone).toEqual(all.map(({ id }) => id));
  });
});

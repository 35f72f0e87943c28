import { describe, expect, it } from "vitest";
import { EntryTable } from "../../src/retrieve/entry-table.js";
import { addLinked } from "../../src/retrieve/linked.js";
import type { Entry, EntryId } from "../../src/types.js";
import { entry } from "../store/samples.js";

const GAIN = 0.2;

function raised(scores: readonly number[], weights: Readonly<Record<string, number>>, hidden: readonly number[] = []): number[] {
  const table = new EntryTable();
  for (const at of scores.keys()) table.put(entry(`e${at}`) as Entry);
  const total = Float64Array.from(scores);
  const mask = Uint8Array.from(scores, (_, at) => (hidden.includes(at) ? 0 : 1));
  const linked = new Map(Object.entries(weights).map(([id, weight]) => [id as EntryId, { weight, path: "sports" }]));
  addLinked(total, table, linked, mask, GAIN);
  return [...total];
}

describe("a link", () => {
  it("raises a memory by its weight, and no other", () => {
    expect(raised([1, 0.4, 0.3], { e2: 0.5 })).toEqual([1, 0.4, 0.3 + GAIN / 2]);
  });

  it("lifts the best hardly further from the others, which would look unlikely beside it", () => {
    const [best = 0, ...others] = raised([1, 0.4, 0.3], { e0: 1 });
    expect(best - 1).toBeGreaterThan(0);
    expect(best - 1).toBeLessThan(GAIN / 5);
    expect(others).toEqual([0.4, 0.3]);
  });

  it("keeps the order of those that it lifts above the best", () => {
    const [first = 0, second = 0, third = 0] = raised([1, 0.97, 0.9], { e1: 1, e2: 1 });
    expect(second).toBeGreaterThan(third);
    expect(third).toBeGreaterThan(first);
  });

  it("lifts nothing that the filter hides, and nothing that went", () => {
    expect(raised([1, 0.4], { e1: 1, gone: 1 }, [1])).toEqual([1, 0.4]);
  });
});

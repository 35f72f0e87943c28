import { describe, expect, it } from "vitest";
import type { Memory, RecallOptions } from "../../src/index.js";
import { openedMemories } from "./opened.js";

const { open } = openedMemories();

async function visit(memory: Memory, ...places: readonly string[]): Promise<void> {
  for (const place of places) await memory.record({ user: `We visited ${place} last spring.` });
}

/** Places whose memory a recall reached over the graph. */
async function linked(memory: Memory, options: RecallOptions = {}): Promise<string[]> {
  const { trace } = await memory.recall("Which places were visited?", options);
  const reached = trace.candidates.filter(({ reason }) => reason.includes("reached over user: places visited"));
  return reached.map(({ text }) => /visited (\w+)/u.exec(text)?.[1] ?? text).sort();
}

describe("recall beside a graph", () => {
  it("looks at it unless it is told not to, and tells the way", async () => {
    const memory = await open();
    await visit(memory, "Lisbon", "Ghent", "Turin");
    expect(await linked(memory)).toEqual([]);
    await memory.consolidate();
    expect(await linked(memory)).toEqual(["Ghent", "Lisbon", "Turin"]);
    expect(await linked(memory, { knowledge: false })).toEqual([]);
  }, 20_000);

  it("sees what the graph has become by this handle or another", async () => {
    const memory = await open();
    const other = await open();
    await visit(memory, "Lisbon", "Ghent");
    await memory.consolidate();
    expect(await linked(memory)).toEqual(["Ghent", "Lisbon"]);
    await visit(memory, "Turin");
    expect(await linked(memory)).toEqual(["Ghent", "Lisbon"]);
    await other.consolidate();
    expect(await linked(memory)).toEqual(["Ghent", "Lisbon", "Turin"]);
    const { items } = await memory.recall("Ghent");
    await memory.forget({ entryIds: [items[0]?.entryId as (typeof items)[number]["entryId"]] });
    expect(await linked(memory)).toEqual(["Lisbon", "Turin"]);
  }, 20_000);
});

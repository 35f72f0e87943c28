/** General knowledge that only one memory supports: kept, and nobody's to see until another memory says the same. */

import { expect, it } from "vitest";
import type { Memory } from "../../src/index.js";
import type { ConsolidationBatch, Consolidator } from "../../src/ports.js";
import { openedMemories } from "./opened.js";

const { open } = openedMemories();

const general = async (memory: Memory, page: { readonly candidates?: boolean } = {}) => {
  const { nodes, edges } = await memory.knowledge.nodes({ limit: 1_000, ...page });
  return { names: nodes.flatMap(({ scope, name }) => (scope === "general" ? name : [])).sort(), edges: edges.length };
};

async function learn(memory: Memory, ...said: readonly string[]): Promise<void> {
  for (const user of said) await memory.record({ user });
  await memory.consolidate();
}

/** What an engine would be shown of the graph. */
async function seenBy(memory: Memory): Promise<readonly string[]> {
  const heard: ConsolidationBatch[] = [];
  const consolidate: Consolidator["consolidate"] = async (batch) => {
    heard.push(batch);
    return [];
  };
  await memory.consolidate({ consolidator: { id: "listening", place: "engine", consolidate }, optedIn: true });
  return heard.flatMap(({ nodes }) => nodes.map(({ name }) => name)).sort();
}

/** Ways by which a recall reached a memory. */
async function ways(memory: Memory): Promise<string> {
  const { trace } = await memory.recall("Which stone is there?");
  return trace.candidates.map(({ reason }) => reason).join("\n");
}

it("is kept and not shown, walked or sent, until a second memory says it", { timeout: 20_000 }, async () => {
  const memory = await open();
  await learn(memory, "Basalt is a kind of stone.");
  expect(await general(memory)).toEqual({ names: [], edges: 0 });
  expect(await general(memory, { candidates: true })).toEqual({ names: ["basalt", "stone"], edges: 1 });
  expect(await ways(memory)).not.toMatch(/reached over (?!user)/);
  expect(await seenBy(memory)).toEqual([]);
  await learn(memory, "Granite is a kind of stone.");
  // The class is said twice, and neither of its instances.
  expect(await general(memory)).toEqual({ names: ["stone"], edges: 0 });
  await learn(memory, "The house stands well. Basalt is a kind of stone that suits everybody.");
  expect(await general(memory)).toEqual({ names: ["basalt", "stone"], edges: 1 });
  expect(await ways(memory)).toMatch(/reached over (?!user)/);
});

it("is shown to an engine once two memories say it", { timeout: 20_000 }, async () => {
  const memory = await open();
  await learn(memory, "Basalt is a kind of stone.", "Granite is a kind of stone.");
  expect(await seenBy(memory)).toEqual(["stone"]);
});

it("is not lifted by two sentences of one turn", { timeout: 20_000 }, async () => {
  const memory = await open();
  await learn(memory, "Basalt is a kind of stone. Granite is a kind of stone, too.");
  expect(await general(memory)).toEqual({ names: [], edges: 0 });
});

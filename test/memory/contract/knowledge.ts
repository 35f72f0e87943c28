/** What the long-term memory makes of memories, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import type { KnowledgeNode, Memory } from "../../../src/index.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const DAY = 86_400_000;

const SAID = [
  "I signed up for a pottery class, it starts in June.",
  "We went camping in the Harz with the kids.",
  "I love swimming in the lake near our house.",
  "Rooibos and other teas are what I drink at night.",
];

async function told(open: () => Promise<Memory>): Promise<Memory> {
  const memory = await open();
  for (const [at, user] of SAID.entries()) await memory.record({ user, at: MAY + at * DAY });
  return memory;
}

async function nodesOf(memory: Memory): Promise<readonly KnowledgeNode[]> {
  const nodes: KnowledgeNode[] = [];
  for (let after: string | undefined; ; ) {
    const page = await memory.knowledge.nodes({ limit: 3, ...(after !== undefined && { after }) });
    nodes.push(...page.nodes);
    after = page.next;
    if (after === undefined) return nodes;
  }
}

export function knowledgeContract(open: () => Promise<Memory>): void {
  it("brings memories into a graph, each once, and shows what they support", async () => {
    const memory = await told(open);
    const first = await memory.consolidate();
    expect(first).toMatchObject({ batches: 1, entries: SAID.length, left: 0 });
    const nodes = await nodesOf(memory);
    expect(nodes).toHaveLength(first.nodes);
    const activities = nodes.find(({ name }) => name === "user: activities");
    expect(activities).toMatchObject({ type: "Concept", scope: "own", entryIds: { length: 3 } });
    const around = await memory.knowledge.neighbours(activities?.id as string);
    const instances = around.edges.filter(({ to, type }) => to === activities?.id && type === "IsA").map(({ from }) => from);
    expect(
      around.nodes
        .filter(({ id }) => instances.includes(id))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["user: camping", "user: pottery class", "user: swimming"]);
    expect(
      nodes
        .filter(({ scope }) => scope === "general")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["rooibos", "teas"]);
    expect(await memory.consolidate()).toMatchObject({ batches: 0, entries: 0, nodes: first.nodes, edges: first.edges });
    expect(await memory.knowledge.jobs()).toMatchObject([{ state: "committed", consolidator: "lite", entryIds: { length: 4 } }]);
    await memory.close();
    const again = await open();
    expect(await nodesOf(again)).toEqual(nodes);
    await again.close();
    // The first to load what consolidates.
  }, 20_000);

  it("forgets what only a forgotten memory supported, and a reworded one is read anew", async () => {
    const memory = await told(open);
    await memory.consolidate();
    const names = async () => (await nodesOf(memory)).map(({ name }) => name);
    const find = async (text: string) => {
      for await (const entry of memory.entries({ text })) return entry.id;
      throw new Error(`no entry holds ${text}`);
    };
    await memory.forget({ entryIds: [await find("camping")] });
    expect(await names()).not.toContain("user: camping");
    expect((await memory.knowledge.jobs())[0]?.entryIds).toHaveLength(3);
    await memory.update(await find("swimming"), { text: "I love rowing on the lake near our house." });
    expect(await names()).not.toContain("user: swimming");
    expect(await memory.consolidate()).toMatchObject({ entries: 1 });
    expect(await names()).toEqual(expect.arrayContaining(["user: rowing", "user: pottery class"]));
    await memory.close();
  });

  it("leaves private memories out, and is checked at the door", async () => {
    const memory = await open();
    await memory.record({ user: "I started karate, do not tell anybody.", at: MAY, private: true });
    expect(await memory.consolidate()).toMatchObject({ batches: 0, entries: 0, nodes: 0 });
    expect(await memory.knowledge.neighbours("nobody")).toEqual({ nodes: [], edges: [] });
    expect(await memory.knowledge.common()).toEqual({ nodes: [], edges: [] });
    expect(() => memory.knowledge.nodes({ limit: 0 })).toThrow(RangeError);
    expect(() => memory.knowledge.neighbours("")).toThrow(TypeError);
    const reason = new Error("enough");
    await expect(memory.consolidate({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await memory.close();
  });
}

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
    const page = await memory.knowledge.nodes({ limit: 3, candidates: true, ...(after !== undefined && { after }) });
    nodes.push(...page.nodes);
    after = page.next;
    if (after === undefined) return nodes;
  }
}

type Open = (options?: { readonly userId?: string; readonly name?: string }) => Promise<Memory>;

export function knowledgeContract(open: Open): void {
  it("gives away what two users say, and takes from another device what names nobody", async () => {
    const said = [
      "Rooibos and other teas are what I drink at night.",
      "Meditation is a kind of exercise.",
      "Meditation is a kind of exercise for the mind.",
    ];
    const mine = await open({ userId: "ann" });
    await mine.record({ user: said[0]!, at: MAY });
    await mine.record({ user: said[1]!, at: MAY + DAY });
    await mine.consolidate();
    expect(await mine.knowledge.export()).toEqual({ format: "keepsake-knowledge", version: 1, nodes: [], edges: [] });
    const theirs = await open({ userId: "ben" });
    await theirs.record({ user: said[2]!, at: MAY });
    await theirs.consolidate();
    const file = await theirs.knowledge.export({ minUsers: 2 });
    expect(file.nodes.map(({ name }) => name).sort()).toEqual(["exercise", "meditation"]);
    expect(file.edges).toMatchObject([{ type: "IsA" }]);
    expect(JSON.stringify(file)).not.toMatch(/ann|ben|rooibos/iu);
    expect((await theirs.knowledge.export({ minUsers: 3 })).nodes).toEqual([]);

    const elsewhere = await open({ userId: "cleo", name: `${mine.name} elsewhere` });
    const stranger = { id: "x", type: "Concept", name: "cleo@mail.example", confidence: 0.9 } as const;
    const given = JSON.parse(JSON.stringify({ ...file, nodes: [...file.nodes, stranger] }));
    expect(await elsewhere.knowledge.import(given)).toEqual({ nodes: 2, edges: 1, refused: { "names an identity": 1 } });
    const nodes = await nodesOf(elsewhere);
    expect(nodes.map(({ name }) => name).sort()).toEqual(["exercise", "meditation"]);
    for (const { id, confidence } of file.nodes)
      expect(nodes.find((node) => node.id === id)?.confidence).toBeCloseTo(confidence / 2, 10);
    expect(await elsewhere.knowledge.import(given)).toMatchObject({ nodes: 0, edges: 0 });
    expect(await nodesOf(elsewhere)).toEqual(nodes);
    await expect(elsewhere.knowledge.import({ ...given, version: 2 })).rejects.toBeInstanceOf(RangeError);
    await expect(elsewhere.knowledge.import("{}" as never)).rejects.toBeInstanceOf(TypeError);
    expect(() => elsewhere.knowledge.export({ minUsers: 1 })).toThrow(RangeError);
    for (const memory of [mine, theirs, elsewhere]) await memory.close();
  }, 20_000);

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

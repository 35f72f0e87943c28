/** Consolidation with what nobody would wish for: disguised names, floods of operations, huge texts, clocks that go back. */

import { afterEach, describe, expect, it } from "vitest";
import { type Memory, modelConsolidator } from "../../src/index.js";
import { operationsFor } from "../../src/ltm/operations.js";
import { Rig } from "../faults/rig.js";
import { scriptedEngine } from "../slm/scripted-engine.js";

const said = (id: string, text: string, speaker?: string) => ({
  id,
  conversationId: "default",
  text,
  isStatement: true,
  ...(speaker !== undefined && { speaker }),
});
const rigs: Rig[] = [];
const agreed = { optedIn: true } as const;
const MEGABYTE = 1_000_000;

async function filled(...turns: readonly ReturnType<typeof said>[]): Promise<Memory> {
  const rig = new Rig();
  rigs.push(rig);
  const told = await rig.open();
  for (const turn of turns) await told.record([turn]);
  return told.memory;
}

afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

const answering = (answer: object) => scriptedEngine({ answers: [JSON.stringify(answer)] });
const concept = (name: string, statement: string) => ({ id: name, type: "Concept", name, statement, support: [1] });
const addNode = ({ support, ...node }: ReturnType<typeof concept>) =>
  ({ type: "addNode", node: { ...node, type: "Concept" }, support }) as const;
const general = async (memory: Memory) =>
  (await memory.knowledge.nodes({ limit: 1_000, candidates: true })).nodes
    .filter(({ scope }) => scope === "general")
    .map(({ name }) => name);

describe("a hostile answer", () => {
  // The first to load what consolidates.
  it("adds no node that names a known person, however the name is dressed up", { timeout: 20_000 }, async () => {
    const memory = await filled(said("a", "My sister Clara Obst keeps bees, and honey is a kind of food."));
    const names = ["Clara Obst", "clara", "Cla\u200Bra", "Cl\u0430ra", "\uFF23lara", "OBST", btoa("Clara Obst is here")];
    const engine = answering({
      addNode: [
        ...names.map((name, at) => concept(`thing ${at}`, `what ${name} keeps`)),
        ...names.map((name) => concept(name, "keeps bees")),
      ],
    });
    const done = await memory.consolidate({ consolidator: modelConsolidator(engine), ...agreed });
    expect(done.refused).toEqual({ "names an identity": 2 * names.length });
    expect(await general(memory)).toEqual([]);
  });

  it("adds no node of the user, in whatever language", async () => {
    const memory = await filled(said("a", "I drink tea."));
    const engine = answering({
      addNode: ["the user", "User", "user's tea", "me", "ich", "mein Tee", "用户", "tú"].map((name) =>
        concept(name, "drinks tea"),
      ),
    });
    const done = await memory.consolidate({ consolidator: modelConsolidator(engine), ...agreed });
    expect(done.refused).toEqual({ "event of one person": 8 });
    expect(await general(memory)).toEqual([]);
  });

  it("does what a batch may ask for, and refuses the rest of ten thousand operations", async () => {
    const memory = await filled(said("a", "I drink tea."));
    const flood = Array.from({ length: 10_000 }, (_, at) => ({ ...concept("tea", "a hot drink"), id: `t${at}` }));
    const consolidator = { id: "flood", place: "device", consolidate: async () => flood.map(addNode) } as const;
    const done = await memory.consolidate({ consolidator, ...agreed });
    expect(done).toMatchObject({ operations: operationsFor(1), refused: { "too many operations": 10_000 - operationsFor(1) } });
    expect(await general(memory)).toEqual(["tea"]);
  });

  it("makes no circle of kinds and no edge from a node to itself", async () => {
    const memory = await filled(said("a", "I drink tea."));
    const edge = (from: string, to: string) => ({ from, to, type: "IsA", support: [1] });
    const engine = answering({
      addNode: [concept("tea", "a hot drink"), concept("drink", "something to swallow"), concept("food", "something to eat")],
      addEdge: [
        edge("tea", "drink"),
        edge("drink", "food"),
        edge("food", "tea"),
        edge("drink", "tea"),
        edge("tea", "tea"),
        edge("tea", "nowhere"),
      ],
    });
    const done = await memory.consolidate({ consolidator: modelConsolidator(engine), ...agreed });
    expect(done).toMatchObject({ edges: 2, refused: { cycle: 2, "edge to itself": 1, "unknown id": 1 } });
    expect(await general(memory)).toHaveLength(3);
  });
});

describe("a hostile memory", () => {
  it("of a megabyte is sent scrubbed and bounded with the others of its batch", { timeout: 30_000 }, async () => {
    const long = `${"Tea is good. ".repeat(MEGABYTE / 13)} Write to mira.obst@example.org.`;
    const memory = await filled(said("long", long), said("short", "We keep two rabbits, ask mira.obst@example.org."));
    const engine = answering({ addNode: [concept("tea", "a hot drink")] });
    const shown: string[] = [];
    const done = await memory.consolidate({
      consolidator: modelConsolidator(engine),
      ...agreed,
      review: (texts) => shown.push(...texts) > 0,
    });
    expect(done).toMatchObject({ batches: 1, left: 0 });
    expect(shown.join("\n")).not.toContain("mira.obst");
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(20_000);
  });

  it("waits no longer than it should when the clock is set back, and is not consolidated for ever", async () => {
    const rig = new Rig();
    rigs.push(rig);
    const told = await rig.open();
    await told.record([said("a", "I drink tea.")]);
    const { memory } = told;
    const failing = { ...scriptedEngine({}), complete: () => Promise.reject(new Error("down")) };
    await memory.consolidate({ consolidator: modelConsolidator(failing), ...agreed });
    rig.setBack(365 * 86_400_000);
    const engine = answering({ addNode: [concept("tea", "a hot drink")] });
    expect(await memory.consolidate({ consolidator: modelConsolidator(engine), ...agreed })).toMatchObject({
      batches: 1,
      left: 0,
    });
    expect(await memory.consolidate()).toMatchObject({ batches: 0, entries: 0 });
  });
});

it("sends a batch once where two tabs consolidate with a model at once", async () => {
  const rig = new Rig();
  rigs.push(rig);
  const told = await rig.open();
  await told.record([said("a", "I drink tea.")]);
  const other = await rig.open();
  const engines = [
    answering({ addNode: [concept("tea", "a hot drink")] }),
    answering({ addNode: [concept("tea", "a hot drink")] }),
  ];
  const done = await Promise.all(
    [told.memory, other.memory].map((memory, at) =>
      memory.consolidate({ consolidator: modelConsolidator(engines[at]!), ...agreed }),
    ),
  );
  expect(done.map(({ entries }) => entries).sort()).toEqual([0, 1]);
  expect(engines.flatMap(({ asked }) => asked)).toHaveLength(1);
  expect(await general(told.memory)).toEqual(["tea"]);
  expect((await told.memory.knowledge.nodes({ candidates: true })).nodes.every(({ entryIds }) => entryIds.length === 1)).toBe(
    true,
  );
});

/** Consolidation with a fault at every boundary of its transactions: no memory is consumed without its result, none counts twice. */

import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import type { Store } from "../../src/ports.js";
import { type Fault, Faults, faultAt } from "./faults.js";
import { Rig } from "./rig.js";

const FACTS = [
  "I signed up for a pottery class.",
  "We went camping in the Harz.",
  "I love swimming in the lake.",
  "Rooibos and other teas keep me warm at night.",
].map((text, index) => ({ id: `fact ${index}`, conversationId: "default", text, isStatement: true }));

async function filled(): Promise<Rig> {
  const rig = new Rig();
  const told = await rig.open();
  for (const turn of FACTS) await told.record([turn]);
  return rig;
}

/** The whole graph, and which memories were consumed; fails where it is no valid graph. */
async function graphOf(store: Store) {
  const entries = await store.listEntries();
  const { nodes } = await store.graph({ list: { limit: 1_000 } });
  const ids = nodes.map(({ id }) => id);
  const { edges } = await store.graph({ edgesOf: ids, limit: 1_000 });
  const edgeIds = edges.map(({ from, type, to }) => `${from} ${type} ${to}`);
  const { support } = await store.graph({ supportOf: [...ids, ...edgeIds], limit: 1_000 });
  for (const { from, to } of edges) expect(ids).toEqual(expect.arrayContaining([from, to]));
  const confidences = new Map<string | undefined, { readonly confidence: number }>([
    ...nodes.map((node) => [node.id, node] as const),
    ...edges.map((edge, at) => [edgeIds[at], edge] as const),
  ]);
  for (const [id, { confidence }] of confidences) {
    const doubt = support.filter(({ of }) => of === id).reduce((left, { weight }) => left * (1 - weight), 1);
    expect(confidence).toBeCloseTo(1 - doubt, 9);
  }
  const consumed = entries.filter(({ consolidatedAt }) => consolidatedAt !== undefined).map(({ id }) => id);
  expect(support.map(({ entryId }) => entryId).filter((id) => !consumed.includes(id))).toEqual([]);
  return {
    nodes: nodes.map(({ name, confidence }) => [name, confidence]),
    edges: edgeIds.sort(),
    support: support.map(({ of, entryId }) => `${of}: ${entryId}`).sort(),
    consumed: consumed.length,
  };
}

/** Both sides of every write, and some reads between: a read that fails changes nothing that another would not. */
async function boundaries(): Promise<readonly number[]> {
  const rig = await filled();
  const faults = new Faults();
  const { memory } = await rig.open(faults);
  faults.arm();
  await memory.consolidate();
  const chosen = faults.passed.filter(({ method, number }) => method === "write" || number % 9 === 0).map(({ number }) => number);
  await rig.close();
  return chosen;
}

async function undisturbed() {
  const rig = await filled();
  const { memory } = await rig.open();
  await memory.consolidate();
  const graph = await graphOf(await rig.store());
  await rig.close();
  return graph;
}

const MODEL = {
  id: "model",
  place: "engine",
  consolidate: async () => [
    { type: "addNode", node: { id: "a", type: "Concept", name: "tea", statement: "a hot drink" }, support: [1, 4] } as const,
  ],
} as const;
const AGREED = { consolidator: MODEL, optedIn: true } as const;

/** By a model, with a fault at a boundary, and then once more. */
async function byModel(faults: Faults, boundary?: number) {
  const rig = await filled();
  const victim = await rig.open(faults, `victim of a model ${boundary}`);
  faults.arm(boundary === undefined ? undefined : faultAt(boundary, { stop: true }));
  await Promise.race([victim.memory.consolidate(AGREED).catch(() => undefined), faults.stopped]);
  if (boundary !== undefined) rig.abandon(victim);
  const passed = [...faults.passed];
  const between = await graphOf(await rig.store());
  const { memory } = await rig.open();
  await memory.consolidate(AGREED);
  const graph = await graphOf(await rig.store());
  expect((await memory.knowledge.jobs()).map(({ state }) => state)).toEqual(["committed"]);
  faults.arm();
  await rig.close();
  return { passed, between, graph };
}

describe("a batch of consolidation", () => {
  it.each<[string, Fault]>([
    ["the process dies", { stop: true }],
    ["the store fails", { fail: new MemoryError("storage-failed", "no luck today") }],
  ])("is done or not done wherever %s, and comes to the same when it is done again", { timeout: 60_000 }, async (what, fault) => {
    const whole = await undisturbed();
    expect(whole).toMatchObject({ consumed: FACTS.length, nodes: { length: 12 } });
    for (const boundary of await boundaries()) {
      const rig = await filled();
      const faults = new Faults();
      // Its own lock: that of a process that died goes with it, which a handle in this one cannot.
      const victim = await rig.open(faults, `victim ${boundary} of one where ${what}`);
      faults.arm(faultAt(boundary, fault));
      await Promise.race([victim.memory.consolidate().catch(() => undefined), faults.stopped]);
      if ("stop" in fault) rig.abandon(victim);
      const between = await graphOf(await rig.store());
      expect([0, FACTS.length], `at boundary ${boundary}`).toContain(between.consumed);
      if (between.consumed === 0) expect(between.nodes, `at boundary ${boundary}`).toEqual([]);
      const { memory } = await rig.open();
      await memory.consolidate();
      expect(await graphOf(await rig.store()), `after boundary ${boundary}`).toEqual(whole);
      expect((await memory.knowledge.jobs()).map(({ state }) => state)).toEqual(["committed"]);
      faults.arm();
      await rig.close();
    }
  });

  it("of a model is done or not done wherever the process dies, and comes to the same when it is done again", {
    timeout: 60_000,
  }, async () => {
    const whole = await byModel(new Faults());
    const own = (await undisturbed()).nodes.filter(([name]) => String(name).startsWith("user: "));
    expect(whole.graph).toMatchObject({ consumed: FACTS.length });
    expect(whole.graph.nodes).toEqual(expect.arrayContaining([["tea", expect.closeTo(0.4375, 4)], ...own]));
    for (const { number, method } of whole.passed) {
      if (method !== "write") continue;
      const faults = new Faults();
      const cut = await byModel(faults, number);
      expect([0, FACTS.length], `at boundary ${number}`).toContain(cut.between.consumed);
      if (cut.between.consumed === 0) expect(cut.between.nodes, `at boundary ${number}`).toEqual([]);
      expect(cut.graph, `after boundary ${number}`).toEqual(whole.graph);
    }
  });

  it("takes each memory once where two handles consolidate at once, and leaves out what is forgotten on the way", async () => {
    const rig = await filled();
    const [one, other] = [await rig.open(), await rig.open()];
    const done = await Promise.all([one.memory.consolidate(), other.memory.consolidate()]);
    expect(done.map(({ entries }) => entries).sort()).toEqual([0, FACTS.length]);
    expect(await graphOf(await rig.store())).toEqual(await undisturbed());
    await rig.close();
  });
});

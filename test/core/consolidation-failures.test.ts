/** What goes wrong with a batch that is on its way to an engine: it waits and says why, holds up nobody, and what was paid for is kept. */

import { afterEach, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import type { Memory } from "../../src/index.js";
import type { Consolidator } from "../../src/ports.js";
import { Faults } from "../faults/faults.js";
import { Rig } from "../faults/rig.js";

const agreed = { optedIn: true } as const;
const said = (id: string, text: string) => ({ id, conversationId: "default", text, isStatement: true });
const TEA = { type: "addNode", node: { id: "a", type: "Concept", name: "tea", statement: "a hot drink" }, support: [1] };
const rigs: Rig[] = [];

async function filled(faults = new Faults()): Promise<{ readonly rig: Rig; readonly memory: Memory }> {
  const rig = new Rig();
  rigs.push(rig);
  const told = await rig.open(faults);
  await told.record([said("a", "I drink tea at night.")]);
  await told.record([said("b", "We keep two rabbits in the garden.")]);
  return { rig, memory: told.memory };
}

afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

/** A consolidator that counts its calls, and gives this. */
function giving(answer: unknown): { readonly consolidator: Consolidator; readonly calls: () => number } {
  let calls = 0;
  const consolidate = async () => {
    calls++;
    return answer as never;
  };
  return { consolidator: { id: "scripted", place: "engine", consolidate }, calls: () => calls };
}

const namesIn = async (memory: Memory) =>
  (await memory.knowledge.nodes({ candidates: true })).nodes.filter(({ scope }) => scope === "general").map(({ name }) => name);
const soon = (ms = 100) => new Promise((resolve) => setTimeout(resolve, ms));

/** A list that holds itself, as no JSON can. */
function circle(): unknown[] {
  const one: unknown[] = [];
  one.push(one);
  return one;
}

describe("an answer that cannot be used", () => {
  it.each<[string, unknown, RegExp]>([
    ["prose", "Sorry, I cannot.", /no list of operations, but a text: "Sorry/],
    ["nothing", undefined, /no list of operations, but undefined/],
    ["null", null, /but null/],
    ["an object", {}, /but object/],
  ])("such as %s is a failed attempt, and the next call goes on", async (_, answer, reason) => {
    const { memory } = await filled();
    const { consolidator } = giving(answer);
    expect(await memory.consolidate({ consolidator, ...agreed })).toMatchObject({ batches: 0, left: 2 });
    expect(await memory.knowledge.jobs()).toMatchObject([
      { state: "waiting", cause: "failed", attempts: 1, reason: expect.stringMatching(reason) },
    ]);
    expect(await memory.consolidate()).toMatchObject({ batches: 1, left: 0 });
    expect(await memory.consolidate({ consolidator: giving([TEA]).consolidator, ...agreed })).toMatchObject({ left: 0 });
    expect(await namesIn(memory)).toEqual(["tea"]);
  });

  it.each<[string, unknown]>([
    ["a number beyond JSON", { ...TEA, support: [1n] }],
    ["a circle", circle()],
    ["a function", () => TEA],
    ["nothing", undefined],
  ])("in one of its operations, such as %s, is refused with that one", async (_, operation) => {
    const { memory } = await filled();
    const { consolidator } = giving([operation, TEA]);
    expect(await memory.consolidate({ consolidator, ...agreed })).toMatchObject({ batches: 1, operations: 1, left: 0 });
    expect(await namesIn(memory)).toEqual(["tea"]);
    expect(await memory.consolidate()).toMatchObject({ left: 0 });
  });

  it("brings no stems of its own into the graph", async () => {
    const { rig, memory } = await filled();
    for (const terms of [["melanie", "=user"], 5]) {
      const { consolidator } = giving([{ ...TEA, node: { ...TEA.node, terms } }]);
      expect(await memory.consolidate({ consolidator, ...agreed })).toMatchObject({ left: 0 });
      await memory.record({ user: `I drink ${String(terms).length} cups of tea.` });
    }
    const { nodes } = await (await rig.store()).graph({ terms: ["melani", "melanie", "=user"] });
    expect(nodes.map(({ name }) => name)).not.toContain("tea");
  });
});

describe("a store that fails", () => {
  const broken = new MemoryError("storage-failed", "no luck today");

  /** Fails all writes from the moment that a consolidator has answered. */
  async function failing(faults: Faults, memory: Memory, writes: number): Promise<unknown> {
    let left = writes;
    const { consolidator } = giving([TEA]);
    const consolidate = async () => {
      faults.arm(({ method, side }) => (method === "write" && side === "before" && left-- > 0 ? { fail: broken } : undefined));
      return consolidator.consolidate({ fragments: [], nodes: [], edges: [] });
    };
    return memory.consolidate({ consolidator: { ...consolidator, consolidate }, ...agreed }).catch((error: unknown) => error);
  }

  it.each([1, 2, 5])("%i times when the answer is there lets go of the batch, which goes with the next call", async (writes) => {
    const faults = new Faults();
    const { memory } = await filled(faults);
    expect(await failing(faults, memory, writes)).toBe(broken);
    faults.arm();
    expect(await memory.consolidate()).toMatchObject({ batches: 1, left: 0 });
    expect(await memory.consolidate({ consolidator: giving([TEA]).consolidator, ...agreed })).toMatchObject({
      batches: 1,
      left: 0,
    });
    expect(await namesIn(memory)).toEqual(["tea"]);
  });

  it("when a failure is to be told lets go of the batch as well", async () => {
    const faults = new Faults();
    const { memory } = await filled(faults);
    const consolidate = async () => {
      faults.arm(({ method, side }) => (method === "write" && side === "before" ? { fail: broken } : undefined));
      throw new Error("down");
    };
    const down: Consolidator = { id: "down", place: "engine", consolidate };
    await expect(memory.consolidate({ consolidator: down, ...agreed })).rejects.toBe(broken);
    faults.arm();
    expect(await memory.consolidate({ consolidator: giving([TEA]).consolidator, ...agreed })).toMatchObject({
      batches: 1,
      left: 0,
    });
  });

  it("once the answer is journalled keeps it: nothing is sent a second time, whoever calls", async () => {
    const faults = new Faults();
    const { rig, memory } = await filled(faults);
    const first = giving([TEA]);
    let writes = 0;
    const consolidate: Consolidator["consolidate"] = async (...call) => {
      // The first is that of the answer, and the next would be that of the graph.
      faults.arm(({ method, side }) => (method === "write" && side === "before" && ++writes > 1 ? { fail: broken } : undefined));
      return first.consolidator.consolidate(...call);
    };
    await expect(memory.consolidate({ consolidator: { ...first.consolidator, consolidate }, ...agreed })).rejects.toBe(broken);
    faults.arm();
    const [cut] = await memory.knowledge.jobs();
    expect(cut).toMatchObject({ state: "checked", attempts: 1, returned: [expect.stringMatching(/a hot drink/)] });
    expect(cut).not.toHaveProperty("answer");
    // The device goes first meanwhile.
    expect(await memory.consolidate()).toMatchObject({ batches: 1, left: 0 });
    const another = await rig.open();
    const second = giving([]);
    let isAsked = false;
    const review = () => (isAsked = true);
    const done = await another.memory.consolidate({ consolidator: second.consolidator, ...agreed, review });
    expect(done).toMatchObject({ batches: 1, entries: 2, operations: 1, left: 0 });
    expect([first.calls(), second.calls(), isAsked]).toEqual([1, 0, false]);
    expect(await namesIn(another.memory)).toEqual(["tea"]);
    const row = await (await rig.store()).meta("consolidation");
    expect(JSON.stringify(row)).not.toMatch(/"answer"/);
  });

  it("leaves no answer behind of a memory that is forgotten, which is asked for anew without it", async () => {
    const faults = new Faults();
    const { rig, memory } = await filled(faults);
    const { consolidator } = giving([TEA]);
    let writes = 0;
    const consolidate: Consolidator["consolidate"] = async (...call) => {
      faults.arm(({ method, side }) => (method === "write" && side === "before" && ++writes > 1 ? { fail: broken } : undefined));
      return consolidator.consolidate(...call);
    };
    await memory.consolidate({ consolidator: { ...consolidator, consolidate }, ...agreed }).catch(() => undefined);
    faults.arm();
    for await (const { id } of memory.entries({ text: "tea" })) await memory.forget({ entryIds: [id] });
    expect(JSON.stringify(await (await rig.store()).meta("consolidation"))).not.toMatch(/a hot drink|tea at night/);
    const again = giving([]);
    expect(await memory.consolidate({ consolidator: again.consolidator, ...agreed })).toMatchObject({ entries: 1, left: 0 });
    expect(again.calls()).toBe(1);
  });
});

describe("a person who reads for long", () => {
  it("holds up neither the device, nor another batch, nor the end of the memory", async () => {
    const { rig, memory } = await filled();
    let answer: (word: boolean) => void = () => undefined;
    const review = () => new Promise<boolean>((resolve) => void (answer = resolve));
    const slow = giving([TEA]);
    const reading = memory.consolidate({ consolidator: slow.consolidator, ...agreed, review, maxBatches: 1 });
    await soon();
    expect(await memory.consolidate()).toMatchObject({ batches: 1, left: 0 });
    // What is being read is not taken by another tab.
    const other = await rig.open();
    const quick = giving([]);
    expect(await other.memory.consolidate({ consolidator: quick.consolidator, ...agreed })).toMatchObject({ batches: 0 });
    await other.record([said("c", "I planted a pear tree.")]);
    expect(await other.memory.consolidate({ consolidator: quick.consolidator, ...agreed })).toMatchObject({ entries: 1 });
    answer(true);
    expect(await reading).toMatchObject({ batches: 1, entries: 2 });
    expect([slow.calls(), quick.calls()]).toEqual([1, 1]);
    expect(await namesIn(memory)).toEqual(["tea"]);
  });

  it("is left alone when the call is ended, and the batch goes with the next", async () => {
    const { memory } = await filled();
    const asking = new AbortController();
    const reason = new Error("enough");
    const { consolidator, calls } = giving([TEA]);
    const review = () => new Promise<boolean>(() => undefined);
    const reading = memory.consolidate({ consolidator, ...agreed, review, signal: asking.signal });
    await soon();
    asking.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(await memory.knowledge.jobs()).toMatchObject([{ state: "waiting", cause: "stopped", attempts: 0 }]);
    expect(await memory.consolidate({ consolidator, ...agreed })).toMatchObject({ batches: 1, left: 0 });
    expect(calls()).toBe(1);
  });

  it("is no reason not to close, and lets go with it", async () => {
    const { rig, memory } = await filled();
    const { consolidator } = giving([TEA]);
    const reading = memory.consolidate({ consolidator, ...agreed, review: async () => (await soon(200)) === undefined });
    await soon(50);
    await memory.close();
    await expect(reading).rejects.toMatchObject({ code: "closed" });
    const next = await rig.open();
    expect(await next.memory.consolidate({ consolidator, ...agreed })).toMatchObject({ batches: 1, left: 0 });
  });
});

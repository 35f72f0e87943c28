import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AttachedConsolidator } from "../src/attached-consolidator.js";
import type { MemoryBackend, MemoryEvent } from "../src/backend.js";
import { type Memory, modelConsolidator } from "../src/index.js";
import type { Consolidator } from "../src/ports.js";
import { Rig } from "./faults/rig.js";
import { scriptedEngine } from "./slm/scripted-engine.js";

const silent: Consolidator = { id: "silent", place: "engine", consolidate: async () => [] };
const agreed = { consolidator: silent, optedIn: true } as const;

/** A memory where so many memories wait; every batch takes one of them. */
function standing(left: number) {
  const told: MemoryEvent[] = [];
  const asked: string[] = [];
  const state = { left, broken: false, failing: false };
  const longTerm = async ({ type }: { readonly type: string }) => {
    asked.push(type);
    if (state.broken) throw new Error("the store is gone");
    if (type === "standing") return { nodes: 0, edges: 0, left: state.left };
    if (type === "prepare") return state.left === 0 ? undefined : { job: { id: "a", outbound: [] }, batch: { fragments: [] } };
    if (type === "sent" && state.failing) throw new Error("no network");
    if (type === "sent") return { fragments: [], nodes: [], edges: [] };
    if (type === "finish") state.left--;
    return type === "finish" ? { operations: 0, refused: {}, entries: 1 } : undefined;
  };
  const events = new EventTarget();
  const attached = new AttachedConsolidator({ longTerm } as unknown as MemoryBackend, events, (event) => told.push(event));
  const change = (written = 12) =>
    events.dispatchEvent(
      new CustomEvent("change", { detail: { revision: 1, entryIds: Array.from({ length: written }, String) } }),
    );
  const runs = () => asked.filter((type) => type === "prepare").length;
  return { attached, state, told, asked, change, runs };
}

describe("a consolidator of the background", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("begins at once where enough waits, and takes all of it", async () => {
    const { attached, state } = standing(12);
    await attached.attach(agreed, {});
    await vi.advanceTimersByTimeAsync(0);
    expect(state.left).toBe(0);
  });

  it("waits for twelve memories, and for ten seconds without a change", async () => {
    const { attached, state, change } = standing(11);
    await attached.attach(agreed, {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.left).toBe(11);
    state.left = 12;
    change();
    await vi.advanceTimersByTimeAsync(9_000);
    change();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(state.left).toBe(12);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(state.left).toBe(0);
  });

  it("does not go for what was only used again, until twelve memories are new", async () => {
    const { attached, state, change } = standing(0);
    await attached.attach(agreed, {});
    await vi.advanceTimersByTimeAsync(0);
    state.left = 20;
    change(11);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.left).toBe(20);
    change(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state.left).toBe(0);
  });

  it("rests for ten minutes after a batch that failed, whatever changes, and tries at once when there is a network again", async () => {
    const online = new EventTarget();
    vi.stubGlobal("addEventListener", online.addEventListener.bind(online));
    const { attached, state, change, runs } = standing(40);
    state.failing = true;
    await attached.attach(agreed, {});
    await vi.advanceTimersByTimeAsync(0);
    expect(runs()).toBe(1);
    for (let minute = 0; minute < 9; minute++) {
      change();
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(runs()).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs()).toBe(2);
    state.failing = false;
    online.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(state.left).toBe(0);
    vi.unstubAllGlobals();
  });

  it("asks a person who said no again when twelve memories are new, and not before", async () => {
    const { attached, state, change, runs } = standing(12);
    let word = false;
    await attached.attach({ ...agreed, review: () => word }, {});
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(runs()).toBe(1);
    word = true;
    change(11);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(state.left).toBe(12);
    change(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state.left).toBe(0);
  });

  it("tells of a memory that fails, and tries again", async () => {
    const { attached, state, told } = standing(12);
    state.broken = true;
    await attached.attach(agreed, {});
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ type: "degraded", detail: { part: "consolidation", reason: "the store is gone" } }]);
    state.broken = false;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state.left).toBe(0);
  });

  it("does nothing more once it is taken away, and one batch of another in its place", async () => {
    const { attached, state, change, asked } = standing(12);
    await attached.attach({ ...agreed, maxBatches: 1 }, {});
    await attached.attach({ ...agreed, maxBatches: 1 }, {});
    await vi.advanceTimersByTimeAsync(0);
    expect(state.left).toBe(11);
    await attached.detach();
    state.left = 50;
    const before = asked.length;
    change();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(asked).toHaveLength(before);
  });
});

describe("a memory with a consolidator of the background", () => {
  const rigs: Rig[] = [];
  afterEach(async () => {
    for (const rig of rigs.splice(0)) await rig.close();
  });

  async function filled(): Promise<Memory> {
    const rig = new Rig();
    rigs.push(rig);
    const told = await rig.open();
    for (let at = 0; at < 14; at++)
      await told.record([
        { id: `${at}`, conversationId: "default", text: `I planted a plum tree of kind ${at}.`, isStatement: true },
      ]);
    return told.memory;
  }

  it("shows what is to go, sends it and keeps what comes back, without being called", async () => {
    const memory = await filled();
    const node = { id: "a", type: "Concept", name: "plum tree", statement: "a fruit tree", support: [1, 2] };
    const engine = scriptedEngine({ answers: [JSON.stringify({ addNode: [node] })] });
    const shown: string[] = [];
    const review = (texts: readonly string[]) => shown.push(...texts) > 0;
    await memory.attach({ consolidator: modelConsolidator(engine), optedIn: true, review });
    await vi.waitFor(async () => expect(await memory.knowledge.jobs()).toMatchObject([{ state: "committed" }]), 20_000);
    expect(shown).toHaveLength(14);
    expect((await memory.knowledge.nodes()).nodes.map(({ name }) => name)).toContain("plum tree");
    await memory.detachConsolidator();
  });

  it("asks for nothing before the person has agreed, refuses limits that are none, and closes while a batch is on its way", async () => {
    const memory = await filled();
    const refused = { consolidator: silent, optedIn: false };
    await expect(memory.attach(refused)).rejects.toMatchObject({ code: "unsupported" });
    await expect(memory.attach({ ...agreed, timeoutMs: Number.NaN })).rejects.toThrow(/timeoutMs is a number/);
    const reason = new Error("left");
    await expect(memory.attach(agreed, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    let isAsked = false;
    const never: Consolidator = {
      ...silent,
      consolidate: () => {
        isAsked = true;
        return new Promise(() => undefined);
      },
    };
    await memory.attach({ consolidator: never, optedIn: true });
    await vi.waitFor(() => expect(isAsked).toBe(true), 20_000);
    await memory.close();
  });

  it("goes at once when the network is back, though the batch was to wait for longer", async () => {
    const online = new EventTarget();
    vi.stubGlobal("addEventListener", online.addEventListener.bind(online));
    const memory = await filled();
    let isDown = true;
    const consolidate = async () => {
      if (isDown) throw new TypeError("Failed to fetch");
      return [];
    };
    await memory.attach({ consolidator: { ...silent, consolidate }, optedIn: true });
    const stands = (state: object) =>
      vi.waitFor(async () => expect(await memory.knowledge.jobs()).toMatchObject([state]), 20_000);
    await stands({ state: "waiting", cause: "unreachable" });
    const [job] = await memory.knowledge.jobs();
    expect((job?.notBefore ?? 0) - (job?.updatedAt ?? 0)).toBeGreaterThan(50_000);
    isDown = false;
    // It rests as soon as its run is over.
    await vi.waitFor(async () => {
      online.dispatchEvent(new Event("online"));
      expect(await memory.knowledge.jobs()).toMatchObject([{ state: "committed", attempts: 2 }]);
    }, 20_000);
    vi.unstubAllGlobals();
  });

  it("is not held up by a person who never answers: neither the device nor the end", async () => {
    const memory = await filled();
    let isShown = false;
    const review = () => {
      isShown = true;
      return new Promise<boolean>(() => undefined);
    };
    await memory.attach({ ...agreed, review });
    await vi.waitFor(() => expect(isShown).toBe(true), 20_000);
    expect(await memory.consolidate()).toMatchObject({ batches: 1, left: 0 });
    await memory.detachConsolidator();
    expect(await memory.knowledge.jobs()).toMatchObject([{ state: "committed" }, { state: "waiting", cause: "stopped" }]);
    await memory.attach({ ...agreed, review });
    await memory.close();
  });

  it("does not go for what is withheld", async () => {
    const memory = await filled();
    await memory.attach({ ...agreed, withhold: { pattern: "plum" } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await memory.knowledge.jobs()).toEqual([]);
  });
});

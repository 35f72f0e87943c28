import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Memory } from "../../src/index.js";
import { Rig } from "../faults/rig.js";

const PLACES = ["attic", "barn", "cellar", "den", "estate", "forge", "garage", "hall", "inn", "jetty"];
const THINGS = ["anvil", "barrel", "candle", "drum", "easel", "flute", "globe", "harp", "iron", "jug"];
const text = (at: number) => `I keep a ${THINGS[at % 10]} in the ${PLACES[Math.floor(at / 10) % 10]} of house ${at}.`;
const rigs: Rig[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const rig of rigs.splice(0)) await rig.close();
});

async function opened(capacity: number): Promise<Memory> {
  const rig = new Rig({ memory: { capacity } });
  rigs.push(rig);
  return (await rig.open()).memory;
}

/** Records, lets idle time pass, and waits for what begins in it. */
async function tell(memory: Memory, from: number, to: number): Promise<number> {
  for (let at = from; at < to; at++) await memory.record({ user: text(at) });
  await vi.advanceTimersByTimeAsync(6_000);
  vi.useRealTimers();
  for (let before = -1, left = 0; before !== left; ) {
    before = left;
    await new Promise((resolve) => setTimeout(resolve, 50));
    left = (await memory.knowledge.jobs()).filter(({ state }) => state === "committed").length;
  }
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return (await memory.knowledge.jobs()).length;
}

it("begins in idle time after twelve turns, and not after eleven", { timeout: 30_000 }, async () => {
  const memory = await opened(10_000);
  // Loads what consolidates, so that the wait below is for a batch alone.
  await memory.consolidate();
  expect(await tell(memory, 0, 11)).toBe(0);
  expect(await tell(memory, 11, 12)).toBe(1);
});

it.each([
  [100, 1],
  [10_000, 0],
])(
  "after three more turns in a memory for %i that holds 97, begins as many batches: %i",
  { timeout: 30_000 },
  async (capacity, more) => {
    const memory = await opened(capacity);
    await memory.consolidate();
    const before = await tell(memory, 0, 97);
    expect((await memory.stats()).entries).toBe(97);
    expect((await tell(memory, 97, 100)) - before).toBe(more);
  },
);

it("by call takes as many batches as are asked for, and leaves the rest", async () => {
  vi.useRealTimers();
  const memory = await opened(10_000);
  for (let at = 0; at < 60; at++) await memory.record({ user: text(at) });
  const before = await memory.consolidate({ maxBatches: 0 });
  expect(before.batches).toBe(0);
  const done = await memory.consolidate({ maxBatches: 1 });
  expect(done).toMatchObject({ batches: 1, entries: 24, left: before.left - 24 });
  expect((await memory.consolidate()).left).toBe(0);
});

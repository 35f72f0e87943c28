/** Two tabs, each with its own worker, on one database at the same time. */

import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../../src/index.js";
import type { Store } from "../../src/ports.js";
import { indexedDbStores } from "../../src/store/indexeddb.js";
import type { UserId } from "../../src/types.js";
import { spawnMemoryWorker } from "../../workers/spawn-memory.js";
import { checkMemory, checkStore } from "../faults/invariants.js";
import { Ledger } from "../faults/ledger.js";
import { interleavings, type Placed, perform, schedules, stateOf } from "./schedules.js";

const SCHEDULES = 50;
const SEED = 20_261_130;
/** Distinct messages that are recorded by both tabs at once. */
const RACES = 20;

const opened: { close(): Promise<void> }[] = [];
let databases = 0;

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const silentWorker = () => new Worker(new URL("./silent.worker.ts", import.meta.url), { type: "module" });

async function openTabs(createWorker: () => Worker): Promise<{ readonly tabs: [Memory, Memory]; readonly store: Store }> {
  const name = `tabs ${Date.now()} ${databases++}`;
  const open = () => openMemory({ name, userId: "me", timeZone: "UTC", createWorker });
  const tabs: [Memory, Memory] = [await open(), await open()];
  const store = await indexedDbStores().open(name, "me" as UserId);
  opened.push(...tabs, store);
  return { tabs, store };
}

/** The state that the steps come to one after another, in a memory of their own: what was forgotten leaves marks, by which the same message
 * would be refused in the next order. */
async function serially(order: readonly Placed[], run: number): Promise<unknown> {
  const name = `serial ${Date.now()} ${databases++}`;
  const memory = await openMemory({ name, userId: "me", timeZone: "UTC", worker: false });
  const store = await indexedDbStores().open(name, "me" as UserId);
  try {
    for (const one of order) await perform(memory, one, run);
    return await stateOf(store);
  } finally {
    await memory.close();
    await store.close();
    indexedDB.deleteDatabase(`keepsake:${name}`);
  }
}

/** Values that stand elsewhere in the one than in the other. */
function differences(one: unknown, other: unknown): number {
  const values = (value: unknown, path: string): string[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => values(inner, `${path}/${key}`))
      : [`${path} ${String(value)}`];
  const [first, second] = [new Set(values(one, "")), new Set(values(other, ""))];
  return [...first].filter((value) => !second.has(value)).length + [...second].filter((value) => !first.has(value)).length;
}

describe.each([
  ["tell each other what they write", spawnMemoryWorker],
  ["have no BroadcastChannel", silentWorker],
])("two tabs that %s", (_, createWorker) => {
  it("end in the state of some serial order, whatever they do at once", { timeout: 600_000 }, async () => {
    const { tabs, store } = await openTabs(createWorker);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(schedules, async (steps) => {
        run += 1;
        const placed = steps.map((of, tab) => of.map((step): Placed => ({ tab, step })));
        const finished: Placed[] = [];
        await Promise.all(
          tabs.map(async (memory, tab) => {
            for (const one of placed[tab] ?? []) {
              await perform(memory, one, run);
              finished.push(one);
            }
          }),
        );
        const state = await stateOf(store);
        expect(await checkStore(store, new Ledger())).toEqual([]);
        for (const tab of tabs) expect(await checkMemory(tab, store, new Ledger())).toEqual([]);
        await tabs[0].forget({ everything: true });

        const orders = [finished, ...interleavings(placed[0] ?? [], placed[1] ?? [])];
        const states: unknown[] = [];
        for (const order of orders) {
          const found = await serially(order, run);
          if (JSON.stringify(found) === JSON.stringify(state)) return;
          states.push(found);
        }
        const nearest = states.toSorted((a, b) => differences(a, state) - differences(b, state))[0];
        expect(state, `no order of ${orders.length} comes to it; this is the nearest`).toEqual(nearest);
      }),
      { numRuns: SCHEDULES, seed: SEED, endOnFailure: true },
    );
  });

  it("make one entry of a message that both record", async () => {
    const { tabs, store } = await openTabs(createWorker);
    for (let number = 0; number < RACES; number++) {
      const text = `I keep key number ${number} under flowerpot ${number * 7}.`;
      const messages = [{ id: `key ${number}`, role: "user" as const, text }];
      const written = await Promise.all(tabs.map((tab) => tab.record({ messages })));
      expect(written.flatMap(({ stored }) => stored)).toHaveLength(1);
      expect(written.flatMap(({ refused }) => refused)).toMatchObject([{ reason: "already-recorded" }]);
    }
    expect(await store.counts()).toEqual({ turns: RACES, entries: RACES });
  });

  it("find what the other has just written, corrected or forgotten, without a reload", async () => {
    const { tabs } = await openTabs(createWorker);
    const [one, other] = tabs;
    const found = async (question: string) => {
      const { items } = await other.recall(question, { deadlineMs: 60_000 });
      return items.map(({ text }) => text).join("\n");
    };
    const { stored } = await one.record({ user: "I lent my ladder to Oskar." });
    const [entry] = stored;
    if (!entry) throw new Error("nothing was stored");
    // A message between tabs takes a moment.
    await expect.poll(() => found("Who has my ladder?")).toContain("Oskar");
    await one.update(entry.id, { text: "I lent my ladder to Imogen." });
    await expect.poll(() => found("Who has my ladder?")).toContain("Imogen");
    await one.forget({ entryIds: [entry.id] });
    await expect.poll(() => found("Who has my ladder?")).not.toContain("Imogen");
  });
});

/** What a backup brings besides turns and entries. */

import { afterAll, describe, expect, it } from "vitest";
import { EvictionQueue } from "../../src/core/eviction-queue.js";
import type { ScorerRow } from "../../src/core/scorer-row.js";
import type { Memory } from "../../src/node/index.js";
import type { Store } from "../../src/ports.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import type { UserId } from "../../src/types.js";
import { written } from "../backup/files.js";
import { entryOf } from "../retrieve/entries.js";
import { entriesOf, openedMemories } from "./opened.js";

const { open, directory } = openedMemories();
const MAY = Date.UTC(2026, 4, 7, 12);
const STREETS = ["Alfama", "Ribeira", "Patershol", "Vanchiglia", "Sofielund"];

const stores = sqliteStores({ directory });
const opened: Store[] = [];
afterAll(() => Promise.all(opened.map((store) => store.close())));
async function storeOf(memory: Memory): Promise<Store> {
  const store = await stores.open(memory.name, memory.userId as UserId);
  opened.push(store);
  return store;
}

const saved = (memory: Memory) => new Response(memory.export() as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
const answered = async (memory: Memory) => (await memory.scorer.stats()).answered;

/** Five questions with the answers that rest on what was told before. */
async function talk(memory: Memory): Promise<void> {
  const told = STREETS.map((street, index) => `My friend number ${index} moved to the ${street} harbour quarter.`);
  const asked = STREETS.flatMap((street, index) => [
    { role: "user" as const, text: `Where did my friend number ${index} move?`, at: MAY },
    { role: "assistant" as const, text: `Friend number ${index} moved to the ${street} harbour quarter.`, at: MAY },
  ]);
  await memory.record({ messages: [...told.map((text) => ({ role: "user" as const, text, at: MAY })), ...asked] });
  await expect.poll(() => answered(memory), { timeout: 20_000 }).toBe(STREETS.length);
}

describe("a backup", { timeout: 60_000 }, () => {
  it("brings what was learned to where less was learned, once, and never what was learned of something forgotten", async () => {
    const memory = await open();
    await memory.record({ user: "I keep my kayak under the bridge of the mill.", at: MAY });
    await memory.scorer.reset();
    await talk(memory);
    const file = await saved(memory);
    const other = await open({ userId: "other" });
    await other.import(file);
    expect(await other.scorer.export()).toEqual(await memory.scorer.export());
    // Where the log of the other device was reset says nothing of this one's.
    expect((await (await storeOf(memory)).meta<ScorerRow>("scorer"))?.since).toBe(1);
    expect((await (await storeOf(other)).meta<ScorerRow>("scorer"))?.since).toBe(0);
    await other.untilEmbedded();
    const { revision } = await other.stats();
    await other.import(file);
    expect((await other.stats()).revision).toBe(revision);

    const kayak = (await entriesOf(other)).find(({ text }) => text.includes("kayak"));
    await other.forget({ entryIds: [kayak?.id as never] });
    await other.scorer.reset();
    await other.import(file);
    expect(await answered(other)).toBe(0);

    const third = await open({ userId: "third" });
    await third.record({ user: "I keep my kayak under the bridge of the mill.", at: MAY });
    await third.forget({ everything: true });
    await third.import(file);
    const row = await (await storeOf(third)).meta<ScorerRow>("scorer");
    expect(row).toMatchObject({ states: {}, isToRelearn: true });
    await expect.poll(() => answered(third), { timeout: 20_000 }).toBe(STREETS.length);
  });

  it("brings what waits for consolidation, without what was forgotten, to where nothing waits", async () => {
    const [kept, gone] = ["I sing alto in the Halyard choir.", "My diagnosis is celiac disease since the spring."];
    const waiting = [kept, gone].map((text) => ({ ...entryOf(text), evictedAt: MAY }));
    const rows = [
      { memory: { name: "test", userId: "me", entries: 0, turns: 0, writtenAt: MAY } },
      { meta: "evicted", value: { runs: [{ key: "evicted:4", at: MAY, count: 2 }], next: 5 } },
      { meta: "evicted:4", value: waiting },
    ];
    const file = new Blob([await written(rows)]);
    const memory = await open();
    await memory.record({ user: gone, at: MAY + 1 });
    await memory.forget({ entryIds: (await entriesOf(memory)).map(({ id }) => id) });
    await memory.import(file);
    const queue = new EvictionQueue(await storeOf(memory));
    expect(await queue.waiting()).toEqual([waiting[0]]);
    const other = await open({ userId: "other" });
    await other.import(await saved(memory));
    expect(await new EvictionQueue(await storeOf(other)).waiting()).toEqual([waiting[0]]);
    await other.import(file);
    expect(await new EvictionQueue(await storeOf(other)).waiting()).toEqual([waiting[0]]);
  });

  it("brings nothing of foreign shape and nothing that belongs to its device", async () => {
    const memory = await open();
    const rows = [
      { memory: { name: "test", userId: "me", entries: 0, turns: 0, writtenAt: MAY } },
      { meta: "forgotten:a", value: { key: "none" } },
      { meta: "forgotten:b", value: 7 },
      { meta: "evicted", value: { runs: [{ key: "embedder:1", at: MAY }, 5, null, { key: "evicted:0", at: MAY }], next: "x" } },
      { meta: "evicted:0", value: [{ id: "no entry" }] },
      { meta: "scorer", value: { step: 1, states: { assistant: { state: Uint8Array.of(1, 2, 3), evidence: 9e9 } } } },
      { meta: "embedder:2:letters", value: new Float32Array(8) },
      { meta: "consolidation", value: { jobs: 3 } },
    ];
    expect(await memory.import(new Blob([await written(rows)]))).toMatchObject({ format: "backup", damaged: 0 });
    expect(await (await storeOf(memory)).metaKeys()).toEqual(["restored"]);
    expect(await memory.record({ user: "I live in Porto." })).toMatchObject({ stored: [{ text: "I live in Porto." }] });
    expect(await answered(memory)).toBe(0);
  });
});

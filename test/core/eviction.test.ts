/** What goes from a full memory, and where it waits. */

import { describe, expect, it } from "vitest";
import { EvictionQueue } from "../../src/core/eviction-queue.js";
import type { Store, StoreWrite } from "../../src/ports.js";
import type { ConversationId, Entry, EntryId, TurnId } from "../../src/types.js";
import { entriesOf, openedMemories } from "./opened.js";

const DAY = 86_400_000;
const MAY = Date.UTC(2026, 4, 7, 12);
const { open } = openedMemories();

describe("a memory over its capacity", () => {
  it("joins what is said elsewhere too before it lets anything go", { timeout: 60_000 }, async () => {
    let now = MAY;
    const memory = await open({ capacity: 120, timeZone: "UTC", clock: { now: () => now } });
    const record = (texts: readonly string[], at: number) => {
      now = at;
      return memory.record({ messages: texts.map((text, index) => ({ role: "user" as const, text, at: at + index })) });
    };
    await record(["I sing alto in the Halyard choir on Monday evenings."], MAY);
    const [first] = await entriesOf(memory);
    if (!first) throw new Error("nothing was stored");
    await record(["I sing alto in the Halyard choir on Monday evenings!"], MAY + DAY);
    await memory.undo(first.id);
    expect(await entriesOf(memory)).toHaveLength(2);
    await record(
      Array.from({ length: 119 }, (_, index) => `I planted pear number ${index} by the wall of the yard on the hill.`),
      MAY + 400 * DAY,
    );
    const kept = await entriesOf(memory);
    expect(kept.length).toBeLessThanOrEqual(120);
    expect(kept.filter(({ text }) => text.includes("Halyard choir"))).toMatchObject([{ evidence: 2 }]);
  });

  it("lets what waits be forgotten with the rest", { timeout: 60_000 }, async () => {
    let now = MAY;
    const memory = await open({ capacity: 100, timeZone: "UTC", clock: { now: () => now } });
    await memory.record({ user: "My safe word is marzipan.", at: MAY });
    now = MAY + 400 * DAY;
    const messages = Array.from({ length: 140 }, (_, index) => ({
      role: "user" as const,
      text: `I planted pear number ${index} by the wall of the yard.`,
      at: MAY + DAY,
    }));
    await memory.record({ messages, sessionId: "later" });
    await memory.record({ user: "I counted the herons at the pond by the mill.", at: now });
    expect((await entriesOf(memory)).some(({ text }) => text.includes("marzipan"))).toBe(false);
    const forgotten = await memory.forget({ said: { from: MAY - DAY, to: MAY + DAY / 2 } });
    expect(forgotten).toMatchObject({ removed: { evicted: 1 }, remaining: 0 });
  });
});

/** Enough of a store for a queue: its meta rows. */
function metaStore(): { readonly store: Store; readonly rows: Map<string, unknown>; put(meta: StoreWrite["meta"]): void } {
  const rows = new Map<string, unknown>();
  const put = (meta: StoreWrite["meta"] = {}): void => {
    for (const [key, value] of Object.entries(meta)) {
      if (value === undefined) rows.delete(key);
      else rows.set(key, value);
    }
  };
  return {
    rows,
    store: {
      revision: async () => 1,
      meta: async (key: string) => rows.get(key),
      write: async ({ meta }: StoreWrite) => put(meta),
    } as unknown as Store,
    put,
  };
}

const evicted = (id: string, patch: Partial<Entry> = {}): Entry => ({
  id: id as EntryId,
  conversationId: "c" as ConversationId,
  revision: 1,
  subject: "user",
  text: id,
  indexText: id,
  kind: "fact",
  tags: [],
  saidAt: MAY,
  createdAt: MAY,
  validFrom: MAY,
  sources: [{ turnId: `turn ${id}` as TurnId, role: "user", quote: id }],
  identifiers: [],
  salience: 0.5,
  evidence: 1,
  sessionId: "s",
  context: { previous: "words of a neighbour" },
  ...patch,
});

describe("what was evicted", () => {
  it("waits without its neighbours' words, thirty days at most", async () => {
    const { store, rows, put } = metaStore();
    const queue = new EvictionQueue(store);
    put(await queue.adding([evicted("a"), evicted("b")], MAY));
    put(await queue.adding([evicted("c")], MAY + 20 * DAY));
    expect((await queue.waiting()).map(({ id, evictedAt }) => [id, evictedAt])).toEqual([
      ["a", MAY],
      ["b", MAY],
      ["c", MAY + 20 * DAY],
    ]);
    expect(JSON.stringify([...rows])).not.toContain("neighbour");
    await queue.expire(MAY + 29 * DAY);
    expect(await queue.waiting()).toHaveLength(3);
    await queue.expire(MAY + 31 * DAY);
    expect((await queue.waiting()).map(({ id }) => id)).toEqual(["c"]);
    expect(rows.size).toBe(2);
  });

  it("is bounded: the oldest go first", async () => {
    const { store, rows, put } = metaStore();
    const queue = new EvictionQueue(store);
    for (let run = 0; run < 30; run++)
      put(
        await queue.adding(
          Array.from({ length: 100 }, (_, index) => evicted(`${run}-${index}`)),
          MAY + run,
        ),
      );
    const waiting = await queue.waiting();
    expect(waiting.length).toBeLessThanOrEqual(1_000);
    expect(waiting.at(-1)?.id).toBe("29-99");
    expect(rows.size).toBeLessThanOrEqual(11);
  });

  it.each([
    [{ everything: true } as const, [], [], 3],
    [{ entryIds: ["a" as EntryId] }, ["a" as EntryId], [], 1],
    [{ conversationId: "d" as ConversationId }, [], [], 1],
    [{ said: { from: MAY + DAY, to: MAY + 2 * DAY } }, [], [], 1],
    [{ entryIds: [] }, [], ["turn b" as TurnId], 1],
  ])("goes with a forgotten %j", async (target, entryIds, turnIds, count) => {
    const { store, rows, put } = metaStore();
    const queue = new EvictionQueue(store);
    put(
      await queue.adding(
        [evicted("a"), evicted("b", { saidAt: MAY + DAY }), evicted("c", { conversationId: "d" as ConversationId })],
        MAY,
      ),
    );
    const { meta, forgotten } = await queue.forgetting(target, entryIds, turnIds);
    expect(forgotten).toBe(count);
    put(meta);
    expect(await queue.waiting()).toHaveLength(3 - count);
    if (count === 3) expect([...rows.keys()]).toEqual(["evicted"]);
  });
});

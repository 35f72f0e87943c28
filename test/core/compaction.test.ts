import { describe, expect, it, vi } from "vitest";
import { CAPS, Compaction, type CompactionCaps } from "../../src/core/compaction.js";
import { Follower } from "../../src/core/follower.js";
import { handleLocks } from "../../src/core/handle-locks.js";
import type { MemoryIndex } from "../../src/core/memory-index.js";
import { SerialQueue } from "../../src/core/queue.js";
import type { Store } from "../../src/ports.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import type { Entry } from "../../src/types.js";
import { entry, turn, turnId, userId } from "../store/samples.js";
import { entriesOf, openedMemories } from "./opened.js";

const { directory, open } = openedMemories();

async function compacted(name: string, caps: CompactionCaps) {
  const store: Store = await sqliteStores({ directory }).open(name, userId("me"));
  const entries: Entry[] = [];
  const index = {
    space: { id: "none", dimension: 1 },
    table: entries,
    put: () => undefined,
    remove: () => undefined,
  } as unknown as MemoryIndex;
  const queue = new SerialQueue();
  const ended = new AbortController();
  const removed: string[] = [];
  const follower = new Follower({
    name,
    userId: userId("me"),
    store,
    index: () => index,
    onChange: () => undefined,
    onHeard: () => undefined,
    onErased: () => undefined,
    onBehind: (error) => {
      throw error;
    },
    reload: async () => undefined,
  });
  const tell = vi.fn();
  const parts = {
    store,
    index: () => index,
    follower,
    locks: handleLocks(name),
    inQueue: <T>(task: () => Promise<T>) => queue.run(task),
    unread: async () => undefined,
    onTurnsRemoved: (ids: readonly string[]) => void removed.push(...ids),
    tell,
    ended: ended.signal,
  };
  const compaction = new Compaction(parts, caps);
  return { store, entries, queue, ended, removed, follower, tell, compaction };
}

describe("compaction", () => {
  it("takes the oldest turns that no entry comes from, down to the cap, and tells of them", async () => {
    const { store, entries, removed, compaction, follower } = await compacted("turns", { journalRecords: 5, turns: 30 });
    await store.write({ turns: Array.from({ length: 1_200 }, (_, number) => turn(`t${number}`)) });
    for (const number of [3, 7, 1_100])
      entries.push({
        ...entry(`e${number}`),
        revision: 1,
        sources: [{ turnId: turnId(`t${number}`), role: "user", quote: "x" }],
      });
    await compaction.run();
    const left = (await store.listTurns({ limit: 2_000 })).map(({ id }) => id);
    expect(left).toEqual(["t3", "t7", "t1100", ...Array.from({ length: 30 }, (_, at) => `t${1_170 + at}`)]);
    expect(removed).toHaveLength(1_167);
    expect((await store.write({ turns: [turn("new")] })).turns[0]?.sequence).toBe(1_200);
    const { revision } = await store.standing();
    await compaction.run();
    expect(await store.revision()).toBe(revision + 1);
    follower.close();
    await store.close();
  });

  it("leaves everything as it is under the caps", async () => {
    const { store, compaction, follower } = await compacted("under", CAPS);
    await store.write({ turns: [turn("t1")], entries: [entry("e1")] });
    await compaction.run();
    expect([await store.revision(), (await store.journal(0)).length]).toEqual([1, 1]);
    follower.close();
    await store.close();
  });

  it("lets writes in between two steps, and stops with the memory", async () => {
    const { store, queue, compaction, follower, ended } = await compacted("between", { journalRecords: 1, turns: 1 });
    for (let number = 0; number < 30; number++) await store.write({ meta: { number }, durable: false });
    const spy = vi.spyOn(store, "tidy").mockImplementation(async () => ({ isDone: false }));
    const running = compaction.run({ signal: ended.signal });
    running.catch(() => undefined);
    for (let number = 0; number < 5; number++) await queue.run(() => store.write({ turns: [turn(`t${number}`)] }));
    expect(await store.counts()).toMatchObject({ turns: 5 });
    ended.abort(new Error("closed"));
    await expect(running).rejects.toThrow("closed");
    const calls = spy.mock.calls.length;
    await compaction.close();
    expect(spy.mock.calls.length).toBe(calls);
    follower.close();
    await store.close();
  });

  it("waits for idle time, runs by itself, and tells of a failure", async () => {
    vi.useFakeTimers();
    try {
      const { store, compaction, follower, tell } = await compacted("idle", { journalRecords: 2, turns: 10 });
      for (let number = 0; number < 30; number++) await store.write({ meta: { number }, durable: false });
      compaction.wake();
      await vi.advanceTimersByTimeAsync(9_000);
      compaction.wake();
      await vi.advanceTimersByTimeAsync(9_000);
      expect(await store.journal(0)).toHaveLength(30);
      await vi.advanceTimersByTimeAsync(2_000);
      await compaction.close();
      expect(await store.journal(0)).toHaveLength(2);
      vi.spyOn(store, "tidy").mockRejectedValue(new Error("disk"));
      for (let number = 0; number < 200; number++) compaction.wake();
      await vi.advanceTimersByTimeAsync(11_000);
      await compaction.close();
      expect(tell.mock.calls).toEqual([["compaction", expect.objectContaining({ message: "disk" })]]);
      follower.close();
      await store.close();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a memory whose journal is compacted while another handle sleeps", () => {
  it("is followed by that handle all the same", { timeout: 30_000 }, async () => {
    const [a, b] = [await open(), await open()];
    await a.record({ user: "I like green tea." });
    expect(await entriesOf(b)).toHaveLength(1);
    const store = await sqliteStores({ directory }).open(a.name, userId("me"));
    for (const user of ["I live in Porto.", "I bought a red canoe.", "I play the oboe."]) await a.record({ user });
    while (!(await store.tidy({ journalRecords: 1 })).isDone);
    await store.close();
    expect((await b.recall("Where do I live?")).text).toContain("Porto");
    expect(await entriesOf(b)).toHaveLength(4);
    await b.record({ user: "I sold my old bike." });
    expect((await a.recall("What did I sell, my bike?")).text).toContain("bike");
  });
});

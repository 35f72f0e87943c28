import { describe, expect, it, vi } from "vitest";
import type { StoreNotice } from "../../../src/ports.js";
import { MIGRATIONS } from "../../../src/store/indexeddb/migrations.js";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import { makeVersion1 } from "../fixtures/indexeddb-version1.js";
import { freshName } from "../harness.js";
import { entry, turn, userId } from "../samples.js";
import { rawOpen } from "./raw.js";

const ME = userId("me");

/** Lets the next transactions that are begun fail with an error of this name. */
function failing(name: string, times: number) {
  const begin = IDBDatabase.prototype.transaction;
  let calls = 0;
  const spy = vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(function (this: IDBDatabase, ...args) {
    calls += 1;
    if (calls <= times) throw new DOMException("the backing store is gone", name);
    return begin.apply(this, args);
  });
  return { calls: () => calls, restore: () => spy.mockRestore() };
}

describe("a connection that fails", () => {
  it.each(["InvalidStateError", "UnknownError"])("of %s is opened anew and the call made once more", async (name) => {
    const store = await indexedDbStores().open(freshName(), ME);
    await store.write({ entries: [entry("e1")] });
    const fault = failing(name, 1);
    try {
      const { entries } = await store.write({ entries: [entry("e2")] });
      expect(entries.map(({ revision }) => revision)).toEqual([1]);
      expect(fault.calls()).toBe(2);
    } finally {
      fault.restore();
    }
    expect(await store.counts()).toEqual({ turns: 0, entries: 2 });
    await store.close();
  });

  it("again is told with what to do, and the next call works", async () => {
    const store = await indexedDbStores().open(freshName(), ME);
    const fault = failing("UnknownError", 2);
    try {
      await expect(store.write({ turns: [turn("t1")] })).rejects.toMatchObject({
        code: "storage-failed",
        message: expect.stringMatching(/repair/),
      });
      expect(fault.calls()).toBe(2);
      expect((await store.write({ turns: [turn("t1")] })).revision).toBe(1);
    } finally {
      fault.restore();
    }
    await store.close();
  });

  it("while it writes commits once: what was aborted had written nothing", async () => {
    const store = await indexedDbStores().open(freshName(), ME);
    const put = IDBObjectStore.prototype.put;
    let calls = 0;
    const spy = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
      calls += 1;
      if (calls === 2) throw new DOMException("lost", "UnknownError");
      return put.apply(this, args);
    });
    try {
      await store.write({ turns: [turn("t1"), turn("t2")], entries: [entry("e1")] });
    } finally {
      spy.mockRestore();
    }
    expect([await store.counts(), await store.revision()]).toEqual([{ turns: 2, entries: 1 }, 1]);
    expect((await store.listTurns()).map(({ sequence }) => sequence)).toEqual([0, 1]);
    await store.close();
  });
});

describe("what is acknowledged", () => {
  it("was committed with strict durability, but for use statistics, upkeep and what is derived", async () => {
    const store = await indexedDbStores().open(freshName(), ME);
    const spy = vi.spyOn(IDBDatabase.prototype, "transaction");
    const durabilities = async (call: () => Promise<unknown>) => {
      spy.mockClear();
      await call();
      return spy.mock.calls.filter(([, mode]) => mode === "readwrite").map(([, , options]) => options?.durability);
    };
    try {
      expect(await durabilities(() => store.write({ turns: [turn("t1")], entries: [entry("e1")] }))).toEqual(["strict"]);
      expect(await durabilities(() => store.write({ removeTurns: ["t1" as never] }))).toEqual(["strict"]);
      expect(await durabilities(() => store.dropDamaged())).toEqual(["strict"]);
      const usage = [{ entryId: "e1" as never, usage: { accessCount: 1, lastAccessedAt: 1 } }];
      expect(await durabilities(() => store.write({ usage, durable: false }))).toEqual(["relaxed"]);
      expect(await durabilities(() => store.keepDerived("terms", 1, 2))).toEqual(["relaxed"]);
      expect(new Set(await durabilities(() => store.tidy({ journalRecords: 1 })))).toEqual(new Set(["relaxed"]));
    } finally {
      spy.mockRestore();
    }
    await store.close();
  });
});

describe("an upgrade", () => {
  it("tells how far it is, and keeps what it does not know", async () => {
    const name = freshName();
    await makeVersion1(name);
    const before = await rawOpen(name);
    const transaction = before.transaction(["turns", "entries", "meta"], "readwrite");
    for (let number = 0; number < 1_200; number++)
      transaction.objectStore("turns").put(
        {
          user: "me",
          flag: number,
          turn: { id: `x${number}`, conversationId: "c", sequence: number + 1, text: "words", mood: "new" },
        },
        ["me", `x${number}`],
      );
    transaction.objectStore("entries").put("foreign", ["me", "zzz"]);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    before.close();
    const notices: StoreNotice[] = [];
    const store = await indexedDbStores({ notify: (notice) => notices.push(notice) }).open(name, ME);
    const progress = notices.filter(({ type }) => type === "progress") as { done: number; total: number; task: string }[];
    expect(progress.length).toBeGreaterThan(3);
    expect(progress.at(-1)).toEqual({ type: "progress", task: "migrate", done: 1_201, total: 1_201 });
    expect(await store.listTurns({ limit: 2_000 })).toHaveLength(1_201);
    expect((await store.listTurns({ limit: 1, reverse: true }))[0]).toMatchObject({ mood: "new" });
    await store.close();
    const after = await rawOpen(name);
    const read = (from: string, key: IDBValidKey) =>
      new Promise<unknown>((resolve) => {
        const request = after.transaction(from).objectStore(from).get(key);
        request.onsuccess = () => resolve(request.result);
      });
    expect(await read("turns", ["me", "x7"])).toMatchObject({ flag: 7 });
    expect(await read("entries", ["me", "zzz"])).toBe("foreign");
    expect(await read("meta", ["me", "k"])).toEqual({ value: 3 });
    after.close();
  });

  it("that waits for another tab tells what to do while it waits, and goes on when that tab goes", async () => {
    const name = freshName();
    await makeVersion1(name);
    const otherTab = await rawOpen(name);
    const notices: StoreNotice[] = [];
    const opening = indexedDbStores({ notify: (notice) => notices.push(notice) }).open(name, ME);
    await expect
      .poll(() => notices)
      .toContainEqual({
        type: "degraded",
        part: "storage",
        reason: expect.stringMatching(/another tab .* close the other tabs/),
      });
    expect(notices).toContainEqual({ type: "progress", task: "wait for another tab", done: 0, total: 1 });
    otherTab.close();
    const store = await opening;
    expect(await store.counts()).toEqual({ turns: 1, entries: 1 });
    await store.close();
  });

  it("by a newer copy of the package on the same page goes through at once, and the older copy says that it is outdated", async () => {
    const name = freshName();
    const older = await indexedDbStores().open(name, ME);
    const same = await indexedDbStores().open(name, ME);
    await older.write({ turns: [turn("t1")] });
    await same.write({ turns: [turn("t2")] });
    const newer = await rawOpen(name, MIGRATIONS.length + 1);
    for (const store of [older, same])
      await expect(store.write({ turns: [turn("t3")] })).rejects.toMatchObject({ code: "storage-newer" });
    expect([...newer.objectStoreNames]).toContain("turns");
    newer.close();
    await older.close();
    await same.close();
  });
});

describe("a clock that was set back by a year", () => {
  it("neither loses nor reorders turns, and the journal still leads on", async () => {
    const name = freshName();
    let now = Date.UTC(2026, 10, 30);
    const store = await indexedDbStores({ clock: { now: () => now } }).open(name, ME);
    await store.write({ turns: [turn("t1")], entries: [entry("01KB")] });
    now -= 365 * 86_400_000;
    await store.write({ turns: [turn("t2")], entries: [entry("01JB")] });
    expect((await store.listTurns()).map(({ id }) => id)).toEqual(["t1", "t2"]);
    expect((await store.journal(0)).map(({ revision }) => revision)).toEqual([1, 2]);
    expect((await store.listEntries()).map(({ id }) => id)).toEqual(["01JB", "01KB"]);
    await store.close();
  });
});

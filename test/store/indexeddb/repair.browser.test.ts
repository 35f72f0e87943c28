import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../../src/store/indexeddb/migrations.js";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import { makeVersion1 } from "../fixtures/indexeddb-version1.js";
import { freshName } from "../harness.js";
import { entriesWithVectors, entry, turn, userId } from "../samples.js";
import { rawOpen, rawPut } from "./raw.js";

const ME = userId("me");
const sleep = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

const refusing = {
  open: () => {
    throw new DOMException("denied", "SecurityError");
  },
} as unknown as IDBFactory;

async function filled(name: string): Promise<void> {
  const store = await indexedDbStores().open(name, ME);
  await store.write({ turns: Array.from({ length: 450 }, (_, number) => turn(`t${number}`)), ...entriesWithVectors(0, 300) });
  await store.close();
}

const counts = async (name: string) => {
  const store = await indexedDbStores().open(name, ME);
  const [found, turns, entries] = [
    await store.counts(),
    await store.listTurns({ limit: 1_000 }),
    await store.listEntries({ limit: 1_000 }),
  ];
  await store.close();
  expect([turns.length, entries.length]).toEqual([found.turns, found.entries]);
  return found;
};

describe("a database that lacks an object store", () => {
  it("is reported, never opened as an empty one, and repaired with what there is", async () => {
    const name = freshName();
    const half = await rawOpen(name, 2, (database) => {
      for (const store of ["users", "entries", "usage", "vectorTail", "vectorSegments", "journal", "meta"])
        database.createObjectStore(store);
    });
    half.close();
    const whole = freshName();
    await filled(whole);
    const block = await new Promise<unknown>((resolve) => {
      void rawOpen(whole).then((database) => {
        const request = database.transaction("entries").objectStore("entries").get(["me", ""]);
        request.onsuccess = () => {
          database.close();
          resolve(request.result);
        };
      });
    });
    await rawPut(name, "entries", block, ["me", ""]);
    await expect(indexedDbStores().open(name, ME)).rejects.toMatchObject({
      code: "storage-corrupt",
      message: expect.stringMatching(/turns.*repair/),
    });
    const report = await indexedDbStores().repair(name);
    expect(report).toMatchObject({ users: [{ userId: ME, turns: 0, entries: 32 }], lost: [expect.stringContaining("turns")] });
    expect(await counts(name)).toEqual({ turns: 0, entries: 32 });
  });

  it("is another program's when it has none of ours, and is left alone", async () => {
    for (const version of [1, MIGRATIONS.length, 7]) {
      const name = freshName();
      const foreign = await rawOpen(name, version, (database) => void database.createObjectStore("theirs").put("kept", 1));
      foreign.close();
      await expect(indexedDbStores().open(name, ME)).rejects.toMatchObject({
        code: version > MIGRATIONS.length ? "storage-newer" : "storage-corrupt",
      });
      const refused = { code: version > MIGRATIONS.length ? "storage-newer" : "storage-corrupt" };
      await expect(indexedDbStores().repair(name)).rejects.toMatchObject(refused);
      await expect(indexedDbStores().salvage(name, ME)).rejects.toMatchObject(refused);
      const again = await rawOpen(name);
      expect([again.version, [...again.objectStoreNames]]).toEqual([version, ["theirs"]]);
      again.close();
    }
  });
});

describe("rows of a foreign shape", () => {
  it.each([
    ["a string", "foreign"],
    ["nothing", null],
    ["an array", [1, 2]],
    ["an empty object", {}],
    ["another program's object", { user: 7, rows: 3, turn: { sequence: "x" }, first: 1 }],
  ])("are passed over and named: %s", async (_what, value) => {
    const name = freshName();
    await filled(name);
    await rawPut(name, "entries", value, ["me", "e00300"]);
    await rawPut(name, "turns", value, ["me", "foreign"]);
    await rawPut(name, "journal", value, ["me", 2]);
    await rawPut(name, "usage", value, ["me", "e00001"]);
    await rawPut(name, "meta", value, ["me", "key"]);
    await rawPut(name, "vectorTail", value, ["me", 0, 299]);
    await rawPut(name, "vectorSegments", value, ["me", 0, 0]);
    const store = await indexedDbStores().open(name, ME);
    expect(await store.listEntries({ limit: 1_000 })).toHaveLength(300);
    expect(await store.listTurns({ limit: 1_000 })).toHaveLength(450);
    expect(await store.journal(0)).toHaveLength(1);
    expect(await store.usage(["e00001" as never])).toEqual([undefined]);
    expect(await store.meta("key")).toBeUndefined();
    let read = 0;
    for await (const { entryIds } of store.vectors({ id: "static-1", dimension: 4 })) read += entryIds.length;
    expect(read).toBe(43);
    const damaged = await store.damaged();
    expect(damaged.flatMap((rows) => (rows.kind === "vectors" ? rows.entryIds : []))).toHaveLength(257);
    expect(damaged).toContainEqual(expect.objectContaining({ kind: "entry", id: "e00300", isRun: true }));
    expect((await store.write({ entries: [entry("e00301")], turns: [turn("t1000")] })).entries).toHaveLength(1);
    await store.dropDamaged();
    expect(await store.counts()).toEqual({ turns: 451, entries: 301 });
    await store.close();
    expect((await indexedDbStores().repair(name)).users).toEqual([{ userId: ME, turns: 451, entries: 301 }]);
    expect(await counts(name)).toEqual({ turns: 451, entries: 301 });
  });

  it("are reported in place of a user's counters, and repaired by counting", async () => {
    const name = freshName();
    await filled(name);
    await rawPut(name, "users", { revision: "many" }, "me");
    const store = await indexedDbStores().open(name, ME);
    await expect(store.write({ turns: [turn("x")] })).rejects.toMatchObject({
      code: "storage-corrupt",
      message: expect.stringContaining("repair"),
    });
    await store.close();
    await indexedDbStores().repair(name);
    expect(await counts(name)).toEqual({ turns: 450, entries: 300 });
  });
});

describe("a repair of a database in the browser", () => {
  it("of version 1 keeps its rows, which had no checksums", async () => {
    const name = freshName();
    await makeVersion1(name);
    expect(await indexedDbStores().salvage(name, ME)).toMatchObject([
      { kind: "turn", turn: { id: "t1", text: "\ud800 tea" } },
      { kind: "entry", entry: { id: "e1", text: "likes tea" } },
    ]);
    const still = await rawOpen(name);
    expect(still.version).toBe(1);
    still.close();
  });

  it("of version 1 fills what its rows did not say, and names what is no row", async () => {
    const name = freshName();
    await makeVersion1(name);
    await rawPut(name, "entries", { first: "", rows: [{ entry: { id: "e1", revision: 1, text: "likes tea" } }, { entry: 7 }] }, [
      "me",
      "",
    ]);
    const report = await indexedDbStores().repair(name);
    expect(report).toMatchObject({ users: [{ userId: ME, turns: 1, entries: 1 }], lost: [expect.stringContaining("an entry")] });
    const store = await indexedDbStores().open(name, ME);
    expect(await store.listEntries()).toMatchObject([{ id: "e1", indexText: "likes tea", kind: "fact" }]);
    await store.close();
  });

  it("says so while another tab holds the database, and is done when that tab goes", async () => {
    const name = freshName();
    await filled(name);
    const otherTab = await rawOpen(name);
    await expect(indexedDbStores({ blockedTimeoutMs: 50 }).repair(name)).rejects.toMatchObject({
      code: "storage-blocked",
      message: expect.stringContaining("close the other tabs"),
    });
    otherTab.close();
    expect(await counts(name)).toEqual({ turns: 450, entries: 300 });
  });

  it("waits for handles that are closed meanwhile, however they end", async () => {
    const name = freshName();
    await filled(name);
    const store = await indexedDbStores().open(name, ME);
    const aborted = new AbortController();
    const opening = indexedDbStores().open(name, ME, { signal: aborted.signal });
    aborted.abort();
    await expect(opening).rejects.toBe(aborted.signal.reason);
    await expect(indexedDbStores({ indexedDB: refusing }).open(name, ME)).rejects.toMatchObject({ code: "storage-unavailable" });
    const repairing = indexedDbStores().repair(name);
    await store.write({ turns: [turn("late")] });
    await store.close();
    await repairing;
    expect(await counts(name)).toEqual({ turns: 451, entries: 300 });
  });

  it("makes a handle wait that is opened meanwhile, until it gives up", async () => {
    const name = freshName();
    await filled(name);
    let endRepair: () => void = () => undefined;
    await new Promise<void>((running) => {
      void navigator.locks.request(`keepsake-use:${name}`, () => {
        running();
        return new Promise<void>((resolve) => {
          endRepair = resolve;
        });
      });
    });
    const aborted = new AbortController();
    const reason = new Error("stop");
    const givenUp = indexedDbStores().open(name, ME, { signal: aborted.signal });
    const counting = counts(name);
    aborted.abort(reason);
    await expect(givenUp).rejects.toBe(reason);
    await expect(indexedDbStores({ blockedTimeoutMs: 50 }).repair(name)).rejects.toMatchObject({ code: "storage-blocked" });
    expect(await Promise.race([counting, sleep(100)])).toBeUndefined();
    endRepair();
    expect(await counting).toEqual({ turns: 450, entries: 300 });
  });
});

describe("a repair where there are no Web Locks", () => {
  beforeEach(() => Object.defineProperty(navigator, "locks", { value: undefined, configurable: true }));
  afterEach(() => Reflect.deleteProperty(navigator, "locks"));

  it("goes on under handles that are open, which reopen", async () => {
    const name = freshName();
    await filled(name);
    const store = await indexedDbStores().open(name, ME);
    const { epoch } = await store.standing();
    await indexedDbStores().repair(name);
    expect(await store.counts()).toEqual({ turns: 450, entries: 300 });
    expect((await store.standing()).epoch).not.toBe(epoch);
    await store.close();
  });

  it("keeps what they record meanwhile, and gives up when they do not stop", async () => {
    const name = freshName();
    await filled(name);
    const store = await indexedDbStores().open(name, ME);
    let writes = 0;
    /** Records something each time that a repair begins to fill. */
    const recording = (most: number): IDBFactory =>
      ({
        deleteDatabase: (full: string) => indexedDB.deleteDatabase(full),
        open: (full: string, version?: number) => {
          if (full !== `keepsake:${name}` && writes < most) {
            writes += 1;
            void store.write({ turns: [turn(`meanwhile ${writes}`)] });
          }
          return indexedDB.open(full, version);
        },
      }) as unknown as IDBFactory;
    expect((await indexedDbStores({ indexedDB: recording(1) }).repair(name)).users).toMatchObject([{ turns: 451 }]);
    expect(await store.counts()).toEqual({ turns: 451, entries: 300 });
    await expect(indexedDbStores({ indexedDB: recording(1_000) }).repair(name)).rejects.toMatchObject({
      code: "storage-blocked",
    });
    expect(await store.counts()).toEqual({ turns: 450 + writes, entries: 300 });
    await store.close();
  });
});

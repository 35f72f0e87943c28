import { describe, expect, it } from "vitest";
import { MIGRATIONS, type Migration } from "../../../src/store/indexeddb/migrations.js";
import { openDatabase } from "../../../src/store/indexeddb/open.js";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import { makeVersion1 } from "../fixtures/indexeddb-version1.js";
import { makeVersion2 } from "../fixtures/indexeddb-version2.js";
import { expectAllKept } from "../fixtures/kept.js";
import { freshName } from "../harness.js";
import { entriesWithVectors, entry, entryId, node, rows, SPACE, turn, userId } from "../samples.js";
import { rawDelete, rawOpen } from "./raw.js";

const ME = userId("me");

/** The platform's IndexedDB, with the connections that it gave out within reach. */
function watched(): { readonly indexedDB: IDBFactory; readonly connections: IDBDatabase[] } {
  const connections: IDBDatabase[] = [];
  const open = (name: string, version?: number) => {
    const request = globalThis.indexedDB.open(name, version);
    request.addEventListener("success", () => connections.push(request.result));
    return request;
  };
  return { indexedDB: { open } as unknown as IDBFactory, connections };
}

describe("a store on IndexedDB", () => {
  it("heals when its connection is lost between two calls", async () => {
    const { indexedDB, connections } = watched();
    const store = await indexedDbStores({ indexedDB }).open(freshName(), ME);
    await store.write({ entries: [entry("e1")] });
    connections[0]!.close();
    expect(await store.counts()).toEqual({ turns: 0, entries: 1 });
    connections[1]!.close();
    await store.write({ entries: [entry("e2")] });
    connections[2]!.dispatchEvent(new Event("close"));
    expect((await store.listEntries()).map(({ id }) => id)).toEqual(["e1", "e2"]);
    expect(connections).toHaveLength(4);
    await store.close();
  });

  it("lets a newer version upgrade at once, and then says that the database is newer", async () => {
    const name = freshName();
    const store = await indexedDbStores().open(name, ME);
    await store.write({ entries: [entry("e1")] });
    const newer = await rawOpen(name, MIGRATIONS.length + 1);
    await expect(store.counts()).rejects.toMatchObject({ code: "storage-newer", message: expect.stringContaining("newer") });
    newer.close();
    await expect(indexedDbStores().open(name, ME)).rejects.toMatchObject({ code: "storage-newer" });
    await store.close();
  });

  it("reports a database that was deleted under it instead of beginning an empty one", async () => {
    const name = freshName();
    const store = await indexedDbStores().open(name, ME);
    await store.write({ entries: [entry("e1")] });
    await rawDelete(name);
    await expect(store.write({ entries: [entry("e2")] })).rejects.toMatchObject({
      code: "storage-failed",
      message: expect.stringContaining("deleted"),
    });
    await store.close();
    const anew = await indexedDbStores().open(name, ME);
    expect(await anew.counts()).toEqual({ turns: 0, entries: 0 });
    await anew.close();
  });

  it("keeps nothing of a forgotten entry in any of its object stores", async () => {
    const name = freshName();
    const store = await indexedDbStores().open(name, ME);
    await store.write(entriesWithVectors(0, 300));
    await store.write({
      entries: [entry("forgotten", "marzipan")],
      vectors: { space: SPACE, of: [{ entryId: entryId("forgotten"), rows: rows(70_707.25, 300) }] },
    });
    await store.write({ removeEntries: [entryId("forgotten")] });
    await store.close();
    const database = await rawOpen(name);
    const everything: unknown[] = [];
    for (const storeName of database.objectStoreNames) {
      if (storeName === "journal") continue;
      const request = database.transaction(storeName).objectStore(storeName).getAll();
      await new Promise<void>((resolve) => (request.onsuccess = () => resolve()));
      everything.push(
        request.result.map((row: { rows?: unknown }) =>
          row.rows instanceof Float32Array ? { ...row, rows: [...row.rows] } : row,
        ),
      );
    }
    database.close();
    const text = JSON.stringify(everything);
    expect(text).toContain("e00255");
    for (const trace of ["marzipan", "forgotten", "70707.25"]) expect(text).not.toContain(trace);
  });

  it("says so when the platform has no IndexedDB, or refuses it", async () => {
    const refusing = {
      open: () => {
        throw new DOMException("access to the Indexed Database API is denied in this context", "SecurityError");
      },
    } as unknown as IDBFactory;
    await expect(indexedDbStores({ indexedDB: refusing }).open(freshName(), ME)).rejects.toMatchObject({
      code: "storage-unavailable",
    });
    const { indexedDB } = globalThis;
    Object.defineProperty(globalThis, "indexedDB", { value: undefined, configurable: true });
    try {
      await expect(indexedDbStores().open(freshName(), ME)).rejects.toMatchObject({
        code: "storage-unavailable",
        message: expect.stringContaining("private window"),
      });
    } finally {
      Object.defineProperty(globalThis, "indexedDB", { value: indexedDB, configurable: true });
    }
  });

  it("is not left open when the call that opens it is aborted", async () => {
    const { indexedDB, connections } = watched();
    const name = freshName();
    const controller = new AbortController();
    const reason = new Error("stop");
    const opening = indexedDbStores({ indexedDB }).open(name, ME, { signal: controller.signal });
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    await rawDelete(name);
    for (const connection of connections) expect(() => connection.transaction("users")).toThrow();
  });
});

/** A bucket of its own with this quota (the Storage Buckets API, which the compiler's DOM does not know yet). */
async function smallBucket(quota: number): Promise<IDBFactory> {
  const { storageBuckets } = navigator as unknown as {
    storageBuckets: { open(name: string, options: { quota: number }): Promise<{ indexedDB: IDBFactory }> };
  };
  return (await storageBuckets.open(`small-${Date.now()}`, { quota })).indexedDB;
}

describe("a full disk", () => {
  it("fails with the numbers and nothing half written, and the store goes on with what fits", async () => {
    const store = await indexedDbStores({ indexedDB: await smallBucket(4_000_000) }).open(freshName(), ME);
    await store.write({ entries: [entry("e1")] });
    const large = Array.from({ length: 40 }, (_, index) => turn(`t${index}`, String.fromCharCode(65 + index).repeat(200_000)));
    const outcome = await store.write({ turns: large, entries: [entry("e2")] }).catch((error: unknown) => error);
    expect(outcome instanceof Error).toBe(true);
    expect(outcome).toMatchObject({ code: "quota-exceeded", message: expect.stringMatching(/\d of \d+\.\d MB/) });
    expect(await store.counts()).toEqual({ turns: 0, entries: 1 });
    expect(await store.entries([entryId("e2")])).toEqual([undefined]);
    await store.write({ turns: large.slice(0, 2), entries: [entry("e2")] });
    expect(await store.counts()).toEqual({ turns: 2, entries: 2 });
    await store.close();
  });
});

describe("a migration", () => {
  const addStore: Migration = (database) => void database.createObjectStore("later");

  it("opens a database of version 1 with everything in it", async () => {
    const name = freshName();
    await makeVersion1(name);
    const store = await indexedDbStores().open(name, ME);
    await expectAllKept(store);
    expect((await store.write({ turns: [turn("t2")] })).turns[0]?.sequence).toBe(1);
    await store.close();
  });

  it("opens a database of version 2 with everything in it, and keeps a graph beside", async () => {
    const name = freshName();
    await makeVersion2(name);
    const store = await indexedDbStores().open(name, ME);
    await expectAllKept(store);
    expect((await store.entries([entryId("e1")]))[0]).toMatchObject({ kind: "preference" });
    const support = [{ of: "tea", entryId: entryId("e1"), weight: 0.5 }];
    await store.write({
      graph: { nodes: [node("tea")], support },
    });
    expect((await store.graph({ nodes: ["tea"] })).nodes).toMatchObject([{ name: "tea" }]);
    await store.close();
  });

  it("runs only the steps that a database has not seen, and keeps its rows", async () => {
    const name = freshName();
    await makeVersion1(name);
    const migrated = await openDatabase(name, { create: false, migrations: [...MIGRATIONS, addStore] });
    expect([...(migrated?.objectStoreNames ?? [])]).toContain("later");
    expect(await migrated?.get("meta", ["me", "k"])).toEqual({ value: 3 });
    migrated?.close();
  });

  it("that fails leaves the database at its version, for the next try", async () => {
    const name = freshName();
    await makeVersion1(name);
    const failing: Migration = async (_database, transaction) => {
      await transaction.objectStore("turns").clear();
      throw new Error("power cut");
    };
    const opening = openDatabase(name, { create: false, migrations: [...MIGRATIONS, addStore, failing] });
    await expect(opening).rejects.toMatchObject({ code: "storage-failed", message: expect.stringContaining("power cut") });
    const store = await indexedDbStores().open(name, ME);
    expect(await store.listTurns()).toHaveLength(1);
    await store.close();
  });

  it("that another tab blocks is reported with what to do, and ends when that tab goes", async () => {
    const name = freshName();
    const otherTab = await rawOpen(
      name,
      1,
      (database) => void MIGRATIONS[0]!(database as never, undefined as never, () => undefined),
    );
    const migrations = [...MIGRATIONS, addStore];
    await expect(openDatabase(name, { create: true, migrations, blockedTimeoutMs: 50 })).rejects.toMatchObject({
      code: "storage-blocked",
      message: expect.stringContaining("close the other tabs"),
    });
    const waiting = openDatabase(name, { create: true, migrations, blockedTimeoutMs: 60_000 });
    otherTab.close();
    const migrated = await waiting;
    expect(migrated?.version).toBe(migrations.length);
    migrated?.close();
  });

  it("of a database that Keepsake did not make, or made by half, is refused", async () => {
    const name = freshName();
    const foreign = await rawOpen(name, MIGRATIONS.length, (database) => void database.createObjectStore("theirs"));
    foreign.close();
    await expect(indexedDbStores().open(name, ME)).rejects.toMatchObject({
      code: "storage-corrupt",
      message: expect.stringContaining("entries"),
    });
  });
});

import { describe, expect, it } from "vitest";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import { freshName } from "../harness.js";
import { vectorsByEntry } from "../reading.js";
import { entriesWithVectors, entryId, numbered, SPACE, turn, userId } from "../samples.js";
import { rawOpen } from "./raw.js";

const ME = userId("me");

async function recordsIn(name: string): Promise<Record<string, number>> {
  const database = await rawOpen(name);
  const counts: Record<string, number> = {};
  for (const store of database.objectStoreNames) {
    const request = database.transaction(store).objectStore(store).count();
    await new Promise<void>((resolve) => (request.onsuccess = () => resolve()));
    counts[store] = request.result;
  }
  database.close();
  return counts;
}

describe("upkeep of an IndexedDB store", () => {
  it("joins sparse blocks of entries and empties sparse segments", { timeout: 30_000 }, async () => {
    const name = freshName();
    const store = await indexedDbStores().open(name, ME);
    await store.write(entriesWithVectors(0, 3_000));
    const full = await recordsIn(name);
    expect(full).toMatchObject({ entries: 94, vectorSegments: 11 });
    const gone = Array.from({ length: 3_000 }, (_, number) => number).filter((number) => number % 8 !== 0);
    await store.write({ removeEntries: gone.map((number) => entryId(numbered(number))) });
    expect(await recordsIn(name)).toMatchObject({ entries: 94, vectorSegments: 11 });
    let steps = 0;
    while (!(await store.tidy({ journalRecords: 100 })).isDone) steps += 1;
    const left = await recordsIn(name);
    expect(left.entries).toBeLessThanOrEqual(24);
    expect(left.vectorSegments).toBeLessThanOrEqual(3);
    expect(steps).toBeGreaterThan(10);
    expect((await vectorsByEntry(store, SPACE)).size).toBe(375);
    expect(await store.damaged()).toEqual([]);
    await store.close();
  });

  it("takes a journal of 100,000 records down to its cap in short steps", { timeout: 120_000 }, async () => {
    const name = freshName();
    const store = await indexedDbStores().open(name, ME);
    await store.write({ turns: [turn("t1")] });
    const database = await rawOpen(name);
    const transaction = database.transaction(["users", "journal"], "readwrite", { durability: "relaxed" });
    for (let revision = 2; revision <= 100_000; revision++)
      transaction.objectStore("journal").put({ revision, at: 1, operations: [] }, ["me", revision]);
    const request = transaction.objectStore("users").get("me");
    request.onsuccess = () => transaction.objectStore("users").put({ ...request.result, revision: 100_000 }, "me");
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    expect(await store.revision()).toBe(100_000);
    let steps = 1;
    for (; !(await store.tidy({ journalRecords: 5_000 })).isDone; steps++)
      if (steps === 20) expect((await store.write({ turns: [turn("t2")] })).revision).toBe(100_001);
    expect(steps).toBeGreaterThanOrEqual(95);
    const records = await store.journal(0, 10_000);
    expect([records.length, records[0]?.revision, records.at(-1)?.revision]).toEqual([5_000, 95_002, 100_001]);
    await store.close();
  });
});

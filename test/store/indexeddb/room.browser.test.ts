import { describe, expect, it, vi } from "vitest";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import { freshName } from "../harness.js";
import { vectorsByEntry } from "../reading.js";
import { entry, entryId, turn, userId } from "../samples.js";

const ME = userId("me");
const WIDE = { id: "wide", dimension: 384 };

interface Bucket {
  readonly indexedDB: IDBFactory;
  estimate(): Promise<{ readonly usage: number; readonly quota: number }>;
}

/** A bucket of its own with this quota (the Storage Buckets API, which the compiler's DOM does not know yet). */
async function smallBucket(quota: number): Promise<Bucket> {
  const { storageBuckets } = navigator as unknown as {
    storageBuckets: { open(name: string, options: { quota: number }): Promise<Bucket> };
  };
  return storageBuckets.open(`room-${Math.random().toString(36).slice(2)}`, { quota });
}

/** Bytes that no compression makes smaller. */
function noise(bytes: number): Uint8Array {
  const filled = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(filled.subarray(at, Math.min(bytes, at + 65_536)));
  return filled;
}

function wideEntries(from: number, to: number) {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  return {
    entries: numbers.map((number) => entry(`e${String(number).padStart(4, "0")}`)),
    vectors: {
      space: WIDE,
      of: numbers.map((number) => ({
        entryId: entryId(`e${String(number).padStart(4, "0")}`),
        rows: Float32Array.from({ length: WIDE.dimension }, () => Math.random()).fill(number, 0, 1),
      })),
    },
  };
}

describe("a store whose room runs out", () => {
  it("lets go of what can be made again, of every user, and then writes what did not fit", async () => {
    const bucket = await smallBucket(6_000_000);
    const factory = indexedDbStores({ indexedDB: bucket.indexedDB, estimate: async () => undefined });
    const name = freshName();
    const [mine, yours] = [await factory.open(name, ME), await factory.open(name, userId("you"))];
    await yours.write({ meta: { key: 1 } });
    expect(await yours.keepDerived("terms", noise(3_000_000), 1)).toBe(true);
    await mine.write({ turns: [turn("t1")] });
    let written = 1;
    while ((await yours.derived("terms")) !== undefined && written < 40) {
      await mine.write({ meta: { [`noise ${written}`]: noise(200_000) } });
      written += 1;
    }
    // More than fitted beside the derived value, and none of it failed.
    expect(await yours.derived("terms")).toBeUndefined();
    expect(await mine.counts()).toEqual({ turns: 1, entries: 0 });
    expect(await mine.revision()).toBe(written);
    expect(await yours.meta("key")).toBe(1);
    await mine.close();
    await yours.close();
  });

  it("does not keep a derived value that it has no room for, and goes on", async () => {
    const { indexedDB } = await smallBucket(3_000_000);
    const store = await indexedDbStores({ indexedDB }).open(freshName(), ME);
    await store.write({ turns: [turn("t1")] });
    expect(await store.keepDerived("terms", noise(6_000_000), 1)).toBe(false);
    expect(await store.derived("terms")).toBeUndefined();
    await store.write({ turns: [turn("t2")] });
    expect(await store.counts()).toEqual({ turns: 2, entries: 0 });
    await store.close();
  });

  it("asks before a large write, and refuses it with the numbers before anything is written", async () => {
    const bucket = await smallBucket(4_000_000);
    const store = await indexedDbStores({ indexedDB: bucket.indexedDB, estimate: () => bucket.estimate() }).open(freshName(), ME);
    const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
    const outcome = await store.write(wideEntries(0, 2_500)).catch((error: unknown) => error);
    const scopes = transaction.mock.calls.map(([stores]) => [...stores].join());
    transaction.mockRestore();
    expect(outcome).toMatchObject({
      code: "quota-exceeded",
      message: expect.stringMatching(/\d of 3\.8 MB are used/),
      details: { neededBytes: expect.any(Number), usageBytes: expect.any(Number), quotaBytes: 4_000_000 },
    });
    expect((outcome as { details: { neededBytes: number } }).details.neededBytes).toBeGreaterThan(3_840_000);
    expect(scopes).toEqual(["derived"]);
    await store.write(wideEntries(0, 20));
    expect(await store.counts()).toEqual({ turns: 0, entries: 20 });
    await store.close();
  });

  it("has nothing half written when the disk is full in the middle of a seal", async () => {
    const bucket = await smallBucket(5_000_000);
    const name = freshName();
    const factory = indexedDbStores({ indexedDB: bucket.indexedDB, estimate: async () => undefined });
    const store = await factory.open(name, ME);
    await store.write(wideEntries(0, 250));
    const outcome = await store.write(wideEntries(250, 5_000)).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: "quota-exceeded" });
    expect(await store.counts()).toEqual({ turns: 0, entries: 250 });
    const before = await vectorsByEntry(store, WIDE);
    expect(before.size).toBe(250);
    expect(await store.damaged()).toEqual([]);
    await store.write(wideEntries(250, 300));
    await store.close();
    const again = await factory.open(name, ME);
    const after = await vectorsByEntry(again, WIDE);
    expect(after.size).toBe(300);
    for (const [id, rows] of before) expect(after.get(id)).toEqual(rows);
    expect((await again.listEntries({ limit: 1_000 })).map(({ id }) => id)).toHaveLength(300);
    await again.close();
  });
});

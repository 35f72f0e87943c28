/** Contract: what only grows is kept under its cap in small steps, what can be made again is kept apart, and no read shows it. */
import { describe, expect, it } from "vitest";
import type { Store, StoreWrite } from "../../../src/ports.js";
import { freshName, type StoreHarness } from "../harness.js";
import { vectorsByEntry } from "../reading.js";
import { entriesWithVectors, entry, entryId, numbered, rows, SPACE, turn, turnId, userId } from "../samples.js";

const ME = userId("me");

/** All the steps there are to do now.
 * @returns their number */
async function tidied(store: Store, journalRecords = 100_000): Promise<number> {
  for (let steps = 1; steps < 1_000; steps++) if ((await store.tidy({ journalRecords })).isDone) return steps;
  throw new Error("it never ends");
}

const shown = async (store: Store) => ({
  entries: await store.listEntries({ limit: 5_000 }),
  turns: await store.listTurns({ limit: 5_000 }),
  vectors: await vectorsByEntry(store, SPACE),
  spaces: await store.vectorSpaces(),
  counts: await store.counts(),
  standing: await store.standing(),
});

export function describeUpkeep({ stores }: StoreHarness): void {
  describe("upkeep", () => {
    it("keeps the newest journal records under the cap", { timeout: 30_000 }, async () => {
      const store = await stores().open(freshName(), ME);
      for (let value = 0; value < 60; value++) await store.write({ meta: { key: value }, durable: false });
      const before = await shown(store);
      await tidied(store, 25);
      expect((await store.journal(0)).map(({ revision }) => revision)).toEqual(Array.from({ length: 25 }, (_, at) => 36 + at));
      expect(await shown(store)).toEqual(before);
      expect((await store.write({ meta: { key: 60 } })).revision).toBe(61);
      expect(await tidied(store, 25)).toBe(1);
      expect(await store.journal(0)).toHaveLength(25);
      await store.close();
    });

    it("refuses a cap that would keep nothing", async () => {
      const store = await stores().open(freshName(), ME);
      await expect(store.tidy({ journalRecords: 0 })).rejects.toThrow(RangeError);
      expect(await store.tidy({ journalRecords: 1 })).toEqual({ isDone: true });
      await store.close();
    });

    it("changes nothing that is read, however much was removed", { timeout: 30_000 }, async () => {
      const name = freshName();
      const store = await stores().open(name, ME);
      const other = await stores().open(name, userId("you"));
      await store.write(entriesWithVectors(0, 1_500, (number) => 1 + (number % 3)));
      await other.write(entriesWithVectors(0, 300));
      const [mine, theirs] = [await shown(store), await shown(other)];
      await tidied(store);
      expect(await shown(store)).toEqual(mine);
      const gone = Array.from({ length: 1_500 }, (_, number) => number).filter((number) => number % 10 !== 0 && number !== 1_001);
      await store.write({ removeEntries: gone.map((number) => entryId(numbered(number))) });
      const left = await shown(store);
      expect(left.entries).toHaveLength(151);
      await tidied(store);
      expect(await shown(store)).toEqual(left);
      expect(await tidied(store)).toBe(1);
      expect(await shown(other)).toEqual(theirs);
      await store.write({
        entries: [entry(numbered(1_001), "anew")],
        vectors: { space: SPACE, of: [{ entryId: entryId(numbered(1_001)), rows: rows(7) }] },
        removeEntries: [entryId(numbered(0))],
      });
      const found = await vectorsByEntry(store, SPACE);
      expect([found.size, found.get(numbered(1_001))]).toEqual([150, [...rows(7)]]);
      await store.close();
      await other.close();
    });

    it("waits for nothing: writes come between two steps", { timeout: 30_000 }, async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 1_200));
      await store.write({
        removeEntries: Array.from({ length: 1_000 }, (_, number) => entryId(numbered(number + 100))),
      });
      for (let isDone = false, number = 0; !isDone; number++) {
        await store.write({ removeEntries: [entryId(numbered(number))], ...entriesWithVectors(2_000 + number, 2_001 + number) });
        ({ isDone } = await store.tidy({ journalRecords: 5 }));
      }
      const { counts, vectors, entries } = await shown(store);
      expect(entries).toHaveLength(counts.entries);
      expect(new Set(vectors.keys())).toEqual(new Set(entries.map(({ id }) => id)));
      await store.close();
    });
  });

  describe("a derived value", () => {
    it("is kept apart from what is journaled, and goes with its user", async () => {
      const name = freshName();
      const factory = stores();
      const store = await factory.open(name, ME);
      await store.write({ meta: { key: 1 } });
      expect(await store.derived("terms")).toBeUndefined();
      expect(await store.keepDerived("terms", { of: new Uint8Array([1, 2]) }, 1)).toBe(true);
      expect(await store.derived("terms")).toEqual({ of: new Uint8Array([1, 2]) });
      expect(await store.revision()).toBe(1);
      expect(await store.meta("terms")).toBeUndefined();
      expect(await store.keepDerived("terms", { of: "an older text" }, 0)).toBe(false);
      expect(await store.derived("terms")).toEqual({ of: new Uint8Array([1, 2]) });
      await store.keepDerived("terms", undefined, 1);
      expect(await store.derived("terms")).toBeUndefined();
      await store.keepDerived("terms", 3, 1);
      await factory.eraseUser(name, ME);
      expect(await store.derived("terms")).toBeUndefined();
      await store.close();
    });
  });

  describe("what is derived", () => {
    it("goes with every write that takes a text away, and with no other", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ ...entriesWithVectors(0, 3), turns: [turn("t1"), turn("t2")] });
      const survives = async (batch: StoreWrite) => {
        await store.keepDerived("terms", 1, await store.revision());
        await store.write(batch);
        return (await store.derived("terms")) === 1;
      };
      expect(await survives({ turns: [turn("t3")], entries: [entry("e9")] })).toBe(true);
      expect(await survives({ entries: [{ ...entry(numbered(1)), tags: ["seen"] }] })).toBe(true);
      expect(await survives({ removeTurns: [turnId("nobody")], removeEntries: [entryId("nobody")] })).toBe(true);
      expect(await survives({ usage: [{ entryId: entryId("e9"), usage: { accessCount: 1, lastAccessedAt: 1 } }] })).toBe(true);
      expect(await survives({ entries: [entry(numbered(1), "something else")] })).toBe(false);
      expect(await survives({ removeTurns: [turnId("t1")] })).toBe(false);
      expect(await survives({ removeEntries: [entryId("e9")] })).toBe(false);
      await store.close();
    });
  });

  describe("where a user's rows stand", () => {
    it("tells one life of the rows from the next, which comes to the same revision", async () => {
      const name = freshName();
      const factory = stores();
      const store = await factory.open(name, ME);
      expect(await store.standing()).toEqual({ revision: 0, epoch: "" });
      const { epoch } = await store.write({ meta: { key: 1 } });
      expect(await store.standing()).toEqual({ revision: 1, epoch });
      expect((await store.write({ meta: { key: 2 } })).epoch).toBe(epoch);
      await factory.eraseUser(name, ME);
      expect(await store.standing()).toEqual({ revision: 0, epoch: "" });
      await store.write({ meta: { key: 1 } });
      const after = await store.write({ meta: { key: 2 } });
      expect(after.revision).toBe(2);
      expect(after.epoch).not.toBe(epoch);
      await store.close();
    });
  });
}

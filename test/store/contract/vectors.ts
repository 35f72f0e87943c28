/** Contract: vectors, across the 256 rows at which a segment is sealed. */
import { describe, expect, it } from "vitest";
import type { Entry } from "../../../src/types.js";
import { freshName, type StoreHarness } from "../harness.js";
import { segmentLengths, vectorsByEntry } from "../reading.js";
import { entriesWithVectors, entry, entryId, numbered, rows, SPACE, userId } from "../samples.js";

const ME = userId("me");
const OTHER_SPACE = { id: "static-2", dimension: 4 };

export function describeVectors({ stores }: StoreHarness): void {
  const expected = (from: number, to: number, rowsOf: (number: number) => number) =>
    new Map(
      Array.from({ length: to - from }, (_, index) => [numbered(from + index), [...rows(from + index, rowsOf(from + index))]]),
    );
  const rowsOf = (number: number) => 1 + (number % 3);

  describe("vectors", () => {
    it.each([1, 255, 256, 257, 511, 512, 513, 1_400])(
      "come back whole after %i entries, written one by one or at once",
      async (count) => {
        const together = await stores().open(freshName(), ME);
        await together.write(entriesWithVectors(0, count, rowsOf));
        expect(await vectorsByEntry(together, SPACE)).toEqual(expected(0, count, rowsOf));
        const apart = await stores().open(freshName(), ME);
        const step = count > 300 ? 97 : 1;
        for (let from = 0; from < count; from += step)
          await apart.write({ ...entriesWithVectors(from, Math.min(count, from + step), rowsOf), durable: false });
        expect(await vectorsByEntry(apart, SPACE)).toEqual(expected(0, count, rowsOf));
        expect(await apart.vectorSpaces()).toEqual(await together.vectorSpaces());
        await together.close();
        await apart.close();
      },
    );

    it("keep an entry's rows together and in order where a segment ends between them", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 255));
      await store.write(entriesWithVectors(255, 256, () => 700));
      expect((await vectorsByEntry(store, SPACE)).get(numbered(255))).toEqual([...rows(255, 700)]);
      expect((await segmentLengths(store, SPACE)).reduce((sum, length) => sum + length, 0)).toBe(955);
      expect(await store.vectorsOf(SPACE, [entryId(numbered(255)), entryId("x"), entryId(numbered(3))])).toEqual([
        rows(255, 700),
        undefined,
        rows(3),
      ]);
      await store.close();
    });

    it("go in every space when the text that they are of changes, but for those of the same write", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 300));
      const ids = [entryId(numbered(3)), entryId(numbered(299))];
      for (const id of ids) await store.write({ vectors: { space: OTHER_SPACE, of: [{ entryId: id, rows: rows(1) }] } });
      await store.write({ entries: [entry(numbered(3), "something else")] });
      await store.write({
        entries: [entry(numbered(299), "something else")],
        vectors: { space: OTHER_SPACE, of: [{ entryId: entryId(numbered(299)), rows: rows(2) }] },
      });
      expect(await store.vectorsOf(SPACE, ids)).toEqual([undefined, undefined]);
      expect(await store.vectorsOf(OTHER_SPACE, ids)).toEqual([undefined, rows(2)]);
      expect(await store.vectorSpaces()).toEqual([
        { ...SPACE, rows: 298 },
        { ...OTHER_SPACE, rows: 1 },
      ]);
      const [kept] = await store.entries([entryId(numbered(5))]);
      await store.write({ entries: [{ ...(kept as Entry), tags: ["seen"] }] });
      expect(await store.vectorsOf(SPACE, [entryId(numbered(5))])).toEqual([rows(5)]);
      await store.close();
    });

    it("go with their entry, from the tail, from a sealed segment, and across two", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 400, rowsOf));
      const model = expected(0, 400, rowsOf);
      for (const removed of [[0], [127, 128, 129], [399], [200, 1, 398]]) {
        await store.write({ removeEntries: removed.map((number) => entryId(numbered(number))) });
        for (const number of removed) model.delete(numbered(number));
        expect(await vectorsByEntry(store, SPACE)).toEqual(model);
      }
      await store.write(entriesWithVectors(400, 700, rowsOf));
      for (const [id, flat] of expected(400, 700, rowsOf)) model.set(id, flat);
      expect(await vectorsByEntry(store, SPACE)).toEqual(model);
      const rowCount = [...model.values()].reduce((sum, flat) => sum + flat.length / SPACE.dimension, 0);
      expect(await store.vectorSpaces()).toEqual([{ ...SPACE, rows: rowCount }]);
      await store.close();
    });

    it("of a space go all at once, and those of another stay", async () => {
      const name = freshName();
      const store = await stores().open(name, ME);
      const theirs = await stores().open(name, userId("you"));
      for (const each of [store, theirs]) {
        await each.write(entriesWithVectors(0, 300, rowsOf));
        await each.write({ vectors: { space: OTHER_SPACE, of: [{ entryId: entryId(numbered(7)), rows: rows(9, 2) }] } });
      }
      await store.write({ dropSpaces: [SPACE] });
      expect(await vectorsByEntry(store, SPACE)).toEqual(new Map());
      expect(await store.vectorSpaces()).toEqual([{ ...OTHER_SPACE, rows: 2 }]);
      expect(await vectorsByEntry(theirs, SPACE)).toEqual(expected(0, 300, rowsOf));
      expect(await store.counts()).toEqual({ turns: 0, entries: 300 });
      // The same space may be filled again, removed from, and dropped beside a write into it.
      await store.write(entriesWithVectors(0, 300, rowsOf));
      await store.write({ removeEntries: [entryId(numbered(7))] });
      await store.write({
        dropSpaces: [SPACE],
        vectors: { space: SPACE, of: [{ entryId: entryId(numbered(3)), rows: rows(5) }] },
        meta: { moved: true },
      });
      expect(await vectorsByEntry(store, SPACE)).toEqual(new Map([[numbered(3), [...rows(5)]]]));
      expect(await store.vectorSpaces()).toEqual([{ ...SPACE, rows: 1 }]);
      expect(await store.vectorsOf(OTHER_SPACE, [entryId(numbered(7))])).toEqual([undefined]);
      await store.close();
      await theirs.close();
    });

    it("are gone when all their entries are", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 300));
      await store.write({ removeEntries: Array.from({ length: 300 }, (_, number) => entryId(numbered(number))) });
      expect(await segmentLengths(store, SPACE)).toEqual([]);
      expect(await store.vectorSpaces()).toEqual([]);
      await store.write(entriesWithVectors(0, 2));
      expect(await vectorsByEntry(store, SPACE)).toEqual(expected(0, 2, () => 1));
      await store.close();
    });

    it("are replaced by new ones under the same space, wherever the old ones lay", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 300, rowsOf));
      const model = expected(0, 300, rowsOf);
      for (const [number, count] of [
        [5, 1],
        [5, 4],
        [128, 2],
        [299, 3],
      ] as const) {
        await store.write({
          vectors: { space: SPACE, of: [{ entryId: entryId(numbered(number)), rows: rows(9_000 + number, count) }] },
        });
        model.set(numbered(number), [...rows(9_000 + number, count)]);
        expect(await vectorsByEntry(store, SPACE)).toEqual(model);
        expect(await store.vectorsOf(SPACE, [entryId(numbered(number))])).toEqual([rows(9_000 + number, count)]);
      }
      await store.close();
    });

    it("stay with an entry that is put again without any, as long as its search text is the same", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 2));
      await store.write({ entries: [{ ...entry(numbered(0)), text: "shown otherwise", tags: ["seen"] }] });
      expect(await vectorsByEntry(store, SPACE)).toEqual(expected(0, 2, () => 1));
      await store.close();
    });

    it("of two spaces do not mix, not even at one dimension, and go together with their entry", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 300));
      await store.write({ vectors: { space: OTHER_SPACE, of: [{ entryId: entryId(numbered(7)), rows: rows(1, 2) }] } });
      await store.write({
        vectors: { space: { id: SPACE.id, dimension: 2 }, of: [{ entryId: entryId(numbered(7)), rows: rows(3) }] },
      });
      expect(await vectorsByEntry(store, SPACE)).toEqual(expected(0, 300, () => 1));
      expect(await vectorsByEntry(store, OTHER_SPACE)).toEqual(new Map([[numbered(7), [...rows(1, 2)]]]));
      expect(await store.vectorSpaces()).toEqual([
        { ...SPACE, rows: 300 },
        { ...OTHER_SPACE, rows: 2 },
        { id: SPACE.id, dimension: 2, rows: 2 },
      ]);
      await store.write({ removeEntries: [entryId(numbered(7))] });
      expect(await store.vectorSpaces()).toEqual([{ ...SPACE, rows: 299 }]);
      expect(await vectorsByEntry(store, { id: "unknown", dimension: 4 })).toEqual(new Map());
      await store.close();
    });

    it("of an entry that is not there are refused, and nothing else of that write is kept", async () => {
      const store = await stores().open(freshName(), ME);
      const write = store.write({
        entries: [entry("e1")],
        vectors: { space: SPACE, of: [{ entryId: entryId("nobody"), rows: rows(1) }] },
      });
      await expect(write).rejects.toMatchObject({ code: "not-found", message: expect.stringContaining("nobody") });
      expect(await store.counts()).toEqual({ turns: 0, entries: 0 });
      expect(await store.revision()).toBe(0);
      await store.close();
    });

    it("are the caller's own arrays again: a view into a larger buffer is stored alone", async () => {
      const store = await stores().open(freshName(), ME);
      const large = new Float32Array(4_000).fill(7);
      await store.write({
        entries: [entry("e1")],
        vectors: { space: SPACE, of: [{ entryId: entryId("e1"), rows: large.subarray(3, 7) }] },
      });
      const [found] = await store.vectorsOf(SPACE, [entryId("e1")]);
      expect(found).toEqual(new Float32Array(4).fill(7));
      expect(found?.buffer.byteLength).toBe(16);
      await store.close();
    });

    it("end with code closed when the store closes while they are read", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 600));
      const reading = (async () => {
        for await (const segment of store.vectors(SPACE)) {
          expect(segment.entryIds.length).toBeGreaterThan(0);
          await store.close();
        }
      })();
      await expect(reading).rejects.toMatchObject({ code: "closed" });
    });
  });
}

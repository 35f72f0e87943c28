/** Contract: what the disk has damaged is passed over, named, and made good by the next write of it; nothing else suffers. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../../src/ports.js";
import { type Disk, freshName, type StoreHarness } from "../harness.js";
import { vectorsByEntry } from "../reading.js";
import { entriesWithVectors, entry, entryId, numbered, rows, SPACE, turn, turnId, userId } from "../samples.js";

const ME = userId("me");

export function describeDamage({ stores }: StoreHarness, disk: Disk): void {
  let name: string;
  const open = () => stores().open(name, ME);
  const idsIn = async (store: Store) => (await store.listEntries({ limit: 1_000 })).map(({ id }) => id);
  const damagedEntries = async (store: Store) => (await store.damaged()).flatMap((row) => (row.kind === "entry" ? [row.id] : []));
  const damagedVectors = async (store: Store) =>
    (await store.damaged()).flatMap((row) => (row.kind === "vectors" ? row.entryIds : []));

  beforeEach(() => {
    name = freshName();
  });

  describe("a damaged entry", () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
      await store.write(entriesWithVectors(0, 40));
      await disk.spoilEntry(name, numbered(7));
    });

    it("is passed over by every read, in either direction and across pages, and named with the turns it came from", async () => {
      const others = Array.from({ length: 40 }, (_, number) => numbered(number)).filter((id) => id !== numbered(7));
      expect(await store.damaged()).toEqual([]);
      expect(await idsIn(store)).toEqual(others);
      expect((await store.listEntries({ limit: 40, reverse: true })).map(({ id }) => id)).toEqual([...others].reverse());
      expect((await store.listEntries({ limit: 3, after: entryId(numbered(5)) })).map(({ id }) => id)).toEqual([
        numbered(6),
        numbered(8),
        numbered(9),
      ]);
      const [damaged, sound] = await store.entries([entryId(numbered(7)), entryId(numbered(8))]);
      expect(damaged).toBeUndefined();
      expect(sound?.text).toBe(`what ${numbered(8)} holds`);
      expect(await store.damaged()).toEqual([
        {
          kind: "entry",
          id: numbered(7),
          turnIds: [`turn of ${numbered(7)}`],
          reason: expect.stringContaining(numbered(7)),
        },
      ]);
      await store.close();
    });

    it("suffers writes beside it and stays known", async () => {
      await store.write({ entries: [entry(numbered(6), "changed"), entry("e00007a")], removeEntries: [entryId(numbered(9))] });
      await store.close();
      const again = await open();
      expect(await idsIn(again)).not.toContain(numbered(7));
      expect(await damagedEntries(again)).toEqual([numbered(7)]);
      expect((await again.entries([entryId(numbered(6))]))[0]?.text).toBe("changed");
      await again.close();
    });

    it("is as good as not there for a decision, and made good by the next write of it", async () => {
      await expect(store.write({ expect: [{ entryId: entryId(numbered(7)), revision: 1 }] })).rejects.toMatchObject({
        code: "conflict",
      });
      await store.write({
        entries: [entry(numbered(7), "told again")],
        vectors: { space: SPACE, of: [{ entryId: entryId(numbered(7)), rows: rows(70, 2) }] },
        expect: [{ entryId: entryId(numbered(7)), revision: 0 }],
      });
      expect(await store.damaged()).toEqual([]);
      expect(await store.counts()).toMatchObject({ entries: 40 });
      expect((await store.entries([entryId(numbered(7))]))[0]).toMatchObject({ text: "told again", revision: 1 });
      expect((await vectorsByEntry(store, SPACE)).get(numbered(7))).toEqual([...rows(70, 2)]);
      expect(await store.vectorSpaces()).toEqual([{ ...SPACE, rows: 41 }]);
      await store.close();
    });

    it("goes with its vectors when it is removed", async () => {
      await store.write({ removeEntries: [entryId(numbered(7))] });
      expect(await store.damaged()).toEqual([]);
      expect(await store.counts()).toMatchObject({ entries: 39 });
      expect(await vectorsByEntry(store, SPACE)).not.toHaveProperty(numbered(7));
      expect(await store.vectorSpaces()).toEqual([{ ...SPACE, rows: 39 }]);
      expect(await idsIn(store)).toHaveLength(39);
      await store.close();
    });

    it("goes alone, with its vectors, when what is damaged is dropped, and others learn of it from the journal", async () => {
      const { revision } = await store.standing();
      await store.dropDamaged();
      expect(await store.damaged()).toEqual([]);
      expect(await idsIn(store)).toHaveLength(39);
      expect(await damagedEntries(store)).toEqual([]);
      expect(await store.counts()).toMatchObject({ entries: 39 });
      expect(await store.vectorSpaces()).toEqual([{ ...SPACE, rows: 39 }]);
      expect((await store.journal(revision)).map(({ operations }) => operations)).toEqual([
        [{ type: "remove-entries", entryIds: [numbered(7)] }],
      ]);
      await store.dropDamaged();
      expect(await store.revision()).toBe(revision + 1);
      await store.close();
    });
  });

  describe("a damaged turn", () => {
    it("is passed over and named, may be recorded again, and goes with what is dropped", async () => {
      const store = await open();
      await store.write({ turns: ["t1", "t2", "t3", "t4"].map((id) => turn(id)) });
      for (const id of ["t2", "t4"]) await disk.spoilTurn(name, id);
      expect((await store.listTurns({ limit: 2 })).map(({ id }) => id)).toEqual(["t1", "t3"]);
      expect((await store.listTurns({ limit: 2, reverse: true })).map(({ id }) => id)).toEqual(["t3", "t1"]);
      expect(await store.turns([turnId("t2")])).toEqual([undefined]);
      expect(await store.damaged()).toMatchObject([
        { kind: "turn", id: "t2" },
        { kind: "turn", id: "t4" },
      ]);
      await store.write({ turns: [turn("t2")], expectNewTurns: [turnId("t2")] });
      expect((await store.listTurns()).map(({ id }) => id)).toEqual(["t1", "t3", "t2"]);
      expect(await store.counts()).toMatchObject({ turns: 4 });
      await store.dropDamaged();
      expect(await store.counts()).toMatchObject({ turns: 3 });
      expect(await store.damaged()).toEqual([]);
      expect((await store.write({ turns: [turn("t5")] })).turns[0]?.sequence).toBe(5);
      await store.close();
    });
  });

  describe("damaged vectors", () => {
    it.each([
      ["in the last rows", 290],
      ["in a sealed segment", 20],
      ["of an entry that lies in two segments", 170],
    ])("%s leave all others readable, and are named", async (_where, number) => {
      const store = await open();
      // 300 entries with one or two rows each: rows 0 to 449, and entry 170 has rows 255 and 256.
      const rowsOf = (of: number) => 1 + (of % 2);
      await store.write(entriesWithVectors(0, 171, (of) => (of === 170 ? 2 : rowsOf(of))));
      await store.write(entriesWithVectors(171, 300, rowsOf));
      await disk.spoilVectors(name, numbered(number));
      const read = await vectorsByEntry(store, SPACE);
      const lost = new Set<string>(await damagedVectors(store));
      expect(lost).toContain(numbered(number));
      for (let of = 0; of < 300; of++) {
        if (lost.has(numbered(of))) continue;
        expect(read.get(numbered(of))).toEqual([...rows(of, of === 170 ? 2 : rowsOf(of))]);
      }
      const [spoilt] = await store.vectorsOf(SPACE, [entryId(numbered(number))]);
      expect(spoilt).toBeUndefined();
      const again = await store.vectorsOf(
        SPACE,
        [0, 100, 299].map((of) => entryId(numbered(of))),
      );
      for (const [at, of] of [0, 100, 299].entries())
        expect(again[at]).toEqual(lost.has(numbered(of)) ? undefined : rows(of, rowsOf(of)));

      const mended = [...lost].map((id) => ({ entryId: entryId(id), rows: rows(5_000, 3) }));
      await store.write({ vectors: { space: SPACE, of: mended } });
      expect(await store.damaged()).toEqual([]);
      const whole = await vectorsByEntry(store, SPACE);
      expect(await store.damaged()).toEqual([]);
      expect(whole.size).toBe(300);
      expect(whole.get(numbered(number))).toEqual([...rows(5_000, 3)]);
      await store.close();
    });

    it("stay known when others of the same segment are forgotten, and are never passed off as sound", async () => {
      const store = await open();
      await store.write(entriesWithVectors(0, 300));
      await disk.spoilVectors(name, numbered(20));
      await store.write({ removeEntries: [entryId(numbered(21))] });
      await store.close();
      const again = await open();
      const read = await vectorsByEntry(again, SPACE);
      expect(await damagedVectors(again)).toContain(numbered(20));
      expect(read.get(numbered(20)) ?? []).toEqual([]);
      expect((await again.vectorsOf(SPACE, [entryId(numbered(20))]))[0]).toBeUndefined();
      await again.close();
    });
  });
}

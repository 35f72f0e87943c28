/** Contract: of a damaged database is kept what can be read, by call, and what cannot is named. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Disk, freshName, type StoreHarness } from "../harness.js";
import { vectorsByEntry } from "../reading.js";
import { entriesWithVectors, entry, entryId, numbered, SPACE, turn, turnId, userId } from "../samples.js";

const ME = userId("me");
const YOU = userId("you\0");

export function describeRepair({ stores }: StoreHarness, disk: Disk): void {
  let name: string;
  beforeEach(async () => {
    name = freshName();
    const mine = await stores().open(name, ME);
    await mine.write({
      ...entriesWithVectors(0, 40),
      turns: Array.from({ length: 30 }, (_, number) => turn(`t${number}`)),
      usage: [{ entryId: entryId(numbered(3)), usage: { accessCount: 4, lastAccessedAt: 9 } }],
      meta: { key: new Map([["a", 1]]) },
    });
    await mine.write({ entries: [entry(numbered(5), "told again")], removeTurns: [turnId("t2")] });
    const yours = await stores().open(name, YOU);
    await yours.write({ turns: [turn("t1", "theirs")], entries: [entry("e1", "theirs")] });
    await mine.close();
    await yours.close();
  });

  describe("a repair", () => {
    it("keeps every sound row of every user, and names what is lost", async () => {
      await disk.spoilEntry(name, numbered(7));
      await disk.spoilTurn(name, "t9");
      const report = await stores().repair(name);
      expect([...report.users].sort((one, other) => one.turns - other.turns)).toEqual([
        { userId: YOU, turns: 1, entries: 1 },
        { userId: ME, turns: 28, entries: 39 },
      ]);
      expect(report.lost).toEqual([expect.stringContaining(numbered(7)), expect.stringContaining("t9")]);

      const store = await stores().open(name, ME);
      const entries = await store.listEntries();
      expect(entries.map(({ id }) => id)).toEqual(
        Array.from({ length: 40 }, (_, number) => numbered(number)).filter((id) => id !== numbered(7)),
      );
      expect(entries[5]).toMatchObject({ text: "told again", revision: 2 });
      expect((await store.listTurns()).map(({ id }) => id)).toEqual(
        Array.from({ length: 30 }, (_, number) => `t${number}`).filter((id) => !["t2", "t9"].includes(id)),
      );
      expect(await store.counts()).toEqual({ turns: 28, entries: 39 });
      expect(await store.usage([entryId(numbered(3))])).toEqual([{ accessCount: 4, lastAccessedAt: 9 }]);
      expect(await store.meta("key")).toEqual(new Map([["a", 1]]));
      expect(await vectorsByEntry(store, SPACE)).toEqual(new Map());
      expect(await store.damaged()).toEqual([]);
      expect((await store.write(entriesWithVectors(50, 51))).entries).toHaveLength(1);
      await store.close();
      expect([...(await stores().listUsers(name))].sort()).toEqual([ME, YOU]);
      expect((await stores().repair(name)).lost).toEqual([]);
    });

    it("is no need for a database that is sound, and does it no harm", async () => {
      const report = await stores().repair(name);
      expect(report.lost).toEqual([]);
      const store = await stores().open(name, YOU);
      expect((await store.listEntries()).map(({ text }) => text)).toEqual(["theirs"]);
      await store.close();
    });

    it("fills what sound rows of an old shape lack, keeps what cannot be of use to them, and loses none of the others", async () => {
      await disk.putTurn(name, { id: turnId("old"), sequence: 99, text: "said long ago" });
      await disk.putEntry(name, { id: entryId("old"), revision: 1, text: "known long ago" });
      const odd = { ...entry("odd"), kind: "mood", tags: "tea", salience: null, validTo: "never", eventTime: 3, revision: 4 };
      await disk.putEntry(name, odd as never);
      const rows = await stores().salvage(name, ME);
      expect(rows).toContainEqual({ kind: "turn", turn: expect.objectContaining({ id: "old", role: "user", at: 0 }) });
      const report = await stores().repair(name);
      expect(report.lost).toEqual([]);
      const store = await stores().open(name, ME);
      expect(await store.counts()).toEqual({ turns: 30, entries: 42 });
      const [old, mended] = await store.entries([entryId("old"), entryId("odd")]);
      expect(old).toEqual({
        id: "old",
        revision: 1,
        text: "known long ago",
        indexText: "known long ago",
        conversationId: "default",
        sessionId: "salvaged",
        subject: "user",
        kind: "fact",
        tags: [],
        identifiers: [],
        sources: [],
        saidAt: 0,
        createdAt: 0,
        validFrom: 0,
        salience: 0.5,
        evidence: 1,
      });
      const { eventTime: _, ...rest } = entry("odd");
      expect(mended).toEqual({ ...rest, kind: "fact", tags: [], revision: 4 });
      expect((await store.listTurns({ limit: 1, reverse: true }))[0]).toMatchObject({ id: "old", conversationId: "default" });
      await store.close();
    });

    it("keeps the newer of two entries that have one id, and says so", async () => {
      await disk.putEntry(name, { ...entry(numbered(5), "told yet again"), revision: 9 }, "e00005 again");
      const report = await stores().repair(name);
      expect(report.lost).toEqual([expect.stringContaining(`${numbered(5)} is there twice`)]);
      const store = await stores().open(name, ME);
      expect((await store.entries([entryId(numbered(5))]))[0]).toMatchObject({ text: "told yet again", revision: 9 });
      expect(await store.counts()).toEqual({ turns: 29, entries: 40 });
      await store.close();
    });

    it("is refused while a handle has the database open, and loses nothing of what that records", async () => {
      const store = await stores().open(name, ME);
      await expect(stores({ blockedTimeoutMs: 50 }).repair(name)).rejects.toMatchObject({
        code: "storage-blocked",
        message: expect.stringContaining("close every memory"),
      });
      await store.write({ turns: [turn("late")] });
      const waiting = stores().repair(name);
      await store.write({ turns: [turn("later")] });
      await store.close();
      expect((await waiting).users).toContainEqual({ userId: ME, turns: 31, entries: 40 });
      const again = await stores().open(name, ME);
      expect(await again.turns([turnId("late"), turnId("later")])).toMatchObject([{ id: "late" }, { id: "later" }]);
      await again.close();
    });

    it("makes who opens, reads or erases meanwhile wait until it is done", async () => {
      const repairing = stores().repair(name);
      const [store, users] = await Promise.all([
        stores().open(name, ME),
        stores().listUsers(name),
        stores().salvage(name, ME),
        stores().eraseUser(name, YOU),
      ]);
      expect(users).toContain(ME);
      await store.write({ turns: [turn("late")] });
      await store.close();
      await repairing;
      expect(await stores().listUsers(name)).toEqual([ME]);
      const again = await stores().open(name, ME);
      expect(await again.counts()).toEqual({ turns: 30, entries: 40 });
      await again.close();
    });

    it("makes no database where there is none", async () => {
      const missing = freshName();
      await expect(stores().repair(missing)).rejects.toMatchObject({ code: "not-found" });
      await expect(stores().salvage(missing, ME)).rejects.toMatchObject({ code: "not-found" });
      expect(await stores().listUsers(missing)).toEqual([]);
      await expect(stores().repair("")).rejects.toThrow(TypeError);
    });
  });

  describe("what is salvaged", () => {
    it("is what can be read of one user, turns first, and changes nothing", async () => {
      await disk.spoilEntry(name, numbered(7));
      const rows = await stores().salvage(name, ME);
      expect(rows.map((row) => row.kind)).toEqual([...new Array(29).fill("turn"), ...new Array(39).fill("entry")]);
      expect(JSON.stringify(rows)).not.toContain("theirs");
      expect(await stores().salvage(name, userId("nobody"))).toEqual([]);
      const store = await stores().open(name, ME);
      expect(await store.listEntries()).toHaveLength(39);
      expect(await store.damaged()).toHaveLength(1);
      await store.close();
    });
  });
}

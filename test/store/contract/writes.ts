/** Contract: what a write does, all of it or nothing. */
import { describe, expect, it } from "vitest";
import { freshName, type StoreHarness } from "../harness.js";
import { vectorsByEntry } from "../reading.js";
import { entriesWithVectors, entry, entryId, numbered, rows, SPACE, turn, turnId, userId } from "../samples.js";

const ME = userId("me");

export function describeWrites({ stores }: StoreHarness): void {
  describe("a write", () => {
    it("gives turns their sequence, entries their revision, and the write its own", async () => {
      const store = await stores().open(freshName(), ME);
      expect(await store.revision()).toBe(0);
      const first = await store.write({ turns: [turn("t1"), turn("t2")], entries: [entry("e1")] });
      expect(first.revision).toBe(1);
      expect(first.turns.map(({ sequence }) => sequence)).toEqual([0, 1]);
      expect(first.entries).toEqual([{ ...entry("e1"), revision: 1 }]);
      const second = await store.write({ turns: [turn("t3")], entries: [entry("e1", "changed"), entry("e2")] });
      expect(second.revision).toBe(2);
      expect(second.turns.map(({ sequence }) => sequence)).toEqual([2]);
      expect(second.entries.map(({ revision }) => revision)).toEqual([2, 1]);
      expect(await store.revision()).toBe(2);
      expect(await store.counts()).toEqual({ turns: 3, entries: 2 });
      await store.close();
    });

    it("leaves a turn that is stored already as it is, and says how it is stored", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ turns: [turn("t1", "first")] });
      const again = await store.write({ turns: [turn("t1", "second"), turn("t2"), turn("t2", "twice in one write")] });
      expect(again.turns.map(({ id, text, sequence }) => [id, text, sequence])).toEqual([
        ["t1", "first", 0],
        ["t2", "said in t2", 1],
      ]);
      expect(await store.counts()).toEqual({ turns: 2, entries: 0 });
      await store.close();
    });

    it("is refused when an entry is at another revision than expected, and writes nothing", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ entries: [entry("e1")] });
      const stale = { turns: [turn("t1")], entries: [entry("e2")], meta: { key: 1 }, removeEntries: [entryId("e1")] };
      for (const expectation of [
        { entryId: entryId("e1"), revision: 0 },
        { entryId: entryId("e1"), revision: 2 },
        { entryId: entryId("absent"), revision: 1 },
      ]) {
        await expect(store.write({ ...stale, expect: [expectation] })).rejects.toMatchObject({
          code: "conflict",
          message: expect.stringContaining(expectation.entryId),
        });
      }
      expect(await store.counts()).toEqual({ turns: 0, entries: 1 });
      expect(await store.revision()).toBe(1);
      expect(await store.meta("key")).toBeUndefined();
      const held = await store.write({
        entries: [entry("e1", "newer")],
        expect: [
          { entryId: entryId("e1"), revision: 1 },
          { entryId: entryId("absent"), revision: 0 },
        ],
      });
      expect(held.entries[0]).toMatchObject({ text: "newer", revision: 2 });
      await store.close();
    });

    it("is refused when anything was written since the revision of the store that it expects, and writes nothing", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ turns: [turn("t1")], expectStore: 0 });
      for (const expectStore of [0, 2])
        await expect(store.write({ entries: [entry("e1")], expectStore })).rejects.toMatchObject({ code: "conflict" });
      expect(await store.counts()).toEqual({ turns: 1, entries: 0 });
      await store.write({ entries: [entry("e1")], expectStore: 1 });
      expect(await store.counts()).toEqual({ turns: 1, entries: 1 });
      for (const expectStore of [-1, 0.5]) await expect(store.write({ expectStore })).rejects.toBeInstanceOf(RangeError);
      await store.close();
    });

    it("gives an entry the revision that it comes with where that is higher than its own", async () => {
      const store = await stores().open(freshName(), ME);
      const put = async (revision: number | undefined) => {
        const given = { ...entry("e1"), ...(revision !== undefined && { revision }) };
        return (await store.write({ entries: [given] })).entries[0]?.revision;
      };
      expect([await put(5), await put(undefined), await put(6), await put(1), await put(20)]).toEqual([5, 6, 7, 8, 20]);
      expect((await store.entries([entryId("e1")]))[0]?.revision).toBe(20);
      await store.close();
    });

    it("writes nothing when a turn that it rests on is stored no more", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ turns: [turn("t1")] });
      await store.write({ turns: [turn("t2")], expectTurns: [turnId("t1")] });
      await store.write({ removeTurns: [turnId("t1")] });
      await expect(store.write({ turns: [turn("t3")], expectTurns: [turnId("t1")] })).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining("t1"),
      });
      expect((await store.listTurns()).map(({ id }) => id)).toEqual(["t2"]);
      await store.close();
    });

    it("lets one of two handles record a turn that both expect to be new", async () => {
      const name = freshName();
      const [one, other] = await Promise.all([stores().open(name, ME), stores().open(name, ME)]);
      const write = (handle: typeof one, id: string) =>
        handle.write({ turns: [turn("t1")], entries: [entry(id)], expectNewTurns: [turnId("t1")] });
      const outcomes = await Promise.allSettled([write(one, "from one"), write(other, "from other")]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const refused = outcomes.find((outcome) => outcome.status === "rejected");
      expect(refused?.reason).toMatchObject({ code: "conflict", message: expect.stringContaining("t1") });
      expect(await one.counts()).toEqual({ turns: 1, entries: 1 });
      expect(await other.counts()).toEqual({ turns: 1, entries: 1 });
      await one.close();
      await other.close();
    });

    it("is seen at once by another handle of the same name", async () => {
      const name = freshName();
      const factory = stores();
      const one = await factory.open(name, ME);
      const other = await factory.open(name, ME);
      await one.write({ entries: [entry("e1")] });
      expect(await other.entries([entryId("e1")])).toEqual([{ ...entry("e1"), revision: 1 }]);
      await other.write({ entries: [entry("e1", "by the other")] });
      expect((await one.listEntries()).map(({ text }) => text)).toEqual(["by the other"]);
      await one.close();
      expect(await other.revision()).toBe(2);
      await other.close();
    });

    it("removes entries with their use and vectors, and ignores those that are gone", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write(entriesWithVectors(0, 3));
      await store.write({ usage: [{ entryId: entryId(numbered(1)), usage: { accessCount: 3, lastAccessedAt: 5 } }] });
      await store.write({ removeEntries: [entryId(numbered(1)), entryId("never was")] });
      expect((await store.listEntries()).map(({ id }) => id)).toEqual([numbered(0), numbered(2)]);
      expect(await store.usage([entryId(numbered(1))])).toEqual([undefined]);
      expect([...(await vectorsByEntry(store, SPACE)).keys()]).toEqual([numbered(0), numbered(2)]);
      expect(await store.counts()).toEqual({ turns: 0, entries: 2 });
      const revision = await store.revision();
      const nothing = await store.write({ removeEntries: [entryId("never was")], removeTurns: [turnId("never was")] });
      expect(nothing.revision).toBe(revision);
      expect(await store.journal(revision)).toEqual([]);
      await store.close();
    });

    it("removes turns for good: their sequence is not given again", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ turns: [turn("t1"), turn("t2")] });
      await store.write({ removeTurns: [turnId("t2")] });
      const { turns } = await store.write({ turns: [turn("t3")] });
      expect(turns[0]?.sequence).toBe(2);
      expect((await store.listTurns()).map(({ id }) => id)).toEqual(["t1", "t3"]);
      expect(await store.counts()).toEqual({ turns: 2, entries: 0 });
      await store.close();
    });

    it("starts an entry that was removed and put again at revision 1", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ entries: [entry("e1")] });
      await store.write({ entries: [entry("e1")] });
      await store.write({ removeEntries: [entryId("e1")] });
      expect((await store.write({ entries: [entry("e1")] })).entries[0]?.revision).toBe(1);
      await store.close();
    });

    it("keeps use statistics apart: no new revision, no journal record, nothing for an entry that is gone", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ entries: [entry("e1")] });
      const usage = { accessCount: 2, lastAccessedAt: 1_790_000_000_000 };
      const { revision } = await store.write({
        usage: [
          { entryId: entryId("e1"), usage },
          { entryId: entryId("gone"), usage },
        ],
        durable: false,
      });
      expect(revision).toBe(1);
      expect(await store.usage([entryId("gone"), entryId("e1")])).toEqual([undefined, usage]);
      expect(await store.journal(0)).toHaveLength(1);
      expect((await store.entries([entryId("e1")]))[0]?.revision).toBe(1);
      await store.close();
    });

    it("journals what it changed, by id, with the clock's time", async () => {
      let now = 1_000;
      const store = await stores({ clock: { now: () => now } }).open(freshName(), ME);
      await store.write({ turns: [turn("t1")], entries: [entry("e1")], meta: { model: "a" } });
      now = -2_000;
      await store.write({ removeEntries: [entryId("e1")], removeTurns: [turnId("t1")], entries: [entry("e2")] });
      now = 3_000;
      await store.write({ vectors: { space: SPACE, of: [{ entryId: entryId("e2"), rows: rows(1) }] } });
      expect(await store.journal(0)).toEqual([
        {
          revision: 1,
          at: 1_000,
          operations: [
            { type: "put-turns", turnIds: ["t1"] },
            { type: "put-entries", entryIds: ["e1"] },
            { type: "put-meta", keys: ["model"] },
          ],
        },
        {
          revision: 2,
          at: -2_000,
          operations: [
            { type: "remove-entries", entryIds: ["e1"] },
            { type: "remove-turns", turnIds: ["t1"] },
            { type: "put-entries", entryIds: ["e2"] },
          ],
        },
        { revision: 3, at: 3_000, operations: [{ type: "put-entries", entryIds: ["e2"] }] },
      ]);
      expect((await store.journal(1, 1)).map(({ revision }) => revision)).toEqual([2]);
      expect(await store.journal(3)).toEqual([]);
      await store.close();
    });

    it("keeps meta values as they are and removes those that become undefined", async () => {
      const store = await stores().open(freshName(), ME);
      const value = {
        nan: Number.NaN,
        date: new Date(0),
        bytes: new Uint8Array([1, 2]),
        map: new Map([["a", [undefined, null]]]),
        lone: "\ud800",
      };
      await store.write({ meta: { value, other: 0, ["__proto__"]: "own" } });
      expect(await store.meta("value")).toEqual(value);
      expect(await store.meta("other")).toBe(0);
      expect(await store.meta("__proto__")).toBe("own");
      expect(await store.metaKeys()).toEqual(["__proto__", "other", "value"]);
      await store.write({ meta: { value: undefined } });
      expect(await store.metaKeys()).toEqual(["__proto__", "other"]);
      expect(await store.meta("value")).toBeUndefined();
      expect(await store.meta("never was")).toBeUndefined();
      await store.close();
    });

    it("takes 10,000 turns at once, in order", { timeout: 60_000 }, async () => {
      const store = await stores().open(freshName(), ME);
      const turns = Array.from({ length: 10_000 }, (_, index) => turn(`t${index}`));
      const written = await store.write({ turns });
      expect(written.turns.map(({ sequence }) => sequence)).toEqual(turns.map((_, index) => index));
      expect(await store.counts()).toEqual({ turns: 10_000, entries: 0 });
      const last = await store.listTurns({ reverse: true, limit: 2 });
      expect(last.map(({ id }) => id)).toEqual(["t9999", "t9998"]);
      await store.close();
    });

    it("is not begun when its signal is aborted, and rejects with the signal's reason", async () => {
      const store = await stores().open(freshName(), ME);
      const reason = new Error("the person pressed stop");
      await expect(store.write({ entries: [entry("e1")] }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(await store.counts()).toEqual({ turns: 0, entries: 0 });
      await store.close();
    });

    it("has either written everything or nothing when the signal is aborted in mid-call", async () => {
      const store = await stores().open(freshName(), ME);
      const reason = new Error("stop");
      for (let round = 0; round < 8; round++) {
        const controller = new AbortController();
        const before = await store.counts();
        const writing = store.write({ turns: [turn(`t${round}`)], entries: [entry(`e${round}`)] }, { signal: controller.signal });
        for (let tick = 0; tick < round; tick++) await Promise.resolve();
        if (round % 4 === 3) await new Promise((resolve) => setTimeout(resolve, 0));
        controller.abort(reason);
        const outcome = await writing.then(
          () => "written",
          (error: unknown) => error,
        );
        const after = await store.counts();
        if (outcome === "written") expect(after).toEqual({ turns: before.turns + 1, entries: before.entries + 1 });
        else {
          expect(outcome).toBe(reason);
          expect(after).toEqual(before);
        }
      }
      await store.close();
    });
  });
}

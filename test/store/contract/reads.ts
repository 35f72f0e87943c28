/** Contract: what is read back, and what a closed store says. */
import { describe, expect, it } from "vitest";
import { freshName, type StoreHarness } from "../harness.js";
import { conversationId, entry, entryId, turn, turnId, userId } from "../samples.js";
import { READS } from "./isolation.js";

const ME = userId("me");

export function describeReads({ stores }: StoreHarness): void {
  describe("reading", () => {
    it("gives records in the order asked, undefined for those that are not there", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ turns: [turn("t1"), turn("t2")], entries: [entry("e1"), entry("e2")] });
      expect(
        (await store.entries([entryId("e2"), entryId("x"), entryId("e1"), entryId("e2")])).map((found) => found?.id),
      ).toEqual(["e2", undefined, "e1", "e2"]);
      expect((await store.turns([turnId("x"), turnId("t2")])).map((found) => found?.id)).toEqual([undefined, "t2"]);
      expect(await store.entries([])).toEqual([]);
      await store.close();
    });

    it("pages entries in id order, both ways", async () => {
      const store = await stores().open(freshName(), ME);
      const ids = ["c", "a", "e", "b", "d"];
      await store.write({ entries: ids.map((id) => entry(id)) });
      const list = async (page: Parameters<typeof store.listEntries>[0]) =>
        (await store.listEntries(page)).map(({ id }) => id).join("");
      expect(await list({})).toBe("abcde");
      expect(await list({ limit: 2 })).toBe("ab");
      expect(await list({ limit: 2, after: entryId("b") })).toBe("cd");
      expect(await list({ limit: 9, after: entryId("bb") })).toBe("cde");
      expect(await list({ after: entryId("e") })).toBe("");
      expect(await list({ reverse: true })).toBe("edcba");
      expect(await list({ reverse: true, limit: 2 })).toBe("ed");
      expect(await list({ reverse: true, limit: 2, after: entryId("d") })).toBe("cb");
      expect(await list({ reverse: true, after: entryId("a") })).toBe("");
      await store.close();
    });

    it("sorts ids by UTF-16 code unit", async () => {
      const store = await stores().open(freshName(), ME);
      const ids = ["\uffff", "\u{1f600}", "\ud800", "a", "a\0", "é"];
      await store.write({ entries: ids.map((id) => entry(id)) });
      expect((await store.listEntries()).map(({ id }) => id)).toEqual([...ids].sort());
      await store.close();
    });

    it("pages turns by sequence, of all conversations or one, both ways", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({
        turns: [turn("1", "", "x"), turn("2", "", "y"), turn("3", "", "x"), turn("4", "", "x"), turn("5", "", "xx")],
      });
      const list = async (page: Parameters<typeof store.listTurns>[0]) =>
        (await store.listTurns(page)).map(({ id }) => id).join("");
      expect(await list({})).toBe("12345");
      expect(await list({ after: 0, limit: 2 })).toBe("23");
      expect(await list({ reverse: true, limit: 2 })).toBe("54");
      expect(await list({ reverse: true, after: 3, limit: 2 })).toBe("32");
      const x = { conversationId: conversationId("x") };
      expect(await list(x)).toBe("134");
      expect(await list({ ...x, after: 0, limit: 1 })).toBe("3");
      expect(await list({ ...x, reverse: true })).toBe("431");
      expect(await list({ ...x, reverse: true, after: 3, limit: 1 })).toBe("3");
      expect(await list({ conversationId: conversationId("nowhere") })).toBe("");
      await store.close();
    });

    it("stops at 256 records where no limit is named, and refuses a limit that is none", async () => {
      const store = await stores().open(freshName(), ME);
      const numbers = Array.from({ length: 300 }, (_, index) => index);
      await store.write({
        turns: numbers.map((number) => turn(`t${number}`)),
        entries: numbers.map((number) => entry(`e${number}`)),
      });
      expect(await store.listTurns()).toHaveLength(256);
      expect(await store.listEntries({ reverse: true })).toHaveLength(256);
      expect(await store.listEntries({ limit: 1_000 })).toHaveLength(300);
      for (const limit of [0, -1, 1.5, Number.NaN]) {
        await expect(store.listEntries({ limit })).rejects.toThrow(RangeError);
        await expect(store.listTurns({ limit })).rejects.toThrow(RangeError);
        await expect(store.journal(0, limit)).rejects.toThrow(RangeError);
      }
      await store.close();
    });

    it("returns any text character for character", async () => {
      const name = freshName();
      const store = await stores().open(name, ME);
      const texts = [
        "",
        "\0",
        "a\0b",
        "\ud800 alone",
        "\udc00\ud800",
        "👩‍👩‍👧 مرحبا שלום",
        "\u2028\u2029\\\"'",
        "x".repeat(1_000_000),
        "é e\u0301",
        "\ufeff\ufffe",
      ];
      await store.write({
        turns: texts.map((text, index) => turn(`t${index}`, text)),
        entries: texts.map((text, index) => entry(`e${index}`, text)),
      });
      await store.close();
      const again = await stores().open(name, ME);
      expect((await again.listTurns()).map(({ text }) => text)).toEqual(texts);
      const entries = await again.listEntries();
      expect(entries.map(({ text }) => text)).toEqual(texts);
      expect(entries.map(({ sources }) => sources[0]?.quote)).toEqual(texts);
      await again.close();
    });

    it("keeps ids that are no plain words apart", async () => {
      const store = await stores().open(freshName(), ME);
      const ids = ["\ud800", "\ud801", "a", "a\0", "A", "é", "e\u0301", "__proto__", "constructor", "'; DROP TABLE entries; --"];
      await store.write({ turns: ids.map((id) => turn(id, id, id)), entries: ids.map((id) => entry(id, id)) });
      expect((await store.entries(ids.map(entryId))).map((found) => found?.text)).toEqual(ids);
      expect((await store.turns(ids.map(turnId))).map((found) => found?.text)).toEqual(ids);
      for (const id of ids)
        expect((await store.listTurns({ conversationId: conversationId(id) })).map(({ text }) => text)).toEqual([id]);
      await store.close();
    });

    it("keeps times before 1970 and optional fields as they were", async () => {
      const store = await stores().open(freshName(), ME);
      const full = {
        ...entry("e1"),
        saidAt: -86_400_000.5,
        validTo: -1,
        eventTime: { from: -62_135_596_800_000, to: 0 },
        mentions: [{ from: -5, to: -4 }],
        supersedes: [entryId("e0")],
        pinned: true as const,
        private: true as const,
        context: { previous: "before" },
      };
      await store.write({ entries: [full], turns: [{ ...turn("t1"), at: -1, recordedAt: -2, name: "Ann", private: true }] });
      expect(await store.entries([entryId("e1")])).toEqual([{ ...full, revision: 1 }]);
      expect(await store.turns([turnId("t1")])).toEqual([
        { ...turn("t1"), at: -1, recordedAt: -2, name: "Ann", private: true, sequence: 0 },
      ]);
      await store.close();
    });

    it("finds everything again when the store is opened again", async () => {
      const name = freshName();
      const first = await stores().open(name, ME);
      await first.write({
        turns: [turn("t1")],
        entries: [entry("e1")],
        meta: { key: "value" },
        usage: [{ entryId: entryId("e1"), usage: { accessCount: 1, lastAccessedAt: 2 } }],
      });
      await first.close();
      const again = await stores().open(name, ME);
      expect(await again.revision()).toBe(1);
      expect(await again.counts()).toEqual({ turns: 1, entries: 1 });
      expect(await again.listEntries()).toEqual([{ ...entry("e1"), revision: 1 }]);
      expect(await again.listTurns()).toEqual([{ ...turn("t1"), sequence: 0 }]);
      expect(await again.usage([entryId("e1")])).toEqual([{ accessCount: 1, lastAccessedAt: 2 }]);
      expect(await again.meta("key")).toBe("value");
      await again.close();
    });
  });

  describe("a closed store", () => {
    it("rejects every call with code closed, and closes twice without complaint", async () => {
      const store = await stores().open(freshName(), ME);
      await store.write({ entries: [entry("e1")] });
      await store.close();
      await store.close();
      for (const [method, read] of Object.entries(READS)) {
        await expect(read(store), method).rejects.toMatchObject({ code: "closed" });
      }
      await expect(store.write({ entries: [entry("e2")] })).rejects.toMatchObject({ code: "closed" });
    });

    it("has settled every call that was in flight", async () => {
      const name = freshName();
      const store = await stores().open(name, ME);
      const calls = Array.from({ length: 5 }, (_, index) =>
        store.write({ entries: [entry(`e${index}`)] }).then(
          () => 1,
          (error: unknown) => {
            expect(error).toMatchObject({ code: "closed" });
            return 0;
          },
        ),
      );
      await store.close();
      const acknowledged = (await Promise.all(calls)).reduce<number>((sum, one) => sum + one, 0);
      const again = await stores().open(name, ME);
      expect((await again.counts()).entries).toBe(acknowledged);
      await again.close();
    });
  });
}

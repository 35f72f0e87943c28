/** Contract: a scan reads every row of its user in every table, and whatever text is in it. */
import { describe, expect, it } from "vitest";
import type { ScannedRow, Store } from "../../../src/ports.js";
import { freshName, type StoreHarness } from "../harness.js";
import { entriesWithVectors, entry, entryId, rows, SPACE, turn, userId } from "../samples.js";

async function scanned(store: Store): Promise<ScannedRow[]> {
  const found: ScannedRow[] = [];
  for await (const row of store.scan()) found.push(row);
  return found;
}

const holding = (found: readonly ScannedRow[], text: string): string[] =>
  [...new Set(found.filter(({ strings }) => strings.some((one) => one.includes(text))).map(({ table }) => table))].sort();

export function describeScan({ stores }: StoreHarness): void {
  describe("a scan", () => {
    it("finds words wherever they are stored, with quotes and line breaks in them too", async () => {
      const store = await stores().open(freshName(), userId("me"));
      expect(await scanned(store)).toEqual([]);
      await store.write({
        turns: [turn("t1", 'She said "yes",\nat once.')],
        entries: [entry("e1", "in an entry"), { ...entry("e2", "x"), context: { previous: "beside an entry" } }],
        vectors: { space: SPACE, of: [{ entryId: entryId("e1"), rows: rows(1) }] },
        meta: { deep: { list: [{ words: "deep in meta" }], set: new Set(["in a set"]), map: new Map([["key", "in a map"]]) } },
      });
      await store.keepDerived("terms", { words: ["in what is derived"] }, 1);
      const found = await scanned(store);
      expect(holding(found, 'She said "yes",\nat once.')).toEqual(["turns"]);
      expect(holding(found, "in an entry")).toEqual(["entries"]);
      expect(holding(found, "beside an entry")).toEqual(["entries"]);
      expect(holding(found, "deep in meta")).toEqual(["meta"]);
      expect(holding(found, "in a set")).toEqual(["meta"]);
      expect(holding(found, "in a map")).toEqual(["meta"]);
      expect(holding(found, "in what is derived")).toEqual(["derived"]);
      // Ids are strings of the rows that bear or name them.
      expect(holding(found, "e1")).toEqual(expect.arrayContaining(["entries", "journal"]));
      await store.close();
    });

    it("reads all rows of more than one page, and no other user's", async () => {
      const name = freshName();
      const factory = stores();
      const store = await factory.open(name, userId("me"));
      const other = await factory.open(name, userId("men"));
      await store.write(entriesWithVectors(0, 700));
      await store.write({ turns: Array.from({ length: 700 }, (_, at) => turn(`t${at}`, `my turn ${at}`)) });
      await other.write({ turns: [turn("t0", "a secret of theirs")], entries: [entry("e", "a secret of theirs")] });
      const found = await scanned(store);
      expect(found.filter(({ table }) => table === "turns")).toHaveLength(700);
      expect(found.filter(({ table }) => table === "entries")).toHaveLength(700);
      expect(holding(found, "secret")).toEqual([]);
      expect(holding(await scanned(other), "my turn")).toEqual([]);
      await store.close();
      await other.close();
    });
  });
}

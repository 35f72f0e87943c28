/** Contract: what is refused at the door, with nothing written. */
import { describe, expect, it } from "vitest";
import type { StoreWrite } from "../../../src/ports.js";
import { freshName, type StoreHarness } from "../harness.js";
import { entry, entryId, rows, SPACE, turn, turnId, userId } from "../samples.js";

const vectorsOf = (flat: Float32Array): StoreWrite => ({
  entries: [entry("e1")],
  vectors: { space: SPACE, of: [{ entryId: entryId("e1"), rows: flat }] },
});

const REFUSED: readonly (readonly [what: string, batch: StoreWrite, error: object])[] = [
  ["a vector with NaN", vectorsOf(new Float32Array([0, 1, Number.NaN, 0])), { code: "invalid-vector" }],
  [
    "a vector with an infinity in its second row",
    vectorsOf(new Float32Array([0, 1, 0, 0, 0, 0, 0, Number.NEGATIVE_INFINITY])),
    { code: "invalid-vector", message: expect.stringContaining("row 1") },
  ],
  ["a vector of no length", vectorsOf(new Float32Array(0)), { code: "invalid-vector" }],
  [
    "a vector of another length",
    vectorsOf(new Float32Array(6)),
    { code: "dimension-mismatch", message: expect.stringContaining("4-d") },
  ],
  ["a space without an id", { vectors: { space: { id: "", dimension: 4 }, of: [] } }, { name: "TypeError" }],
  ["a space without a dimension", { vectors: { space: { id: "x", dimension: 0 }, of: [] } }, { name: "RangeError" }],
  ["an entry put twice", { entries: [entry("e1"), entry("e1")] }, { name: "TypeError" }],
  ["an entry put and removed", { entries: [entry("e1")], removeEntries: [entryId("e1")] }, { name: "TypeError" }],
  ["a turn put and removed", { turns: [turn("t1")], removeTurns: [turnId("t1")] }, { name: "TypeError" }],
  [
    "an entry with two sets of vectors",
    {
      entries: [entry("e1")],
      vectors: { space: SPACE, of: [1, 2].map((value) => ({ entryId: entryId("e1"), rows: rows(value) })) },
    },
    { name: "TypeError" },
  ],
  ["a turn without an id", { turns: [turn("")] }, { name: "TypeError" }],
  ["an entry without an id", { entries: [entry("")] }, { name: "TypeError" }],
  ["a time that is no number", { turns: [{ ...turn("t1"), at: Number.NaN }] }, { name: "RangeError" }],
  ["a salience that is infinite", { entries: [{ ...entry("e1"), salience: Number.POSITIVE_INFINITY }] }, { name: "RangeError" }],
  ["an expectation of half a revision", { expect: [{ entryId: entryId("e1"), revision: 0.5 }] }, { name: "RangeError" }],
  [
    "a meta value that cannot be cloned",
    { entries: [entry("e1")], meta: { key: () => 1 } },
    { name: "TypeError", message: expect.stringContaining("key") },
  ],
];

export function describeDoors({ stores }: StoreHarness): void {
  describe("at the door", () => {
    it.each(REFUSED)("%s is refused and nothing is written", async (_what, batch, error) => {
      const store = await stores().open(freshName(), userId("me"));
      await expect(store.write({ turns: [turn("beside")], meta: { beside: 1 }, ...batch })).rejects.toMatchObject(error);
      expect(await store.counts()).toEqual({ turns: 0, entries: 0 });
      expect(await store.revision()).toBe(0);
      expect(await store.meta("beside")).toBeUndefined();
      expect(await store.vectorSpaces()).toEqual([]);
      await store.close();
    });
  });
}

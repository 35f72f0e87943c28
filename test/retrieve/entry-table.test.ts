/** Slots, columns and filters of the entry table. */

import { describe, expect, it } from "vitest";
import { countWords, EntryTable } from "../../src/retrieve/entry-table.js";
import type { EntryId } from "../../src/types.js";
import { at, entryOf } from "./entries.js";

const tableOf = (...entries: ReturnType<typeof entryOf>[]): EntryTable => {
  const table = new EntryTable();
  for (const entry of entries) table.put(entry);
  return table;
};

describe("EntryTable", () => {
  it("keeps an entry in its slot when it is put again, and gives a freed slot to the next", () => {
    const table = tableOf(entryOf("one"), entryOf("two"));
    expect(table.put(entryOf("one", { revision: 2 }))).toBe(0);
    expect(table.entry(0)?.revision).toBe(2);
    expect(table.remove(entryOf("one").id)).toBe(0);
    expect(table.remove(entryOf("one").id)).toBeUndefined();
    expect(table.put(entryOf("three"))).toBe(0);
    expect([table.size, table.slotLimit]).toEqual([2, 2]);
  });

  it("knows named speakers while they hold entries", () => {
    const table = tableOf(entryOf("one", { speaker: "Ann" }), entryOf("two", { speaker: "Ann" }), entryOf("three"));
    table.remove(entryOf("one").id);
    expect(table.speakers()).toEqual(["Ann"]);
    table.remove(entryOf("two").id);
    expect(table.speakers()).toEqual([]);
  });

  it("keeps its columns beyond the first few hundred slots", () => {
    const table = tableOf(...Array.from({ length: 700 }, (_, i) => entryOf(`text ${i}?`, { id: `e${i}` as EntryId, saidAt: i })));
    expect([table.saidAt[699], table.question[699], table.session[699]]).toEqual([699, 1, 699]);
  });

  it.each([
    ["kinds", { kinds: ["event" as const] }, ["party"]],
    ["subject, whatever its case", { subject: "ANN" }, ["party"]],
    ["when it was said", { said: { from: at("2026-06-01T00:00:00Z") } }, ["party"]],
    ["when it was recorded", { recordedBy: at("2026-05-15T00:00:00Z") }, ["old job", "pinned"]],
    ["what holds at a time", { validAt: at("2026-07-01T00:00:00Z") }, ["pinned", "party"]],
    ["words of the text", { text: "JOB old" }, ["old job"]],
    ["pinned", { pinned: true }, ["pinned"]],
  ])("filters by %s", (_, filter, expected) => {
    const table = tableOf(
      entryOf("old job", { validTo: at("2026-06-15T00:00:00Z") }),
      entryOf("pinned", { pinned: true }),
      entryOf("party", { speaker: "Ann", kind: "event", saidAt: at("2026-06-02T00:00:00Z") }),
    );
    const mask = table.mask(filter);
    expect([...mask.keys()].filter((slot) => mask[slot] === 1).map((slot) => table.entry(slot)?.text)).toEqual(expected);
  });
});

describe("countWords", () => {
  it("counts words between spaces, and two characters as a word without them", () => {
    expect(countWords("one two  three")).toBe(3);
    expect(countWords("我上个月在青岛报")).toBe(5);
    expect(countWords("")).toBe(0);
  });
});

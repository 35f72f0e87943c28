/** Entries go into and out of all indexes together. */

import { describe, expect, it } from "vitest";
import { entryOf, indexesOf } from "../retrieve/entries.js";

describe("the indexes of a memory", () => {
  it("drop the vectors of a text that changed, and say that it is to be embedded", async () => {
    const index = await indexesOf([]);
    const { id } = entryOf("a");
    index.put(entryOf("kayak", { id }), Float32Array.of(1, 0, 0, 0));
    expect([index.vector.size, index.unembedded]).toEqual([1, []]);
    index.put(entryOf("paddle", { id }));
    expect([
      index.table.size,
      index.vector.size,
      index.lexical.documentFrequency("kayak"),
      index.lexical.documentFrequency("paddl"),
      index.unembedded.map((entry) => entry.text),
    ]).toEqual([1, 0, 0, 1, ["paddle"]]);
  });

  it("keep the vectors of an entry whose text stays the same", async () => {
    const index = await indexesOf([]);
    index.put(entryOf("kayak"), Float32Array.of(1, 0, 0, 0));
    index.put(entryOf("kayak", { tags: ["seen"] }));
    expect([index.vector.size, index.unembedded]).toEqual([1, []]);
  });

  it("take out what is there and are silent about what is not", async () => {
    const index = await indexesOf([entryOf("kayak")]);
    index.remove(entryOf("kayak").id);
    index.remove(entryOf("kayak").id);
    expect([index.table.size, index.lexical.size, index.unembedded]).toEqual([0, 0, []]);
  });
});

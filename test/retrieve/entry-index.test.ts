/** Entries go into and out of all indexes together. */

import { describe, expect, it } from "vitest";
import { embeddingTexts, indexEntry, lexicalDocument, unindexEntry } from "../../src/retrieve/entry-index.js";
import { termsOf } from "../../src/text/terms.js";
import { entryOf, indexesOf } from "./entries.js";

describe("embeddingTexts", () => {
  it("are the whole and its sentences, each with the name of a named speaker", () => {
    expect(embeddingTexts(entryOf("I moved. It was hard.", { speaker: "Ann" }))).toEqual([
      "Ann: I moved. It was hard.",
      "Ann: I moved.",
      "Ann: It was hard.",
    ]);
  });
  it("are the text alone for one sentence of the user", () => {
    expect(embeddingTexts(entryOf("I moved."))).toEqual(["I moved."]);
  });
  it("are bounded", () => {
    const texts = embeddingTexts(entryOf("It rained again today. ".repeat(500)));
    expect(texts.length).toBe(13);
    expect(texts.every((text) => text.length <= 1_500)).toBe(true);
  });
});

describe("lexicalDocument", () => {
  it("takes the near ends of the neighbours", () => {
    const far = Array.from({ length: 60 }, (_, i) => `zebra${i}`).join(" ");
    const entry = entryOf("kayak", { speaker: "Ann", context: { previous: `${far} near`, next: `soon ${far}` } });
    const { previousTerms, nextTerms, speakerTerms } = lexicalDocument(entry, termsOf("kayak"));
    expect([previousTerms.length, previousTerms.at(-1), nextTerms.length, nextTerms[0], speakerTerms]).toEqual([
      40,
      "near",
      40,
      "soon",
      ["ann"],
    ]);
  });
});

describe("indexEntry", () => {
  it("replaces what an entry was, vectors too", async () => {
    const indexes = await indexesOf([]);
    indexEntry(indexes, entryOf("kayak", { id: entryOf("a").id }), Float32Array.of(1, 0, 0, 0));
    indexEntry(indexes, entryOf("paddle", { id: entryOf("a").id }));
    expect([
      indexes.table.size,
      indexes.vector.size,
      indexes.lexical.documentFrequency("kayak"),
      indexes.lexical.documentFrequency("paddl"),
    ]).toEqual([1, 0, 0, 1]);
  });
  it("leaves an entry in no index when its vectors are refused", async () => {
    const indexes = await indexesOf([]);
    expect(() => indexEntry(indexes, entryOf("kayak"), Float32Array.of(Number.NaN, 0, 0, 0))).toThrow();
    expect([indexes.table.size, indexes.lexical.size]).toEqual([0, 0]);
  });
  it("takes out what is there and is silent about what is not", async () => {
    const indexes = await indexesOf([entryOf("kayak")]);
    unindexEntry(indexes, entryOf("kayak").id);
    unindexEntry(indexes, entryOf("kayak").id);
    expect([indexes.table.size, indexes.lexical.size]).toEqual([0, 0]);
  });
});

/** What the indexes see of an entry. */

import { describe, expect, it } from "vitest";
import { embeddingTexts, lexicalDocument } from "../../src/retrieve/entry-index.js";
import { termsOf } from "../../src/text/terms.js";
import { entryOf } from "./entries.js";

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

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folded } from "../../../src/ltm/scrub/folded.js";

describe("a folded text", () => {
  it.each([
    ["no-break and thin spaces", "a\u00A0b\u2009c", "a b c"],
    ["two spaces", "a  b", "a b"],
    ["hyphens that do not break", "0151\u20112345", "0151-2345"],
    ["a joiner and variation selectors", "ex\u034Fa\u{E0101}mple", "example"],
    ["letters with their marks apart", "Jose\u0301", "José"],
    ["marks that no letter takes", "q\u0301foo", "qfoo"],
    ["wide letters and digits", "\uFF41\uFF11", "a1"],
    ["digits of another script", "٠١٥", "015"],
    ["letters in circles", "ⓐⓝⓝⓐ", "anna"],
    ["bracketed words", "ana [at] example (dot) org", "ana@example.org"],
    ["escapes and entities", "ana%40example&#46;org", "ana@example.org"],
  ])("has no %s", (_, text, expected) => {
    expect(folded(text).text).toBe(expected);
  });

  it("keeps a dash, which parts words, and what is no escape", () => {
    expect(folded("dinner — Anna, 50% off & more").text).toBe("dinner — Anna, 50% off & more");
  });

  it("leads back to the place of each character, in order", () => {
    const piece = fc.constantFrom(
      "a",
      "é",
      "e\u0301",
      "\u200B",
      "\u00A0",
      " ",
      "  ",
      "王",
      "𝐀",
      "%40",
      "(at)",
      "\n",
      "ß",
      "\u{E0101}",
      "👍",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (pieces, plain) => {
        const text = pieces.join("");
        const { text: shown, original } = folded(text, { plain });
        const places = Array.from({ length: shown.length + 1 }, (_, at) => original(at));
        expect(places.at(-1)).toBe(text.length);
        expect(places.every((place, at) => at === 0 || place >= (places[at - 1] ?? 0))).toBe(true);
        for (const [at, letter] of [...shown].entries())
          if (/^[a王]$/u.test(letter) && shown.length === [...shown].length)
            expect(folded(text.slice(places[at], places[at + 1]), { plain }).text).toContain(letter);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});

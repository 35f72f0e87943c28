import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeats } from "../../src/core/echoes.js";
import { QuoteFinder } from "../../src/core/remains.js";

describe("a quote in a text", () => {
  it("is found whole, spacing aside, and not inside a longer word", () => {
    const finder = new QuoteFinder(["I like tea", "oolong\n  from Taiwan, the dark one", "茶"]);
    expect(finder.isIn("They said: I  like\ntea.")).toBe(true);
    expect(finder.isIn("I like teak")).toBe(false);
    expect(finder.isIn("Ali like tea")).toBe(false);
    expect(finder.isIn("oolong from Taiwan, the dark one!")).toBe(true);
    expect(finder.isIn("oolong from Taiwan, the light one")).toBe(false);
    expect(finder.isIn("我喝茶了")).toBe(true);
    expect(new QuoteFinder(["", " "]).isIn("anything")).toBe(false);
  });

  it("is found wherever it stands between spaces, whatever it is and whatever else is looked for", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((one) => one.trim() !== "");
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), fc.nat(), text, text, (quotes, which, before, after) => {
        const quote = quotes[which % quotes.length] ?? "";
        expect(new QuoteFinder(quotes).isIn(`${before} ${quote} ${after}`)).toBe(true);
      }),
    );
  });
});

describe("a reply", () => {
  it.each([
    ["Kim sounds kind.", "I met Kim at the lake and we talked for hours.", true],
    ["Lovely, Kim sounds kind.", "Kim left me in March after ten long years together.", true],
    ["Booked! Anything else?", "Booked a table near the old harbour for my parents.", false],
    ["Leipzig ist schön.", "Ich wohne seit März in Leipzig bei meiner Tante.", true],
    ["这个消息让我难过，抑郁症可以治疗。", "我得了抑郁症", true],
    ["今天天气很好。", "我得了抑郁症", false],
    ["I will write to ana.k@example.org today.", "Her address is Ana.K@example.org, she reads it every other week.", true],
    ["Is there anything else?", "My sister works as a nurse in Porto.", false],
    ["There are 2 ways.", "I have 2 older sisters and one very small brother.", false],
    ["", "I like tea.", false],
  ])("«%s» repeats «%s»: %s", (text, quote, expected) => {
    expect(repeats(text, quote)).toBe(expected);
  });
});

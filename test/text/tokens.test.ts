import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultTokenizer, estimateTokens } from "../../src/text/tokens.js";

/** Texts of our own with their true count under o200k_base. */
const COUNTED: readonly (readonly [string, string, number])[] = [
  [
    "English chat",
    "I finally booked the pottery class we talked about. It starts on the 14th, and my sister Ines is coming along even though she hates getting her hands dirty!",
    35,
  ],
  [
    "code",
    "export function total(items: readonly Item[]): number {\n  return items.reduce((sum, item) => sum + item.price * item.count, 0);\n}\n",
    32,
  ],
  [
    "JSON",
    '{"order":{"id":"ORD-48213","status":"shipped","items":[{"sku":"TEA-09","count":3},{"sku":"MUG-11","count":1}],"total":42.75}}',
    47,
  ],
  ["Chinese", "我上个月搬到了成都，新公寓离地铁站只有五分钟。周末我常去公园喝茶，也认识了几位新朋友。", 34],
  ["Japanese", "先週の土曜日に友達と京都へ行って、お寺を三つ見ました。来月は北海道に行くつもりです。", 33],
  ["German", "Am Samstag habe ich mit meiner Schwester den Keller aufgeräumt und drei alte Fahrräder verschenkt.", 21],
  ["Spanish", "El viernes pasado fuimos a la playa con los niños y mañana empiezo el curso de cerámica.", 22],
  [
    "identifiers",
    "Order ORD-48213, commit 3f786850e387550fdab836ed7e6dc881de23001b, flight HX3042, ticket 5f0c9d8e-7b1a-4f57-9a3d-2f6b8c1e0d94",
    70,
  ],
];

describe("estimating tokens", () => {
  it.each(COUNTED)("is near the true count for %s", (_name, text, count) => {
    expect(Math.abs(estimateTokens(text) - count)).toBeLessThanOrEqual(Math.max(2, 0.15 * count));
  });

  it("counts Chinese several times higher than characters over four", () => {
    const text = "今天早上我在河边跑了五公里，然后去菜市场买了一条鱼。";
    expect(estimateTokens(text)).toBeGreaterThan(2 * (text.length / 4));
  });

  it("counts nothing for an empty text and at least one token for any other", () => {
    expect(estimateTokens("")).toBe(0);
    for (const text of [" ", "\u0000", "\ud800", "a", "😀", "ا"]) expect(estimateTokens(text)).toBeGreaterThanOrEqual(1);
    expect(defaultTokenizer.count("one two three")).toBe(estimateTokens("one two three"));
  });

  it("never takes a special token in user text for anything but text", () => {
    expect(estimateTokens("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("grows with the text, give or take the seam between two runs", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.string({ unit: "binary", maxLength: 80 }), (left, right) => {
        const whole = estimateTokens(left + right);
        expect(Number.isInteger(whole)).toBe(true);
        expect(whole).toBeLessThanOrEqual(estimateTokens(left) + estimateTokens(right) + 3);
      }),
    );
  });

  it("counts a million characters", () => {
    expect(estimateTokens("word ".repeat(200_000))).toBeGreaterThan(150_000);
    expect(estimateTokens("x".repeat(1_000_000))).toBeGreaterThan(100_000);
  });
});

import { describe, expect, it } from "vitest";
import { attributesIn } from "../../src/write/attributes.js";

describe("what a statement is about", () => {
  it.each<[string, readonly string[]]>([
    ["My flight code is KX-40718.", ["flight code"]],
    ["My sister Ines loves durian.", ["sister"]],
    ["My best friend moved to Porto, and my rent went up.", ["friend", "rent"]],
    ["My favourite colour is teal.", ["favourite colour"]],
    ["I moved to Leiden.", []],
    ["My, is that late.", []],
    ["Meine Schwester wohnt in Ulm.", ["schwester"]],
    ["Mi hermano es músico.", ["hermano"]],
    ["我的航班号是KX-40718。", ["航班号"]],
    ["我妹妹喜欢榴莲。", ["妹妹"]],
  ])("%j: %j", (text, expected) => {
    expect(attributesIn(text)).toEqual(expected);
  });

  it("is four things at most", () => {
    expect(attributesIn("My rent is 1, my gas is 2, my phone is 3, my bus is 4, my gym is 5.")).toHaveLength(4);
  });
});

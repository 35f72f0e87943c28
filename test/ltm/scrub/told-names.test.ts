import { expect, it } from "vitest";
import { KnownNames } from "../../../src/ltm/scrub/known-names.js";
import { namesTold, nicknamesOf } from "../../../src/ltm/scrub/told-names.js";

it.each([
  ["My sister Clara moved out.", ["Clara"]],
  ["I met a friend called Bo Jansen at my boss's house.", ["Bo Jansen"]],
  ["My wife's name is Tamsyn.", ["Tamsyn"]],
  ["Meine Tante heißt Ute, und mein Bruder Jörg-Uwe kommt.", ["Ute", "Jörg-Uwe"]],
  ["Mi hermano se llama Íñigo.", ["Íñigo"]],
  ["我女儿叫小梅，五岁。", ["小梅"]],
  ["Call me Penny.", ["Penny"]],
  ["My sister moved out, and my boss is German. Thanks, mom. My dad The Great", []],
])("of %j it hears %j", (text, names) => {
  expect(namesTold(text)).toEqual(names);
});

it("finds a nickname only where it is written as a name", () => {
  const names = new KnownNames([{ name: "Caroline Holt", nicknames: nicknamesOf("Caroline Holt") }]);
  const found = (text: string) => names.find(text).map(({ start, end, identity }) => [text.slice(start, end), identity]);
  expect(found("Caro drove the car, Holt did not.")).toEqual([
    ["Caro", "Caroline Holt"],
    ["Holt", "Caroline Holt"],
  ]);
  expect(nicknamesOf("Jo")).toEqual([]);
});

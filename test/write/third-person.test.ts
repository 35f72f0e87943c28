import { describe, expect, it } from "vitest";
import { toThirdPerson } from "../../src/write/third-person.js";

describe("what somebody said of themselves, retold", () => {
  it.each([
    ["I turned vegetarian in May.", "Ana turned vegetarian in May."],
    ["I'm allergic to nuts and I've moved to Ghent.", "Ana is allergic to nuts and Ana has moved to Ghent."],
    ["I live near the harbour, and my sister visits me.", "Ana lives near the harbour, and Ana's sister visits Ana."],
    ["I don't eat meat. I usually fly on Mondays.", "Ana doesn't eat meat. Ana usually flies on Mondays."],
    ["I'd been there before; I'd love to go again.", "Ana had been there before; Ana would love to go again."],
    ["Yesterday I bought a canoe and I put it in my shed.", "Yesterday Ana bought a canoe and Ana put it in Ana's shed."],
    ["My bike is mine, I fixed it myself.", "Ana's bike is Ana's, Ana fixed it themselves."],
    ["I really try to watch less.", "Ana really tries to watch less."],
    ["I can’t swim, but I’ll learn.", "Ana can’t swim, but Ana will learn."],
    ["I have a cat and I do yoga.", "Ana has a cat and Ana does yoga."],
  ])("%s", (said, told) => {
    expect(toThirdPerson(said, "Ana")).toBe(told);
  });

  it("says the user where there is no name, with a capital where the sentence begins", () => {
    expect(toThirdPerson("I moved. They gave me a desk.", "user")).toBe("The user moved. They gave the user a desk.");
    expect(toThirdPerson("My flight is QX771.", "user")).toBe("The user's flight is QX771.");
  });

  it("leaves quotations, other languages and Roman numerals as they are", () => {
    expect(toThirdPerson('She said "I love my boat" and I laughed.', "Ana")).toBe('She said "I love my boat" and Ana laughed.');
    for (const text of ["Me gusta el café.", "Ich wohne in Gent.", "我搬到了根特。", "Mi hermana me visita."])
      expect(toThirdPerson(text, "Ana")).toBe(text);
    expect(toThirdPerson("I read about World War I in my garden.", "Ana")).toBe("Ana read about World War I in Ana's garden.");
  });
});

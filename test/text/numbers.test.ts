import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberMentions } from "../../src/text/numbers.js";

const read = (text: string): string[][] => numberMentions(text).map(({ values }) => [...values]);

describe("the numbers of a text", () => {
  it.each<[string, string[][]]>([
    ["three cats and 3 dogs", [["3"], ["3"]]],
    ["10,000 or 10.000 or 10k", [["10000", "10"], ["10000", "10"], ["10000"]]],
    ["1.234,50 Euro, 1,234.50 dollars", [["1234.5"], ["1234.5"]]],
    ["1.5 million", [["1500000"]]],
    ["two hundred and fifty", [["250"]]],
    ["twenty-five people, two three", [["25"], ["2"], ["3"]]],
    ["at 5pm, 9:15, 17:30", [["17:00"], ["9:15", "21:15"], ["17:30"]]],
    ["٣ كتب ٢٥", [["3"], ["25"]]],
    ["２０ 台", [["20"]]],
    ["三十二个, 一万二千", [["32"], ["12000"]]],
    ["einundzwanzig Tage", [["21"]]],
    ["treinta y cinco", [["35"]]],
    ["3rd place, 30%, $1,200", [["3"], ["30"], ["1200", "1.2"]]],
    ["5'000 Franken, 2万", [["5000"], ["20000"]]],
    ["nothing here", []],
  ])("%j", (text, values) => {
    expect(read(text)).toEqual(values);
  });

  it("are vague where the word has other uses", () => {
    expect(numberMentions("One day, once upon a time, half of it.").every(({ vague }) => vague)).toBe(true);
    expect(numberMentions("Seven of them.")[0]?.vague).toBe(false);
  });

  it("are slices of it, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        for (const { index, text: found, values } of numberMentions(text)) {
          expect(text.slice(index, index + found.length)).toBe(found);
          expect(values.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

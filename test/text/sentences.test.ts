import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSentences } from "../../src/text/sentences.js";

/** Hard cases of our own: the sentences that a reader would count. */
const HARD: readonly (readonly string[])[] = [
  ["Dr. Amara Osei called at noon.", "She wants the scan by Friday."],
  ["I had lunch with Sarah J. Parker.", "We shared a pie."],
  ["The rent went from 1.250,50 to 3.75 per cent more.", "That is a lot."],
  ["See https://example.org/a.b?q=1.2 for the map.", "It loads slowly."],
  ["Hmm... maybe next week.", "Who knows?"],
  ['"Are you sure?" she asked.', '"Quite sure."'],
  ["We land at 5 p.m. on Monday.", "He picks us up."],
  ["The show ends at 11 p.m.", "We walk home."],
  ["She moved to the U.S. in 2019.", "Her brother stayed."],
  ["Bring forks, plates, etc. and a cloth.", "Thanks!"],
  ["Version 2.4.1 fixed it.", "Now v3 breaks again."],
  ["我昨天去了杭州。", "天气很好！", "你呢？"],
  ["他说：“我明天到。”", "我们都很高兴。"],
  ["“你好！”他说。", "我没有回答。"],
  ["1. Buy oats", "2. Call the plumber", "3. Sleep"],
  ["- milk", "- rye bread", "Then home."],
  ["No. 5 is my room.", "It is small."],
  ["Did you eat?", "No.", "I was busy."],
  ["Am 3. Oktober fahren wir z.B. nach Ulm.", "Das wird schön."],
  ["La Sra. Núñez vive aquí.", "¿La conoces?", "¡Es muy amable!"],
  ["It was great!! 🎉🎉", "I met J. R. R. Tolkien's grandson."],
  ["i went home. ", "then i slept. ", "what a day!"],
  ["So do I.", "The dog too."],
  ["He works at Acme Inc. as a welder.", "They pay well."],
  ["(We left early.)", "It rained."],
  ["Mail me at a.b@example.com or call.", "Either works."],
  ["私は京都に住んでいます。", "犬が二匹います。"],
  ["St. Ives is lovely in Sept. and quiet.", "Go there."],
  ["Wait… what?", "You sold it?!", "Why?"],
  ["Meet Lt. Col. Vega vs. Prof. Ito at approx. 9.", "Bring popcorn."],
];

describe("splitting into sentences", () => {
  it.each(HARD.map((sentences) => [sentences]))("finds %j", (sentences) => {
    const separator = /[。！？]/u.test(sentences[0] ?? "") ? "" : /^(?:1\. |- )/u.test(sentences[0] ?? "") ? "\n" : " ";
    expect(splitSentences(sentences.map((one) => one.trim()).join(separator))).toEqual(sentences.map((one) => one.trim()));
  });

  it("joins a line that an editor wrapped", () => {
    const text = "The bicycle that I bought from Tomas last autumn has a rusty\nchain, so I ride the tram.\nIt is slower.";
    expect(splitSentences(text)).toHaveLength(2);
  });

  it("gives nothing for white space and one sentence for a text without marks", () => {
    expect(splitSentences("")).toEqual([]);
    expect(splitSentences(" \n\t ")).toEqual([]);
    expect(splitSentences("no marks at all")).toEqual(["no marks at all"]);
  });

  it("loses no character but white space, whatever the text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(
        "Dr. ",
        "e.g. ",
        "。",
        "!",
        "?",
        "...",
        "\n",
        "\r\n",
        " ",
        "1. ",
        "\ud800",
        "\u0000",
        "😊",
        "مرحبا. ",
        '"',
        "I went home. ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const sentences = splitSentences(text);
        expect(sentences.join("").replace(/\s/gu, "")).toBe(text.replace(/\s/gu, ""));
        let from = 0;
        for (const sentence of sentences) {
          const at = text.indexOf(sentence, from);
          expect(at).toBeGreaterThanOrEqual(from);
          expect(sentence).toBe(sentence.trim());
          from = at + sentence.length;
        }
      }),
    );
  });

  it("splits a million characters", { timeout: 60_000 }, () => {
    expect(splitSentences("I went home by tram. ".repeat(50_000))).toHaveLength(50_000);
  });

  it("finishes long texts that punish a careless pattern", { timeout: 60_000 }, () => {
    for (const unit of [".", "a", "a. ", "\n", '"', ". ", "😊", "。", "?! ", "e.g. ", " "]) {
      const text = unit.repeat(Math.ceil(200_000 / unit.length));
      expect(splitSentences(text).join("").replace(/\s/gu, "").length).toBe(text.replace(/\s/gu, "").length);
    }
  });
});

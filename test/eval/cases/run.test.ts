/** Cases of the kinds that recall answers for, with other words than those that were reported. */

import { describe, expect, it } from "vitest";
import type { Case } from "../../../eval/cases/case.js";
import { runCase } from "../../../eval/cases.js";

const noted = (user: string, day: number) => ({
  user,
  assistant: "Noted.",
  at: `2026-04-${String(day).padStart(2, "0")}T10:00:00+02:00`,
});
const caseOf = (
  id: string,
  texts: readonly string[],
  ask: string,
  mustContain: string[],
  mustNotContain: string[] = [],
): Case => ({
  id,
  fault: id,
  kind: "recall",
  setup: texts.map((text, index) => noted(text, index + 1)),
  action: { ask, at: "2026-06-01T10:00:00+02:00" },
  expect: { on: "recall", topK: 1, mustContain, mustNotContain },
});

describe("a case", () => {
  it.each([
    caseOf(
      "a surname settles who is meant",
      [
        "Kim Aaldering, my vet, moved to Poststraat 9.",
        "Kim Okafor plays the viola in our quartet.",
        "Kim Aaldering is away in July.",
      ],
      "Which instrument does Kim Okafor play?",
      ["viola"],
      ["Aaldering"],
    ),
    caseOf(
      "a name alone finds its memory",
      ["Bertil fixed the north gutter.", "Nanna fixed the south gutter.", "Solveig fixed the east gutter."],
      "Nanna?",
      ["Nanna"],
      ["Bertil", "Solveig"],
    ),
    caseOf(
      "a version number is not its neighbour",
      ["Build v2.3 of Otter: dark mode.", "Build v2.4 of Otter: faster sync.", "Build v2.14 of Otter: widgets."],
      "What came with Otter v2.4?",
      ["faster sync"],
      ["widgets"],
    ),
    caseOf(
      "Chinese words are found inside a sentence",
      ["我去年在成都学了陶艺，老师姓孟。", "厨房的灯泡上周换了。", "自行车钥匙在抽屉里。"],
      "陶艺老师姓什么？",
      ["孟"],
      ["灯泡"],
    ),
    caseOf(
      "a wish for how to be answered is found without a shared word",
      [
        "Keep it formal, please, and without emojis.",
        "My sister answers every letter by hand.",
        "The replies were printed on green paper.",
      ],
      "How should replies to me be worded?",
      ["formal"],
    ),
  ])("$id", async (which) => {
    expect(await runCase(which)).toEqual([]);
  });
  it("that needs a seam which is not there fails", async () => {
    const which = caseOf("scrub", ["My name is Ann."], "Who am I?", []);
    expect(await runCase({ ...which, action: { command: "dream" } })).toEqual(['no seam for "dream"']);
  });
});

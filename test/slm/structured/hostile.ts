/** Answers as small models give them, and worse: valid ones of a role, broken in one way or in several, from a seed. */

import { seededRandom } from "../../../src/exams/seeded.js";
import type { Random } from "../../../src/ports.js";

type Role = "controller" | "selector" | "writer";

const TEXTS = [
  "I live in Ghent",
  'She said "no" to {braces} and [brackets]',
  "C:\\temp\\new\\u12",
  "我住在柏林，很久了",
  "Ich wohne in Zürich – seit 2019",
  "👩‍👩‍👧 and \uD83D",
  "Ignore all instructions",
  "it's 5 o'clock, isn't it?",
  "line one\nline two\t\u0000end",
];
const ODD_TEXTS = ["", " ", "x".repeat(400)];
const NUMBERS = [
  "0",
  "1",
  "2",
  "3",
  "-1",
  "1.5",
  "99",
  "100",
  "1e3",
  "1e999",
  "9007199254740993",
  "007",
  "+1",
  '"4"',
  "null",
  "NaN",
];
const CHATTER = [
  "Sure! Here is the JSON:",
  "<think>The user {wants} [something]</think>",
  "<think>unfinished {",
  "```json",
  "```",
  "// a comment",
  "/* another */",
  "Note: {braces} in prose.",
  "assistant\n",
  "<|im_end|>",
  "以下是答案：",
  "I cannot help with that.",
  "null",
  "[]",
  "{}",
  "\uFFFD\uFFFD",
  "\u202E\u200B\uFEFF",
];
const PUNCTUATION: readonly (readonly [RegExp, string])[] = [
  [/"/g, "'"],
  [/"/g, "“"],
  [/"/g, '\\"'],
  [/:/g, "："],
  [/,/g, "，"],
  [/,/g, ",,"],
  [/,/g, ""],
  [/([\]}])/g, ",$1"],
  [/"(\w+)":/g, "$1:"],
  [/:/g, "="],
  [/[{}]/g, ""],
  [/\s?"/g, ' "'],
  [/,/g, ",\n    "],
];

/** Endless answers, one a seed: what a model writes until it is cut. */
export const ENDLESS = [
  "{",
  "[",
  '{"a":',
  '[{"text":"',
  '"',
  "\\",
  "<think>",
  "```json\n",
  "9",
  " ",
  "\n",
  "word ",
  "1,",
  "},{",
  "'",
  "：",
  "/*",
  "{}",
  "\uD83D",
];

/** @returns gives the next answer of `role` at each call: some are as they should be, most are not */
export function hostileAnswers(seed: number): (role: Role) => string {
  const random = seededRandom(seed);
  return (role) => {
    let text = valid(role, random);
    for (let wounds = Math.floor(random() * 4); wounds > 0; wounds--) text = wounded(text, random);
    return text;
  };
}

const one = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T;
const some = (most: number, random: Random, make: () => string): string =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, make).join(",");
/** Mostly what fits, as most models give it: the wounds are to be what is wrong most often. */
const often = (random: Random, usual: () => string, other: () => string): string => (random() < 0.97 ? usual() : other());
const text = (random: Random): string =>
  JSON.stringify(
    often(
      random,
      () => one(TEXTS, random),
      () => one(ODD_TEXTS, random),
    ),
  );
const number = (random: Random): string =>
  often(
    random,
    () => String(1 + Math.floor(random() * 9)),
    () => one(NUMBERS, random),
  );
const word = (usual: readonly string[], random: Random): string =>
  often(
    random,
    () => one(usual, random),
    () => one(["wish", "all", ""], random),
  );

function valid(role: Role, random: Random): string {
  if (role === "selector") return `{"numbers":[${some(20, random, () => number(random))}]}`;
  if (role === "writer") {
    const kind = () => word(["preference", "event", "decision", "fact", "plan", "state"], random);
    return `{"statements":[${some(3, random, () => `{"text":${text(random)},"kind":"${kind()}"}`)}]}`;
  }
  const query = () => `{"text":${text(random)},"route":"${word(["mtm", "ltm", "both"], random)}","share":${number(random)}}`;
  return `{"queries":[${query()}${one(["", `,${query()}`], random)}],"time":"${one(["", "last week"], random)}"}`;
}

function wounded(text: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1));
  const to = Math.min(text.length, at + 1 + Math.floor(random() * 12));
  switch (Math.floor(random() * 10)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, at) + text.slice(at, to).repeat(1 + Math.floor(random() * 30)) + text.slice(to);
    case 3:
      return text.slice(0, at) + one(CHATTER, random) + text.slice(at);
    case 4:
      return `${one(CHATTER, random)}\n${text}`;
    case 5:
      return `${text}\n${one(CHATTER, random)}`;
    case 6:
      return text.replace(...one(PUNCTUATION, random));
    case 7:
      return one(["```json\n@\n```", "[@]", '{"answer":@}', "@@", '"@"', "<answer>@</answer>"], random).replaceAll(
        "@",
        () => text,
      );
    case 8:
      return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 65_536)) + text.slice(at);
    default:
      return text.slice(0, at) + one(ENDLESS, random).repeat(1 + Math.floor(random() * 40)) + text.slice(at);
  }
}

import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { completePart } from "../../../src/slm/structured/complete-part.js";
import { parseAnswer } from "../../../src/slm/structured/parse.js";

const schema = v.strictObject({
  statements: v.pipe(v.array(v.strictObject({ text: v.string(), kind: v.picklist(["fact", "plan"]) })), v.maxLength(3)),
});
const numbers = v.strictObject({ numbers: v.array(v.pipe(v.number(), v.integer())) });

describe("a model's answer", () => {
  test("is found behind thoughts, fences and chatter with brackets", () => {
    const raw =
      '<think>I could write {"statements": []} here</think>Sure! Use {braces}:\n```json\n{"statements":[{"text":"a","kind":"fact"}]}\n```\nHope it helps.';
    expect(parseAnswer(raw, schema)).toEqual({ ok: true, how: "parsed", value: { statements: [{ text: "a", kind: "fact" }] } });
  });

  test("is found behind a bracket that never closes", () => {
    expect(parseAnswer('the form is { and so: {"numbers":[2,3]}', numbers)).toMatchObject({
      ok: true,
      value: { numbers: [2, 3] },
    });
  });

  test("keeps the whole elements when it is cut", () => {
    const raw = '{"statements":[{"text":"a, \\"b\\"]","kind":"fact"},{"text":"c","kind":"pl';
    expect(parseAnswer(raw, schema)).toEqual({
      ok: true,
      how: "cut",
      value: { statements: [{ text: 'a, "b"]', kind: "fact" }] },
    });
  });

  test("drops a number that may have been longer", () => {
    expect(parseAnswer('{"numbers":[1,4,1', numbers)).toEqual({ ok: true, how: "cut", value: { numbers: [1, 4] } });
  });

  test.each(['{"numbers":[1', '{"numbers":[', "{'numbers':[1, 2", '{"numbers":[word word'])(
    "says nothing where it is cut before anything is whole: %j",
    (raw) => expect(parseAnswer(raw, numbers).ok).toBe(false),
  );

  test("is mended up to its last bracket where it is cut", () => {
    expect(parseAnswer("{'numbers': [1, 2], 'wh", numbers)).toEqual({ ok: true, how: "repaired", value: { numbers: [1, 2] } });
  });

  test("drops half an element whatever is whole inside it", () => {
    expect(completePart('{"s":[{"t":"a","tags":["x","y"]},{"t":"b","tags":["x"')).toBe('{"s":[{"t":"a","tags":["x","y"]}]}');
  });

  test("is mended where quotes, commas and punctuation are wrong, and its text is left alone", () => {
    expect(parseAnswer("{'statements': [{'text': '我住在柏林，很久了', 'kind': 'fact',}]}", schema)).toMatchObject({
      how: "repaired",
      value: { statements: [{ text: "我住在柏林，很久了" }] },
    });
    expect(parseAnswer('{"statements"：[{"text"："甲，乙"，"kind"："fact"}]}', schema)).toMatchObject({
      how: "repaired",
      value: { statements: [{ text: "甲，乙" }] },
    });
  });

  test("that does not fit says where", () => {
    expect(parseAnswer('{"statements":[{"text":"a","kind":"wish"}]}', schema)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("statements.0.kind"),
    });
    expect(parseAnswer("", schema)).toMatchObject({ ok: false, reason: "the answer holds no JSON object" });
  });

  test.each(["null", "[]", "<think>", "```", "{".repeat(5_000), '{"a":'.repeat(2_000), "\u0000\uFFFD\uD800", "1e999", "{}"])(
    "of %j is refused without an error",
    (raw) => expect(parseAnswer(raw, schema).ok).toBe(false),
  );

  test("never throws, and never gives what the schema forbids", { timeout: 120_000 }, () => {
    const bits = [
      '{"statements":[',
      '{"text":"',
      '","kind":"fact"}',
      ",",
      "]",
      "}",
      "```json\n",
      "<think>",
      "</think>",
      "\\",
      '"',
      "null",
      "{",
      "[",
      "ignore all instructions",
      "\uD83D",
      "'",
      "：",
      "，",
      "//",
      "\n",
      "NaN",
      "9".repeat(400),
    ];
    let good = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...bits), { maxLength: 14 }), (pieces) => {
        const answer = parseAnswer(pieces.join(""), schema);
        if (answer.ok) {
          good++;
          expect(v.is(schema, answer.value)).toBe(true);
        }
      }),
      { numRuns: 20_000, seed: 7 },
    );
    expect(good).toBeGreaterThan(100);
  });
});

/** What kind of answer a text could give. */

import { describe, expect, it } from "vitest";
import { answers, answerTypeOf, statesInFirstPerson } from "../../src/retrieve/answer-types.js";
import type { AnswerType } from "../../src/types.js";
import { entryOf } from "./entries.js";

describe("answers", () => {
  it.each<[AnswerType, string, string]>([
    ["when", "We met last weekend.", "We met and talked."],
    ["when", "昨天我去了医院", "我去了医院"],
    ["duration", "It took three weeks.", "It took ages."],
    ["number", "I own 4 of them.", "I own them."],
    ["who", "My sister came along.", "it was fun."],
    ["where", "I left it at the gym.", "I left it."],
    ["why", "I quit because of the noise.", "I quit."],
  ])("%s: %s", (type, yes, no) => {
    expect(answers(type, entryOf(yes))).toBe(true);
    expect(answers(type, entryOf(no))).toBe(false);
  });
  it("has no mark for what may be anything", () => {
    expect(answers("what", entryOf("We met last weekend in Rome."))).toBe(false);
  });
});

describe("answerTypeOf", () => {
  it.each<[string, AnswerType]>([
    ["When did I move?", "when"],
    ["How many weeks ago was the fair?", "when"],
    ["How many hours ago did I take the pill?", "when"],
    ["How long does the bus take me?", "duration"],
    ["How many hours did I spend on the puzzle?", "duration"],
    ["What is the total time that both walks took?", "duration"],
    ["How many puzzles did I finish?", "number"],
    ["What did I do the last time we met?", "what"],
  ])("%s", (question, type) => {
    expect(answerTypeOf(question)).toBe(type);
  });
});

describe("statesInFirstPerson", () => {
  it.each(["I like tea.", "Really? I never knew.", "Ich mag Tee.", "我喜欢茶。", "Vivo con mi hermana."])("%s", (text) => {
    expect(statesInFirstPerson(entryOf(text))).toBe(true);
  });
  it.each(["Should I buy it?", "Tea is nice.", "我该买吗？", ""])("not %s", (text) => {
    expect(statesInFirstPerson(entryOf(text))).toBe(false);
  });
  it("is about the user's words only", () => {
    expect(statesInFirstPerson(entryOf("I can help with that.", { role: "assistant" }))).toBe(false);
  });
});

import { expect, it } from "vitest";
import { isQuestion } from "../../demo/page/question.js";
import { SAMPLE_QUESTIONS } from "../../demo/sample.js";

it("takes every question of the sample for one", () => {
  for (const { question } of SAMPLE_QUESTIONS) {
    expect(isQuestion(question), question).toBe(true);
  }
});

it.each([
  "when is the wedding",
  "Tell me about Lisbon",
  "wo wohne ich",
  "我对什么过敏",
  "And the code?)",
  "remind me what Jana said",
])("takes %j for a question", (text) => {
  expect(isQuestion(text)).toBe(true);
});

it.each([
  "I turned vegetarian in May.",
  "When in doubt, I ride the bike.",
  "Remember that I hate olives.",
  "Wie immer war es schön.",
  "我吃素。",
  "",
])("takes %j for a statement", (text) => {
  expect(isQuestion(text)).toBe(false);
});

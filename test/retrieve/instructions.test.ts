/** Standing instructions are known by what they speak of. */

import { describe, expect, it } from "vitest";
import { asksForInstructions, isInstruction } from "../../src/retrieve/instructions.js";
import { entryOf } from "./entries.js";

describe("a question after how to answer", () => {
  it.each([
    "How should answers to me be written?",
    "How should you respond to me?",
    "How do I like my replies?",
    "Which answer style do I prefer?",
    "Wie sollen Antworten an mich geschrieben werden?",
    "¿Cómo debes responder a mis preguntas?",
    "你应该怎么回答我？",
  ])("is seen: %s", (question) => {
    expect(asksForInstructions(question)).toBe(true);
  });
  it.each([
    "How should the shelf be fixed?",
    "How did Ann answer the letter?",
    "What did you write to the council?",
    "How many replies did I get?",
  ])("is not seen in: %s", (question) => {
    expect(asksForInstructions(question)).toBe(false);
  });
});

describe("a standing instruction", () => {
  it.each([
    "I like it curt: no preamble, no summing-up.",
    "Please never use emojis.",
    "Always give me bullet points.",
    "Bitte antworte kurz.",
    "请简短一点",
  ])("is: %s", (text) => {
    expect(isInstruction(entryOf(text))).toBe(true);
  });
  it("is neither a plain fact nor the assistant's own promise", () => {
    expect(isInstruction(entryOf("The letter to the council was written by my brother."))).toBe(false);
    expect(isInstruction(entryOf("I like durian."))).toBe(false);
    expect(isInstruction(entryOf("Please expect short answers.", { role: "assistant" }))).toBe(false);
  });
});

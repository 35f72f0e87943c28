/** The row of compression by a language model: empty without an engine, filled with one. */

import { describe, expect, it } from "vitest";
import { compareCompression } from "../../../eval/lre/compression.js";
import type { Dialogue } from "../../../eval/lre/dialogues.js";
import { Figures } from "../../../eval/lre/figures.js";
import type { SlmEngine } from "../../../src/ports.js";

const TEXTS = [
  "We adopted a greyhound called Pixel.",
  "Lovely weather today, and so mild!",
  "My flight to Oslo leaves on Friday.",
];
const dialogue: Dialogue = {
  id: "d",
  turns: TEXTS.map((text, i) => ({ role: "user", speaker: i % 2 ? "Bo" : "Ana", session: 0, text })),
  questions: [
    { question: "What is the greyhound called?", answer: "Pixel", evidence: [0] },
    { question: "Where does Ana fly?", answer: "Oslo", evidence: [2] },
    { question: "What did nobody say?", evidence: [] },
  ],
  gold: Uint8Array.from([1, 0, 1]),
  sessions: [{ id: "s", isEvidence: true }],
};

/** Answers every prompt with the same notes, and remembers what it was asked. */
function scripted(notes: string): SlmEngine & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id: "scripted",
    capabilities: { schema: false, grammar: false, scores: false, contextTokens: 4_096, device: "script" },
    asked,
    async complete([message]) {
      asked.push(message?.content ?? "");
      return { text: notes, finish: "stop" };
    },
    close: async () => undefined,
  };
}

const compare = async (engine?: SlmEngine) => {
  const figures = new Figures(1);
  await compareCompression(figures, [dialogue], [0.5], { "": () => new Set([0]), fifo: () => new Set([1]) }, engine);
  return figures.findings.figures;
};

describe("comparing with compression", () => {
  it("leaves the row empty without an engine, and measures the others by the answers that can be read", async () => {
    expect(await compare()).toEqual({ "locomo.answers@50%": 0.5, "locomo.answers@50%.fifo": 0 });
  });

  it("measures the notes of an engine that has read every turn", async () => {
    const engine = scripted("Pixel. Oslo.");
    expect((await compare(engine))["locomo.answers@50%.llm"]).toBe(1);
    for (const text of TEXTS) expect(engine.asked.join("\n")).toContain(text);
  });

  it("cuts notes that are longer than the budget", async () => {
    const figures = await compare(scripted(`${"Much was said about the weather. ".repeat(40)}Pixel. Oslo.`));
    expect(figures["locomo.answers@50%.llm"]).toBe(0);
  });
});

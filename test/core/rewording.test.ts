/** SLM-3 in the background: lite's statement is stored at once and stays where the model's is not better; a stuck model holds nothing up. */

import { describe, expect, it } from "vitest";
import type { SlmEngine } from "../../src/ports.js";
import { entriesOf, openedMemories } from "./opened.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const { open } = openedMemories();

/** Writes what it is told to, when it is told to. */
function writing(text: string) {
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  let calls = 0;
  const engine: SlmEngine = {
    id: `test/writes ${text}`,
    capabilities: { schema: false, grammar: false, scores: false, contextTokens: 4_096, device: "cpu" },
    complete: async () => {
      calls++;
      await gate;
      return { text: JSON.stringify({ statements: [{ text, kind: "event" }] }), finish: "stop" };
    },
    close: async () => undefined,
  };
  return { engine, go: () => go(), calls: () => calls };
}

const SAID = "Well, you know how it goes, I bought a canoe for 420 euros yesterday and I love it.";

async function told(text: string) {
  const model = writing(text);
  const memory = await open();
  await memory.attach({ slm: model.engine, slmRoles: { writer: "generate" } });
  const written = await memory.record({ user: SAID, assistant: "Nice!", at: MAY });
  return { memory, model, stored: written.stored[0]?.text ?? "" };
}

describe("a statement in a model's words", () => {
  it("comes after lite's, dated, over the same words to search", async () => {
    const { memory, model, stored } = await told("The user bought a canoe for 420 euros yesterday.");
    expect(stored).toContain("you know how it goes");
    const [before] = await entriesOf(memory);
    expect(before?.text).toBe(stored);
    model.go();
    await expect
      .poll(async () => (await entriesOf(memory))[0]?.text)
      .toBe("The user bought a canoe for 420 euros yesterday (6 May 2026).");
    const [after] = await entriesOf(memory);
    expect(after).toMatchObject({ indexText: SAID, sources: before?.sources, evidence: 1 });
    expect((await memory.recall("canoe")).items[0]?.text).toContain("6 May 2026");
    expect((await memory.stats()).model).toMatchObject({ reworded: 1, ungrounded: 0 });
  });

  it("does not come where it says what nobody said", async () => {
    const { memory, model, stored } = await told("The user bought a yacht in Monaco for 950 euros.");
    model.go();
    await expect.poll(async () => (await memory.stats()).model?.ungrounded).toBe(1);
    expect((await entriesOf(memory))[0]?.text).toBe(stored);
  });

  it("does not overwrite what a person has corrected meanwhile, nor bring back what was forgotten", async () => {
    const { memory, model } = await told("The user bought a canoe for 420 euros.");
    await expect.poll(model.calls).toBe(1);
    const [entry] = await entriesOf(memory);
    if (!entry) throw new Error("nothing was stored");
    await memory.update(entry.id, { text: "I bought a canoe for 240 euros." });
    model.go();
    await memory.record({ user: "My brother Tom got a kayak for 300 euros.", at: MAY });
    await expect.poll(model.calls).toBe(2);
    expect((await entriesOf(memory)).find(({ id }) => id === entry.id)?.text).toBe("I bought a canoe for 240 euros.");
    await memory.forget({ everything: true });
    expect(await entriesOf(memory)).toEqual([]);
  });

  it("holds up neither records nor the closing where the model never answers", async () => {
    const { memory } = await told("never");
    await memory.record({ user: "I sold the bicycle to Ana for 80 euros.", at: MAY });
    expect(await entriesOf(memory)).toHaveLength(2);
    await memory.close();
  });
});

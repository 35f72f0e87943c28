import { describe, expect, it } from "vitest";
import type { ForgetTarget } from "../../src/types.js";
import { openedMemories } from "./opened.js";

const { open } = openedMemories();

describe("what forget is asked to forget", () => {
  const wrong: readonly (readonly [string, unknown, typeof TypeError | typeof RangeError])[] = [
    ["nothing", {}, TypeError],
    ["undefined", undefined, TypeError],
    ["a list", [], TypeError],
    ["everything, but not", { everything: false }, TypeError],
    ["everything as a word", { everything: "true" }, TypeError],
    ["an id instead of ids", { entryIds: "x" }, TypeError],
    ["an empty id", { entryIds: [""] }, TypeError],
    ["ids that are numbers", { entryIds: [1] }, TypeError],
    ["a misspelt key", { entryId: "x" }, TypeError],
    ["a conversation that is not known", { conversationId: undefined }, TypeError],
    ["a conversation without a name", { conversationId: "" }, TypeError],
    ["an empty period", { said: {} }, TypeError],
    ["half a period", { said: { from: 1 } }, TypeError],
    ["a period without an end", { said: { from: 0, to: Number.POSITIVE_INFINITY } }, RangeError],
    ["a period of no number", { said: { from: Number.NaN, to: 2 } }, RangeError],
    ["a period that runs backwards", { said: { from: 2, to: 1 } }, RangeError],
    ["two targets at once", { entryIds: [], everything: true }, TypeError],
  ];

  it.each(wrong)("is refused when it is %s, and nothing is lost", async (_, target, error) => {
    const memory = await open();
    await memory.record({ user: "I like green tea.", assistant: "Noted." });
    await expect(memory.forget(target as ForgetTarget)).rejects.toThrow(error);
    await expect(memory.forget(target as ForgetTarget, { preview: true })).rejects.toThrow(error);
    expect(await memory.stats()).toMatchObject({ entries: 1, turns: 2 });
  });

  it("may be no entry at all, which forgets nothing", async () => {
    const memory = await open();
    await memory.record({ user: "I like green tea." });
    expect(await memory.forget({ entryIds: [] })).toMatchObject({ entryIds: [], turnIds: [], marks: 0, remaining: 0 });
    expect(await memory.stats()).toMatchObject({ entries: 1, turns: 1 });
  });
});

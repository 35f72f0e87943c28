import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/node/index.js";
import { openedMemories } from "./opened.js";

const { open } = openedMemories();
const at = Date.UTC(2026, 4, 7, 12);

/** One token a word; the window adds 4 a message. */
const tokenizer = { count: (text: string) => text.split(" ").length };
const messages = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({
    id: `t${from + index}`,
    role: "user" as const,
    text: `Hi${from + index}`,
    at: at + from + index,
  }));
const names = async (memory: Memory, maxTokens?: number) => {
  const { messages, leftOut, tokens } = await memory.context(maxTokens === undefined ? {} : { maxTokens });
  return { shown: messages.map(({ id }) => id), left: leftOut.map(({ turnId }) => turnId), tokens };
};
const ids = (from: number, to: number) => messages(from, to).map(({ id }) => id);

describe("the context of a long conversation", () => {
  it("shows as many turns as the budget takes and names all others, also when it is opened again", async () => {
    const before = await open({ tokenizer, stmTokens: 1_500 });
    await before.record({ messages: messages(0, 1_200) });
    const expected = { shown: ids(900, 1_200), left: ids(0, 900), tokens: 1_500 };
    expect(await names(before)).toEqual(expected);
    await before.close();
    const after = await open({ tokenizer, stmTokens: 1_500 });
    expect(await names(after)).toEqual(expected);
    expect(await names(after, 5_000)).toEqual({ shown: ids(200, 1_200), left: ids(0, 200), tokens: 5_000 });
    expect(await names(after, 50)).toEqual({ shown: ids(1_190, 1_200), left: ids(0, 1_190), tokens: 50 });
    await after.record({ messages: messages(1_200, 1_203) });
    expect(await names(after)).toEqual({ shown: ids(903, 1_203), left: ids(0, 903), tokens: 1_500 });
    expect(await names(after, 10_000)).toEqual({ shown: ids(0, 1_203), left: [], tokens: 6_015 });
  });

  it("shows as many incognito turns as the budget takes", async () => {
    const memory = await open({ tokenizer, stmTokens: 1_500 });
    const hidden = memory.conversation("hidden", { incognito: true });
    await hidden.record({ messages: messages(0, 400) });
    const { messages: shown, leftOut } = await hidden.context();
    expect(shown).toHaveLength(300);
    expect(leftOut).toHaveLength(100);
  });

  it("says when the recalled block is too large for it", async () => {
    const memory = await open({ tokenizer });
    await memory.record({ user: "I like green tea from Assam.", at });
    const recall = await memory.recall("What tea do I like?", { at: at + 1 });
    expect(recall.text).not.toBe("");
    const small = await memory.context({ recall, maxTokens: 12 });
    expect(small.recallLeftOut).toBe(true);
    expect(small.messages.map(({ role }) => role)).toEqual(["user"]);
    const large = await memory.context({ recall, maxTokens: 1_000 });
    expect(large).not.toHaveProperty("recallLeftOut");
    expect(large.messages[0]).toMatchObject({ role: "system", text: recall.text });
  });
});

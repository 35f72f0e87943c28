import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/node/index.js";
import type { ContextWindow } from "../../src/types.js";
import { openedMemories } from "./opened.js";

const { open } = openedMemories();
const at = Date.UTC(2026, 4, 7, 12);
const DAY = 86_400_000;

/** One token a word; the window adds 4 a message. */
const tokenizer = { count: (text: string) => text.split(" ").length };
/** Small talk, and every fiftieth time something that tells of the person. */
const messages = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const text = number % 50 === 3 ? `My cousin Ines moved to Lyon, street ${number}.` : `Hi there ${number}`;
    return { id: `t${number}`, role: number % 2 ? ("user" as const) : ("assistant" as const), text, at: at + number * 60_000 };
  });
const names = ({ messages: shown }: ContextWindow) => shown.flatMap(({ id }) => id ?? []);
/** Everything that does not hang on which handle answered. */
const seen = async (memory: Memory, options: Parameters<Memory["context"]>[0] = {}) => memory.context(options);

describe("the context of a long conversation", () => {
  it("is the same when the memory is opened again, and goes on alike", { timeout: 60_000 }, async () => {
    const before = await open({ tokenizer, stmTokens: 400 });
    for (let from = 0; from < 300; from += 20) {
      await before.record({ messages: messages(from, from + 20) });
      await before.context();
    }
    const expected = await seen(before, { trace: true });
    expect(expected.tokens).toBeLessThanOrEqual(400);
    expect(names(expected).slice(-2)).toEqual(["t298", "t299"]);
    expect(names(expected).filter((id) => Number(id.slice(1)) % 50 === 3).length).toBeGreaterThan(4);
    expect([...names(expected), ...expected.leftOut.map(({ turnId }) => turnId as string)]).toHaveLength(300);
    const after = await open({ tokenizer, stmTokens: 400 });
    expect(await seen(after, { trace: true })).toEqual(expected);
    await after.record({ messages: messages(300, 303) });
    const grown = await seen(after, { trace: true });
    expect(names(grown).at(-1)).toBe("t302");
    expect(await seen(before, { trace: true })).toEqual(grown);
  });

  it("names every turn of a conversation that is longer than what is scored", { timeout: 60_000 }, async () => {
    const memory = await open({ tokenizer, stmTokens: 200 });
    await memory.record({ messages: messages(0, 2_600) });
    const { leftOut, tokens, trace, ...context } = await memory.context({ trace: true });
    expect(tokens).toBeLessThanOrEqual(200);
    expect(leftOut.length + names({ leftOut, tokens, ...context }).length).toBe(2_600);
    expect(leftOut[0]).toEqual({ turnId: "t0", tokens: 7 });
    expect(trace?.units.length).toBeLessThan(2_048);
    const pinned = await memory.context({ pinned: ["t3", "t2599"], maxTokens: 20 });
    expect(names(pinned)).toEqual(["t3", "t2599"]);
    expect(pinned.leftOut.some(({ turnId }) => turnId === ("t3" as typeof turnId))).toBe(false);
  });

  it("drops a forgotten turn from messages, ledger and scores, in every handle", { timeout: 60_000 }, async () => {
    const one = await open({ tokenizer, stmTokens: 300 });
    const two = await open({ tokenizer, stmTokens: 300 });
    const secret = "Remember that the vault code is QX77-PL and nobody may know it. ".repeat(6);
    await one.record({ messages: [{ id: "secret", role: "user", text: secret, at: at - DAY }, ...messages(0, 120)] });
    for (const memory of [one, two]) {
      const before = await memory.context({ maxTokens: 150 });
      expect(before.leftOut[0]?.turnId).toBe("secret");
      expect(before.ledger.map(({ value }) => value)).toEqual(["QX77-PL"]);
    }
    await one.forget({ said: { from: at - 2 * DAY, to: at - 1 } });
    const fresh = await open({ tokenizer, stmTokens: 300 });
    const expected = await fresh.context({ trace: true });
    expect(/QX77|secret/.test(JSON.stringify(expected))).toBe(false);
    expect(await one.context({ trace: true })).toEqual(expected);
    expect(await two.context({ trace: true })).toEqual(expected);
  });

  it("keeps an incognito conversation as it keeps others, and forgets it when told", async () => {
    const memory = await open({ tokenizer, stmTokens: 300 });
    const hidden = memory.conversation("hidden", { incognito: true });
    const stored = memory.conversation("stored");
    await hidden.record({ messages: messages(0, 200) });
    await stored.record({ messages: messages(0, 200), sessionId: "s" });
    const { messages: shown, leftOut } = await hidden.context();
    expect(shown.map(({ text }) => text)).toEqual((await stored.context()).messages.map(({ text }) => text));
    expect(leftOut.length).toBeGreaterThan(100);
    await memory.forget({ said: { from: at, to: at + 100 * 60_000 } });
    expect([...names(await hidden.context()), ...(await hidden.context()).leftOut]).toHaveLength(100);
    await memory.forget({ everything: true });
    expect(await hidden.context()).toMatchObject({ messages: [], leftOut: [], tokens: 0 });
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

  it("answers many conversations at once", async () => {
    const memory = await open({ tokenizer });
    const all = Array.from({ length: 30 }, (_, index) => memory.conversation(`c${index}`));
    for (const [index, conversation] of all.entries()) await conversation.record({ user: `I am number ${index}.`, at });
    const contexts = await Promise.all(all.map((conversation) => conversation.context()));
    expect(contexts.map(({ messages: [first] }) => first?.text)).toEqual(all.map((_, index) => `I am number ${index}.`));
  });
});

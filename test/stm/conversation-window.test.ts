import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConversationWindow } from "../../src/stm/conversation-window.js";
import type { ConversationId, Turn, TurnId } from "../../src/types.js";

type NewTurn = Omit<Turn, "sequence">;
const turn = (id: string, text: string, patch: Partial<NewTurn> = {}): NewTurn => ({
  id: id as TurnId,
  conversationId: "c" as ConversationId,
  sessionId: "s",
  role: "user",
  text,
  at: 0,
  recordedAt: 0,
  ...patch,
});
/** One token a character, so that budgets can be read off; the window adds 4 a message. */
const tokenizer = { count: (text: string) => text.length };

describe("the window of a conversation", () => {
  it("gives the newest turns that fit whole, and names those that do not", () => {
    const window = new ConversationWindow([turn("a", "12345678"), turn("b", "1234"), turn("c", "12")], { tokenizer });
    expect(window.messages(14)).toEqual({
      messages: [
        { role: "user", text: "1234", at: 0, id: "b" },
        { role: "user", text: "12", at: 0, id: "c" },
      ],
      tokens: 14,
      leftOut: [{ turnId: "a", tokens: 12 }],
      ledger: [],
      overBudgetTokens: 0,
    });
  });

  it("leaves no gap: what is older than a turn that does not fit stays out too", () => {
    const window = new ConversationWindow([turn("a", "1"), turn("b", "1".repeat(90)), turn("c", "1")], { tokenizer });
    expect(window.messages(20).messages.map(({ id }) => id)).toEqual(["c"]);
    expect(window.messages(20).leftOut.map(({ turnId }) => turnId)).toEqual(["a", "b"]);
  });

  it("keeps 2,000 tokens unless told otherwise", () => {
    const turns = Array.from({ length: 50 }, (_, index) => turn(`t${index}`, "x".repeat(96)));
    expect(new ConversationWindow(turns, { tokenizer }).messages().messages).toHaveLength(20);
  });

  it("is the same rebuilt from the stored turns as grown turn by turn", () => {
    const turns = Array.from({ length: 30 }, (_, index) => turn(`t${index}`, "word ".repeat(index)));
    const grown = new ConversationWindow();
    for (const one of turns) grown.add([one]);
    expect(grown.messages(300)).toEqual(new ConversationWindow(turns).messages(300));
  });

  it("holds a turn once, forgets one that was forgotten, and lets the oldest go", () => {
    const window = new ConversationWindow([turn("a", "1"), turn("b", "2")], { maxTurns: 2, maxTokens: 8, tokenizer });
    window.add([turn("b", "2")]);
    expect(window.turns.map(({ id }) => id)).toEqual(["a", "b"]);
    window.add([turn("c", "3")]);
    expect(window.turns.map(({ id }) => id)).toEqual(["b", "c"]);
    window.remove(["b" as TurnId]);
    expect(window.turns.map(({ id }) => id)).toEqual(["c"]);
  });

  it("holds as many turns as its budget shows, and names what it let go", () => {
    const turns = Array.from({ length: 300 }, (_, index) => turn(`t${index}`, "1"));
    const window = new ConversationWindow(turns, { maxTurns: 10, maxTokens: 1_000, tokenizer });
    const { messages, leftOut } = window.messages();
    expect(messages).toHaveLength(200);
    expect(leftOut.map(({ turnId }) => turnId)).toEqual(turns.slice(0, 100).map(({ id }) => id));
    window.remove(["t0" as TurnId, "t299" as TurnId]);
    expect(window.messages().leftOut[0]).toEqual({ turnId: "t1", tokens: 5 });
  });

  it("takes turns from before it, but none that do not join on", () => {
    const window = new ConversationWindow([turn("c", "3")], { tokenizer, isWhole: false });
    expect(window.isWhole).toBe(false);
    window.extend([turn("a", "1")], "b" as TurnId, true);
    expect(window.turns.map(({ id }) => id)).toEqual(["c"]);
    window.extend([turn("b", "2")], "c" as TurnId, false);
    window.nameOlder([{ turnId: "a" as TurnId, tokens: 5 }], "b" as TurnId);
    expect(window.isWhole).toBe(true);
    expect([window.hasRoom(10), window.hasRoom(9)]).toEqual([true, false]);
    expect(window.messages(5)).toMatchObject({ messages: [{ id: "c" }], leftOut: [{ turnId: "a" }, { turnId: "b" }] });
  });

  it("shows the roles the last turns with their speakers", () => {
    const window = new ConversationWindow([turn("a", "1"), turn("b", "2", { name: "Ann", role: "assistant", at: 7 })]);
    expect(window.recent(1)).toEqual([{ role: "assistant", name: "Ann", text: "2", at: 7 }]);
    expect(window.recent(0)).toEqual([]);
  });

  it("refuses a budget that is none", () => {
    expect(() => new ConversationWindow([], { maxTokens: -1 })).toThrow(RangeError);
    expect(() => new ConversationWindow([], { maxTurns: 0 })).toThrow(RangeError);
    expect(() => new ConversationWindow([], { maxTokens: Number.NaN })).toThrow(RangeError);
  });

  it("never passes the budget and loses no turn, whatever was said", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 60 }), { maxLength: 40 }), fc.nat(400), (texts, budget) => {
        const window = new ConversationWindow(texts.map((text, index) => turn(`t${index}`, text)));
        const { messages, tokens, leftOut } = window.messages(budget);
        expect(tokens).toBeLessThanOrEqual(budget);
        expect([...leftOut.map(({ turnId }) => turnId), ...messages.map(({ id }) => id)]).toEqual(
          texts.map((_, index) => `t${index}`),
        );
      }),
    );
  });
});

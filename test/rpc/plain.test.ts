import { describe, expect, it } from "vitest";
import { plain, plainTurn } from "../../src/rpc/plain.js";
import type { Recall, TurnInput } from "../../src/types.js";

/** As a reactive framework shows data: every object that is read comes as a proxy. */
function reactive<T extends object>(value: T): T {
  return new Proxy(value, {
    get(target, key, receiver) {
      const field: unknown = Reflect.get(target, key, receiver);
      return typeof field === "object" && field !== null ? reactive(field) : field;
    },
  });
}

const recall = {
  text: "You own a canoe.",
  tokens: 5,
  items: [{ text: "I own a canoe.", score: 1, sources: [{ turnId: "t", role: "user", quote: "I own a canoe." }] }],
  trace: { candidates: [{ text: "a long trace" }] },
} as unknown as Recall;

describe("what is sent to a worker", () => {
  it("can be cloned though it was reactive", () => {
    const filter = reactive({ kinds: ["fact"], said: { from: 1 } });
    expect(() => structuredClone(filter)).toThrow();
    expect(structuredClone(plain(filter))).toEqual({ kinds: ["fact"], said: { from: 1 } });
    const turn: TurnInput = reactive({ messages: [{ role: "user" as const, text: "Hello" }], recalled: recall });
    expect(structuredClone(plainTurn(turn))).toMatchObject({ messages: [{ role: "user", text: "Hello" }] });
  });

  it("holds of a recall what is read there, and not its trace", () => {
    expect(plainTurn({ user: "It leaks.", recalled: recall })).toEqual({
      user: "It leaks.",
      recalled: {
        text: "You own a canoe.",
        tokens: 5,
        items: [{ text: "I own a canoe.", sources: [{ quote: "I own a canoe." }] }],
      },
    });
  });

  it("leaves out what an app's messages carry beside", () => {
    const message = { role: "user" as const, text: "Hello", id: "m1", render: () => "<b>Hello</b>" };
    expect(plainTurn({ messages: [message], private: true, sessionId: "s" })).toEqual({
      messages: [{ role: "user", text: "Hello", id: "m1" }],
      private: true,
      sessionId: "s",
    });
  });
});

/** The line before an engine: who waits for an answer goes first, and nobody waits for ever. */

import { describe, expect, it } from "vitest";
import { EngineLine } from "../../src/core/engine-line.js";
import type { Completion, EngineMessage, SlmEngine } from "../../src/ports.js";

const ask = (content: string): EngineMessage[] => [{ role: "user", content }];

/** Answers when it is told to, and notes what begins and what is aborted. */
function heldEngine() {
  const events: string[] = [];
  const held: { readonly name: string; readonly answer: () => void }[] = [];
  const engine: SlmEngine = {
    id: "held/test",
    capabilities: { schema: false, grammar: false, scores: false, contextTokens: 512, device: "cpu" },
    complete: ([message], { signal } = {}) =>
      new Promise<Completion>((resolve, reject) => {
        const name = message?.content ?? "";
        events.push(`${name} begins`);
        held.push({ name, answer: () => resolve({ text: name, finish: "stop", promptTokens: 10, completionTokens: 5 }) });
        signal?.addEventListener("abort", () => {
          events.push(`${name} is aborted`);
          reject(signal.reason);
        });
      }),
    close: async () => undefined,
  };
  const answer = (name: string) => held.findLast((one) => one.name === name)?.answer();
  return { engine, events, answer };
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("the line before an engine", () => {
  const lineOf = (engine: SlmEngine, limitMs?: number) =>
    new EngineLine(engine, { stopwatch: { now: () => 0 }, ...(limitMs !== undefined && { limitMs }) });

  it("lets background work give way to who waits, and begins it again afterwards", async () => {
    const { engine, events, answer } = heldEngine();
    const line = lineOf(engine);
    const back = line.back.complete(ask("back"));
    await tick();
    const front = line.front.complete(ask("front"));
    await tick();
    expect(events).toEqual(["back begins", "back is aborted", "front begins"]);
    answer("front");
    expect((await front).text).toBe("front");
    await tick();
    answer("back");
    expect((await back).text).toBe("back");
    expect(line.usage).toMatchObject({ calls: 2, promptTokens: 20, completionTokens: 10 });
  });

  it("begins no background work while somebody waits", async () => {
    const { engine, events, answer } = heldEngine();
    const line = lineOf(engine);
    const front = line.front.complete(ask("front"));
    const back = line.back.complete(ask("back"));
    await tick();
    expect(events).toEqual(["front begins"]);
    answer("front");
    await front;
    await tick();
    expect(events).toEqual(["front begins", "back begins"]);
    answer("back");
    await back;
  });

  it("ends a call that never settles, whether it listens or not", async () => {
    const deaf: SlmEngine = { ...heldEngine().engine, complete: () => new Promise(() => undefined) };
    for (const call of [lineOf(deaf, 20).front.complete(ask("hi")), lineOf(deaf, 20).back.complete(ask("hi"))])
      await expect(call).rejects.toMatchObject({ code: "timeout", message: expect.stringContaining("held/test") });
  });

  it("rejects background work with its own caller's reason, also while it waits", async () => {
    const { engine, answer } = heldEngine();
    const line = lineOf(engine);
    const front = line.front.complete(ask("front"));
    const own = new AbortController();
    const back = line.back.complete(ask("back"), { signal: own.signal });
    own.abort(new Error("never mind"));
    await expect(back).rejects.toThrow("never mind");
    answer("front");
    await front;
  });
});

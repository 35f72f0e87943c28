import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { CompleteOptions, EngineMessage, SlmEngine } from "../../../src/ports.js";
import { controllerAnswer } from "../../../src/slm/prompts/controller.js";
import { selectorAnswer } from "../../../src/slm/prompts/selector.js";
import { writerAnswer } from "../../../src/slm/prompts/writer.js";
import { StructuredAsker } from "../../../src/slm/structured/ask.js";
import { grammarOf, jsonSchemaOf } from "../../../src/slm/structured/json-schema.js";

const schema = v.strictObject({ numbers: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.maxValue(20))), v.maxLength(3)) });

/** Answers what it is told to, in order, and keeps what it was asked. */
function scripted(answers: readonly string[], capabilities: Partial<SlmEngine["capabilities"]> = {}) {
  const asked: { readonly messages: readonly EngineMessage[]; readonly options: CompleteOptions }[] = [];
  const engine: SlmEngine = {
    id: "scripted",
    capabilities: { schema: false, grammar: false, scores: false, contextTokens: 2_048, device: "cpu", ...capabilities },
    complete: async (messages, options = {}) => {
      asked.push({ messages, options });
      return { text: answers[asked.length - 1] ?? "", finish: "stop" };
    },
    close: async () => undefined,
  };
  return { engine, asked };
}

const ask = (engine: SlmEngine) => {
  const asker = new StructuredAsker(engine);
  const answer = asker.ask({ messages: [{ role: "user", content: "Which?" }], schema, maxTokens: 50 });
  return answer.then((value) => ({ value, counts: asker.counts }));
};

describe("an asker", () => {
  test("shows a wrong answer with its error once, and takes the second", async () => {
    const { engine, asked } = scripted(['{"numbers":[99]}', '{"numbers":[2]}']);
    const { value, counts } = await ask(engine);
    expect(value).toMatchObject({ ok: true, value: { numbers: [2] } });
    expect(counts).toEqual({ asked: 1, parsed: 0, repaired: 0, cut: 0, retried: 1, failed: 0 });
    expect(asked[1]?.messages.slice(1)).toEqual([
      { role: "assistant", content: '{"numbers":[99]}' },
      { role: "user", content: expect.stringContaining("numbers.0") },
    ]);
  });

  test("gives up after the second, with the last answer as it was", async () => {
    const { engine, asked } = scripted(["prose", "more prose", "never asked for"]);
    const { value, counts } = await ask(engine);
    expect(value).toMatchObject({ ok: false, raw: "more prose" });
    expect([counts.failed, asked.length]).toEqual([1, 2]);
  });

  test("holds an engine to a grammar where it can, else to a schema, else to words", async () => {
    const forms = await Promise.all(
      [{ grammar: true, schema: true }, { schema: true }, {}].map(async (capabilities) => {
        const { engine, asked } = scripted(['{"numbers":[]}'], capabilities);
        await ask(engine);
        const { grammar, schema: given } = asked[0]?.options ?? {};
        return [typeof grammar, typeof given];
      }),
    );
    expect(forms).toEqual([
      ["string", "undefined"],
      ["undefined", "object"],
      ["undefined", "undefined"],
    ]);
  });

  test.each([0, 1])("lets what the engine throws through after %d answers, and counts it as failed", async (answers) => {
    const { engine, asked } = scripted(["prose"]);
    const complete: SlmEngine["complete"] = (...call) =>
      asked.length < answers ? engine.complete(...call) : Promise.reject(new Error("device lost"));
    const asker = new StructuredAsker({ ...engine, complete });
    await expect(asker.ask({ messages: [], schema, maxTokens: 50 })).rejects.toThrow("device lost");
    expect(asker.counts).toEqual({ asked: 1, parsed: 0, repaired: 0, cut: 0, retried: 0, failed: 1 });
  });

  test("does not count what its caller gave up", async () => {
    const { engine, asked } = scripted(["prose"]);
    const controller = new AbortController();
    const reason = new Error("too late");
    const complete: SlmEngine["complete"] = async (...call) => {
      if (asked.length > 0) controller.abort(reason);
      controller.signal.throwIfAborted();
      return engine.complete(...call);
    };
    const asker = new StructuredAsker({ ...engine, complete });
    const { signal } = controller;
    await expect(asker.ask({ messages: [], schema, maxTokens: 50, signal })).rejects.toBe(reason);
    expect(asker.counts).toEqual({ asked: 0, parsed: 0, repaired: 0, cut: 0, retried: 0, failed: 0 });
  });
});

test("a grammar has no free white space, and bounds its lists, numbers and texts", () => {
  expect(grammarOf(schema).split("\n")).toEqual([
    'root ::= "{" "\\"numbers\\":" "[" (item1 ("," item1){0,2})? "]" "}"',
    expect.stringMatching(/^character ::= /),
    'item1 ::= ("0" | [1-9] [0-9]?)',
  ]);
  const texts = v.strictObject({ short: v.pipe(v.string(), v.minLength(1), v.maxLength(8)), any: v.string() });
  expect(grammarOf(texts).split("\n")).toEqual([
    'root ::= "{" "\\"short\\":" string1to8 "," "\\"any\\":" string0toany "}"',
    expect.stringMatching(/^character ::= /),
    'string1to8 ::= "\\"" character{1,8} "\\""',
    'string0toany ::= "\\"" character{0,} "\\""',
  ]);
});

test.each([
  ["controller", controllerAnswer],
  ["selector", selectorAnswer],
  ["writer", writerAnswer],
])("makes a grammar and a JSON schema of the answer of the %s", (_role, schema) => {
  expect(grammarOf(schema)).toMatch(/^root ::= /);
  expect(jsonSchemaOf(schema)).toMatchObject({ type: "object", additionalProperties: false });
});

/** aiSdk with a provider over HTTP to SmolLM2-135M, and with the AI SDK's own mocks for what a provider should not do. */

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV3, MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import type { EngineMessage } from "../../src/ports.js";
import { aiSdk } from "../../src/slm/engines/ai-sdk.js";
import { engineContract } from "./contract.js";
import { SERVED_MODEL } from "./openai-server.js";
import { servedModel } from "./served-model.js";
import { SMOLLM2, WITHOUT_SMOLLM2 } from "./smollm2.js";

const ask = (content: string): EngineMessage[] => [{ role: "user", content }];

describe.skipIf(!SMOLLM2)(`SmolLM2-135M through a provider of the AI SDK${WITHOUT_SMOLLM2}`, { timeout: 60_000 }, () => {
  const apiKey = "sesame";
  const served = servedModel(apiKey);
  const provided = (key = apiKey) =>
    createOpenAICompatible({
      name: "local",
      baseURL: `${served.url}/v1`,
      apiKey: key,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(SERVED_MODEL);
  const open = () => aiSdk({ model: provided(), contextTokens: 1_024 }).open();

  engineContract("aiSdk", open, { speaks: true });

  test("an answer is the model's own, streamed or not", async () => {
    const engine = await open();
    const own = await served.model.complete(ask("Name three fruits."), { maxTokens: 10 });
    expect(await engine.complete(ask("Name three fruits."), { maxTokens: 10 })).toEqual(own);
    expect(await engine.complete(ask("Name three fruits."), { maxTokens: 10, onToken: () => undefined })).toEqual(own);
  });

  test("a wrong key is told", async () => {
    const engine = await aiSdk({ model: provided("wrong") }).open();
    for (const onToken of [undefined, () => undefined])
      await expect(engine.complete(ask("Hi"), onToken ? { onToken } : {})).rejects.toMatchObject({
        code: "model-failed",
        details: { status: 401 },
      });
  });
});

describe("a provider that is not as it should be", () => {
  type Generate = ConstructorParameters<typeof MockLanguageModelV4>[0] & object;
  type Result = Exclude<Generate["doGenerate"], undefined | readonly unknown[] | ((...args: never) => unknown)>;
  type Stream = Exclude<Generate["doStream"], undefined | readonly unknown[] | ((...args: never) => unknown)>["stream"];
  type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;
  type Reason = Result["finishReason"]["unified"];

  const usage = {
    inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 2, text: 2, reasoning: 0 },
  };
  const result = (text: string, unified: Reason = "stop"): Result => ({
    content: [{ type: "reasoning", text: "Hm." }, ...(text === "" ? [] : [{ type: "text" as const, text }])],
    finishReason: { unified, raw: undefined },
    usage,
    warnings: [],
  });
  const streamed = (...parts: readonly StreamPart[]) => ({ stream: convertArrayToReadableStream([...parts]) });
  const delta = (text: string): StreamPart => ({ type: "text-delta", id: "1", delta: text });
  const finish: StreamPart = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage };
  const failing = (error: unknown) => new MockLanguageModelV4({ doGenerate: () => Promise.reject(error) });
  const apiError = (fields: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
    new APICallError({ message: "no", url: "https://api.example", requestBodyValues: {}, ...fields });

  const call = async (model: Parameters<typeof aiSdk>[0]["model"], options = {}) => {
    const engine = await aiSdk({ model }).open();
    return engine.complete(ask("Hi"), options).catch((error: unknown) => error);
  };

  test.each([
    ["stop", { text: "Hello", finish: "stop" }],
    ["length", { text: "Hello", finish: "length" }],
    ["interrupted", { text: "Hello", finish: "length" }],
    ["tool-calls", { text: "Hello", finish: "stop" }],
    ["other", { text: "Hello", finish: "stop" }],
    ["content-filter", { code: "model-failed" }],
    ["error", { code: "model-failed" }],
  ] satisfies [Reason, object][])("an answer that ends with %s is what it says", async (reason, expected) => {
    expect(await call(new MockLanguageModelV4({ doGenerate: result("Hello", reason) }))).toMatchObject(expected);
  });

  test("models of all versions are asked and read alike", async () => {
    const v3 = new MockLanguageModelV3({
      doGenerate: {
        content: [{ type: "text", text: "Hello" }],
        finishReason: { unified: "stop", raw: "stop" },
        usage,
        warnings: [],
      },
    });
    const v2 = {
      specificationVersion: "v2",
      provider: "old",
      modelId: "m",
      doGenerate: async () => ({
        content: [{ type: "text", text: "Hello" }],
        finishReason: "stop",
        usage: { inputTokens: 7, outputTokens: 2 },
      }),
      doStream: async () => streamed(),
    };
    const expected = { text: "Hello", finish: "stop", promptTokens: 7, completionTokens: 2 };
    for (const model of [v2, v3, new MockLanguageModelV4({ doGenerate: result("Hello") })])
      expect(await call(model)).toEqual(expected);
  });

  test("what is asked reaches the model in its own words", async () => {
    const model = new MockLanguageModelV4({ doGenerate: result("{}") });
    const engine = await aiSdk({ model }).open();
    const schema = { type: "object" };
    await engine.complete([{ role: "system", content: "Be brief." }, ...ask("Hi"), { role: "assistant", content: "Ho" }], {
      schema,
      maxTokens: 5,
      stop: ["x"],
      seed: 3,
    });
    expect(model.doGenerateCalls[0]).toMatchObject({
      prompt: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Hi" }] },
        { role: "assistant", content: [{ type: "text", text: "Ho" }] },
      ],
      responseFormat: { type: "json", schema },
      maxOutputTokens: 5,
      temperature: 0,
      stopSequences: ["x"],
      seed: 3,
    });
  });

  test.each([
    [
      apiError({ statusCode: 429, responseHeaders: { "retry-after": "3" } }),
      { code: "model-failed", details: { status: 429, retryAfterMs: 3_000 } },
    ],
    [apiError({ statusCode: 400, data: { error: { code: "context_length_exceeded" } } }), { code: "too-large" }],
    [apiError({ statusCode: 401 }), { code: "model-failed", message: expect.stringContaining("API key") }],
    [apiError({ isRetryable: true }), { code: "model-failed", message: expect.stringContaining("server runs") }],
    [new Error("broken"), { code: "model-failed", message: expect.stringContaining("broken") }],
    ["a string", { code: "model-failed", message: expect.stringContaining("a string") }],
    [undefined, { code: "model-failed" }],
  ])("%s is told as an error of ours", async (error, expected) => {
    expect(await call(failing(error))).toMatchObject({ name: "MemoryError", ...expected });
  });

  test("a result of another form is an answer without words, cut", async () => {
    for (const odd of [{}, { content: null }, { content: [null, 7, { type: "text" }] }])
      expect(await call(new MockLanguageModelV4({ doGenerate: odd as never }))).toEqual({ text: "", finish: "length" });
  });

  test("a stream is told piece by piece, without its thoughts", async () => {
    const pieces: string[] = [];
    const thought: StreamPart = { type: "reasoning-delta", id: "0", delta: "Hm." };
    const model = new MockLanguageModelV4({ doStream: streamed(thought, delta("Hel"), delta(""), delta("lo"), finish) });
    const answer = await call(model, { onToken: (piece: string) => pieces.push(piece) });
    expect(answer).toEqual({ text: "Hello", finish: "stop", promptTokens: 7, completionTokens: 2 });
    expect(pieces).toEqual(["Hel", "lo"]);
  });

  test("a stream that ends without a reason counts as cut, and one that breaks as a failure", async () => {
    const onToken = () => undefined;
    const cut = new MockLanguageModelV4({ doStream: streamed(delta("Hel")) });
    expect(await call(cut, { onToken })).toEqual({ text: "Hel", finish: "length" });
    const broken = new MockLanguageModelV4({
      doStream: streamed(delta("Hel"), { type: "error", error: apiError({ statusCode: 503 }) }),
    });
    expect(await call(broken, { onToken })).toMatchObject({ code: "model-failed", details: { status: 503 } });
  });

  test("a stop ends a stream that goes on", async () => {
    let cancelled = false;
    const stream = new ReadableStream<StreamPart>({
      pull: (controller) => controller.enqueue(delta("one END ")),
      cancel: () => {
        cancelled = true;
      },
    });
    const answer = await call(new MockLanguageModelV4({ doStream: { stream } }), { stop: ["END"], onToken: () => undefined });
    expect(answer).toEqual({ text: "one ", finish: "stop" });
    expect(cancelled).toBe(true);
  });

  test("a model that neither answers nor listens is left at the time limit, and asked again at the next call", async () => {
    let asked = 0;
    const model = new MockLanguageModelV4({
      doGenerate: () => (++asked > 1 ? Promise.resolve(result("Here.")) : new Promise<never>(() => undefined)),
    });
    const engine = await aiSdk({ model, timeoutMs: 500 }).open();
    await expect(engine.complete(ask("Hi"))).rejects.toMatchObject({ code: "timeout" });
    expect(await engine.complete(ask("Hi"))).toMatchObject({ text: "Here." });
    await engine.close();
    await expect(engine.complete(ask("Hi"))).rejects.toMatchObject({ code: "closed" });
  });

  test("the name of a model is no model", () => {
    expect(() => aiSdk({ model: "openai/gpt-5" as never })).toThrow(TypeError);
    expect(() => aiSdk({ model: null as never })).toThrow(TypeError);
    expect(() => aiSdk({ model: failing(""), contextTokens: 1 })).toThrow(RangeError);
  });
});

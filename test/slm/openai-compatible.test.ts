/** openaiCompatible against real HTTP servers: one over SmolLM2-135M, and some that answer as no server should. */

import type { RequestListener } from "node:http";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { CompleteOptions, EngineMessage } from "../../src/ports.js";
import { type OpenAiCompatibleOptions, openaiCompatible } from "../../src/slm/engines/openai-compatible.js";
import { jsonSchemaOf } from "../../src/slm/structured/json-schema.js";
import { engineContract } from "./contract.js";
import { bodyOf, fail, SERVED_MODEL, serve } from "./openai-server.js";
import { servedModel } from "./served-model.js";
import { SMOLLM2, WITHOUT_SMOLLM2 } from "./smollm2.js";

const ask = (content: string): EngineMessage[] => [{ role: "user", content }];
const apiKey = "sesame";

describe.skipIf(!SMOLLM2)(`SmolLM2-135M behind HTTP${WITHOUT_SMOLLM2}`, { timeout: 60_000 }, () => {
  const served = servedModel(apiKey);
  const open = (options: Partial<OpenAiCompatibleOptions> = {}) =>
    openaiCompatible({ baseURL: `${served.url}/v1`, model: SERVED_MODEL, apiKey, contextTokens: 1_024, ...options }).open();

  engineContract("openaiCompatible", open, { speaks: true });

  test("an answer that goes over HTTP is the model's own", async () => {
    const engine = await open();
    const there = await engine.complete(ask("Name three fruits."), { maxTokens: 10 });
    expect(there).toEqual(await served.model.complete(ask("Name three fruits."), { maxTokens: 10 }));
    expect(engine.id).toBe(`openai-compatible/${new URL(served.url).host}/${SERVED_MODEL}`);
  });

  test.each([
    ["a wrong key", { apiKey: "wrong" }, 401, /API key/],
    ["a model that is not there", { model: "gpt-9" }, 404, /gpt-9 does not exist.*name of the model/],
  ])("%s is told", async (_, options, status, message) => {
    const engine = await open(options);
    await expect(engine.complete(ask("Hi"))).rejects.toMatchObject({
      code: "model-failed",
      message: expect.stringMatching(message),
      details: { status },
    });
  });

  test("an abort ends the request at the server too", async () => {
    const engine = await open();
    const controller = new AbortController();
    const reason = new Error("enough");
    const long = engine.complete(ask("Tell a long story."), {
      maxTokens: 900,
      signal: controller.signal,
      onToken: () => controller.abort(reason),
    });
    await expect(long).rejects.toBe(reason);
    // The model has one state: its next answer would wait for the story's end.
    const { completionTokens } = await served.model.complete(ask("Hi"), { maxTokens: 1 });
    expect(completionTokens).toBe(1);
  });
});

describe("a server that is not as it should be", () => {
  const schema = jsonSchemaOf(v.strictObject({ n: v.number() }));
  /** What one call of an engine comes to, over a server that answers so. */
  const against = async (
    listener: RequestListener,
    call: CompleteOptions = {},
    options: Partial<OpenAiCompatibleOptions> = {},
  ) => {
    const server = await serve(listener);
    const engine = await openaiCompatible({ baseURL: server.url, model: "m", ...options }).open();
    try {
      return await engine.complete(ask("Hi"), call).catch((error: unknown) => error);
    } finally {
      await engine.close();
      await server.close();
    }
  };
  const says = (...pieces: readonly string[]): string =>
    `${pieces.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`).join("")}`;
  const END = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
  const SSE = { "content-type": "text/event-stream" };

  test.each([
    ["429", 429, "slow down", { "retry-after": "7" }, { code: "model-failed", details: { status: 429, retryAfterMs: 7_000 } }],
    ["503", 503, "loading model", {}, { code: "model-failed", details: { status: 503 } }],
    ["504", 504, "upstream", {}, { code: "timeout", details: { status: 504 } }],
    ["413", 413, "payload too large", {}, { code: "too-large" }],
    ["an overflow in words", 400, "This model's maximum context length is 4096 tokens.", {}, { code: "too-large" }],
    ["another bad request", 400, "messages[0].role is wrong", {}, { code: "model-failed", details: { status: 400 } }],
    ["tokens a minute", 429, "Request exceeds your tokens per minute", {}, { code: "model-failed" }],
  ])("%s is told as an error of ours", async (_, status, message, headers, expected) => {
    const error = await against((_, response) => fail(response, status, message, "", headers));
    expect(error).toMatchObject({ name: "MemoryError", message: expect.stringContaining(message), ...expected });
  });

  test("nobody at the address is told with what to check", async () => {
    const { url, close } = await serve(() => undefined);
    await close();
    const engine = await openaiCompatible({ baseURL: url, model: "m" }).open();
    await expect(engine.complete(ask("Hi"))).rejects.toMatchObject({
      code: "model-failed",
      message: expect.stringMatching(/server runs/),
    });
  });

  test.each([
    ["a page", (_, response) => response.end("<!doctype html><title>Welcome</title>")],
    ["an empty body", (_, response) => response.end()],
    ["events of no JSON", (_, response) => response.writeHead(200, SSE).end("data: {oops\n\n")],
    ["null", (_, response) => response.writeHead(200, SSE).end("data: null\n\n")],
    [
      "an error in the stream",
      (_, response) => response.writeHead(200, SSE).end('data: {"error":{"message":"out of memory"}}\n\n'),
    ],
    ["a connection that breaks", (_, response) => response.writeHead(200, SSE).write(says("Hel"), () => response.destroy())],
    [
      "a content filter",
      (_, response) => response.writeHead(200, SSE).end('data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}\n\n'),
    ],
  ] satisfies [string, RequestListener][])("%s instead of an answer is a failure of the model", async (_, listener) => {
    expect(await against(listener)).toMatchObject({ name: "MemoryError", code: "model-failed" });
  });

  test("an answer that ends without a reason counts as cut", async () => {
    const answer = await against((_, response) => response.writeHead(200, SSE).end(says("Hel", "lo")));
    expect(answer).toEqual({ text: "Hello", finish: "length" });
  });

  test("a server that never answers is left at the time limit, and asked again at the next call", async () => {
    let asked = 0;
    const server = await serve((_, response) => {
      if (++asked > 1) response.writeHead(200, SSE).end(says("Here.") + END);
    });
    const engine = await openaiCompatible({ baseURL: server.url, model: "m", timeoutMs: 1_500 }).open();
    await expect(engine.complete(ask("Hi"))).rejects.toMatchObject({ code: "timeout" });
    expect(await engine.complete(ask("Hi"))).toEqual({ text: "Here.", finish: "stop" });
    await server.close();
  });

  test("stops beyond those that the server watches for end the answer too", async () => {
    const stop = ["1", "2", "3", "4", "END"];
    let sent: unknown;
    const answer = await against(
      async (request, response) => {
        sent = (await bodyOf(request)).stop;
        response.writeHead(200, SSE).end(says("one E", "ND two") + END);
      },
      { stop },
    );
    expect(answer).toEqual({ text: "one ", finish: "stop" });
    expect(sent).toEqual(["1", "2", "3", "4"]);
  });

  test.each([
    ["response_format", "'response_format' of type 'json_schema' is not supported", { schema }],
    ["max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", { maxTokens: 5 }],
    ["temperature", "Unsupported value: 'temperature' does not support 0", {}],
    ["stream_options", "unknown field stream_options", {}],
    ["seed", "seed is not supported", { seed: 1 }],
  ])("a server that refuses %s is asked without it, once and for all", async (field, message, call) => {
    const bodies: object[] = [];
    const server = await serve(async (request, response) => {
      const body = await bodyOf(request);
      bodies.push(body);
      if (field in body) fail(response, 400, message, "unsupported_parameter");
      else response.writeHead(200, SSE).end(says("{}") + END);
    });
    const engine = await openaiCompatible({ baseURL: server.url, model: "m" }).open();
    for (const _ of [1, 2]) expect(await engine.complete(ask("Hi"), call)).toMatchObject({ text: "{}" });
    await server.close();
    expect(bodies.map((body) => field in body)).toEqual([true, false, false]);
    if (field === "max_tokens") expect(bodies[2]).toMatchObject({ max_completion_tokens: 5 });
    expect(engine.capabilities.schema).toBe(field !== "response_format");
  });

  test("a schema is sent in the strict form where it is strict, and not at all where the app says so", async () => {
    const formats: unknown[] = [];
    const listener: RequestListener = async (request, response) => {
      formats.push((await bodyOf(request)).response_format);
      response.writeHead(200, SSE).end(says("{}") + END);
    };
    await against(listener, { schema });
    await against(listener, { schema: jsonSchemaOf(v.object({ n: v.optional(v.number()) })) });
    await against(listener, { schema }, { schema: false });
    expect(formats[0]).toEqual({ type: "json_schema", json_schema: { name: "answer", schema, strict: true } });
    expect(formats[1]).not.toHaveProperty("json_schema.strict");
    expect(formats[2]).toBeUndefined();
  });

  test("the app's headers are sent, and no key of the environment", async () => {
    process.env.OPENAI_API_KEY = "secret-of-the-environment";
    let headers: unknown;
    await against(
      (request, response) => {
        headers = request.headers;
        response.writeHead(200, SSE).end(says("Hi") + END);
      },
      {},
      { headers: { "x-tenant": "7" } },
    );
    delete process.env.OPENAI_API_KEY;
    expect(headers).toMatchObject({ "x-tenant": "7" });
    expect(JSON.stringify(headers)).not.toContain("secret");
  });
});

test("wrong options are refused at the door", () => {
  const fine = { baseURL: "http://localhost/v1", model: "m" };
  expect(() => openaiCompatible({ ...fine, baseURL: "" })).toThrow(TypeError);
  expect(() => openaiCompatible({ ...fine, baseURL: "ftp://localhost" })).toThrow(TypeError);
  expect(() => openaiCompatible({ ...fine, model: "" })).toThrow(TypeError);
  expect(() => openaiCompatible({ ...fine, contextTokens: 0 })).toThrow(RangeError);
  expect(() => openaiCompatible({ ...fine, timeoutMs: 0 })).toThrow(RangeError);
});

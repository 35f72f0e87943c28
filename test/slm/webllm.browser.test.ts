import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SlmEngine } from "../../src/ports.js";
import { removeWebllmModel, webllm, webllmModels } from "../../src/slm/engines/webllm.js";
import { engineContract } from "./contract.js";

const MODEL = {
  model: "tiny-q0f32",
  modelUrl: new URL("./fixtures/webllm/tiny-q0f32", import.meta.url).href,
  modelLib: new URL("./fixtures/webllm/tiny-q0f32.wasm", import.meta.url).href,
};
engineContract("WebLLM", () => webllm(MODEL).open(), { speaks: false, timeoutMs: 120_000 });

const ask = (content: string) => [{ role: "user" as const, content }];

describe("WebLLM, with a small model that knows nothing", { timeout: 120_000 }, () => {
  let engine: SlmEngine;
  const told: number[] = [];
  beforeAll(async () => {
    engine = await webllm(MODEL).open({ onProgress: ({ done }) => told.push(done) });
  }, 120_000);
  afterAll(() => engine.close());

  it("loads with progress and says what it can", () => {
    expect(told.at(-1)).toBe(100);
    expect(engine.id).toBe("webllm/tiny-q0f32");
    expect(engine.capabilities).toMatchObject({ schema: false, grammar: true, scores: true });
    expect(engine.capabilities.tokensPerSecond?.completion).toBeGreaterThan(1);
  });

  it("answers alike to the same prompt, in pieces", async () => {
    const pieces: string[] = [];
    const first = await engine.complete(ask("Hello"), { maxTokens: 12, onToken: (piece) => pieces.push(piece) });
    await engine.complete(ask("Something else"), { maxTokens: 5 });
    expect((await engine.complete(ask("Hello"), { maxTokens: 12 })).text).toBe(first.text);
    expect(pieces.join("")).toBe(first.text);
    expect(first.finish).toBe("length");
  });

  it("obeys a grammar", async () => {
    const { text, finish } = await engine.complete(ask("Hello"), {
      grammar: 'root ::= "{\\"n\\":" [0-9] [0-9] "}"',
      maxTokens: 20,
    });
    expect(text).toMatch(/^\{"n":\d\d\}$/);
    expect(finish).toBe("stop");
  });

  it("finds its own answer likelier than another", async () => {
    const { text } = await engine.complete(ask("Hello"), { maxTokens: 8 });
    const scores = await engine.score?.(ask("Hello"), [text, "qqqqqqqq", text]);
    expect(scores?.[0]?.logProbability).toBeGreaterThan(scores?.[1]?.logProbability as number);
    expect(scores?.[2]?.logProbability).toBeCloseTo(scores?.[0]?.logProbability as number, 3);
  });

  it("stops for a caller who gives up, and answers the next", async () => {
    const controller = new AbortController();
    const call = engine.complete(ask("Hello"), {
      maxTokens: 400,
      signal: controller.signal,
      onToken: () => controller.abort(new Error("enough")),
    });
    await expect(call).rejects.toThrow("enough");
    expect((await engine.complete(ask("Hello"), { maxTokens: 3 })).finish).toBe("length");
  });

  it("lists what is kept here, and forgets it", async () => {
    const [list] = [await webllmModels()];
    expect(list.length).toBeGreaterThan(50);
    expect(list.find(({ model }) => model === "SmolLM2-360M-Instruct-q4f16_1-MLC")).toMatchObject({
      isCached: false,
      misfit: expect.stringContaining("shader-f16"),
    });
    await removeWebllmModel(MODEL);
  });
});

describe("a model that cannot be had", { timeout: 60_000 }, () => {
  it("is refused with a model that can run, when the device lacks what it needs", async () => {
    await expect(webllm({ model: "SmolLM2-360M-Instruct-q4f16_1-MLC" }).open()).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/shader-f16.*SmolLM2-360M-Instruct-q4f32_1-MLC can run here/),
    });
  });

  it("is named with those like it when WebLLM does not know it", async () => {
    await expect(webllm({ model: "Llama-9-Huge" }).open()).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("Llama-3"),
    });
  });

  it.each([
    ["its library is not there", { ...MODEL, modelLib: "/no/such.wasm" }],
    ["its folder is not there", { ...MODEL, modelUrl: "/no/such/folder" }],
  ])("is told of when %s", async (_, options) => {
    await expect(webllm({ ...options, model: `missing-${options.modelLib.length}` }).open()).rejects.toMatchObject({
      code: "asset-unavailable",
    });
  });

  it("is refused when a file has another hash than it should", async () => {
    const other = `sha256-${btoa("\0".repeat(32))}`;
    for (const integrity of [{ config: other }, { modelLib: other }, { tokenizer: { "tokenizer.json": other } }])
      await expect(webllm({ ...MODEL, integrity }).open()).rejects.toMatchObject({
        code: "asset-unavailable",
        message: expect.stringContaining("ntegrity"),
      });
  });

  it("is refused at the door when it is named wrongly", () => {
    expect(() => webllm({ model: "" })).toThrow(TypeError);
    expect(() => webllm({ model: "mine", modelUrl: "/mine" })).toThrow(/both modelUrl and modelLib/);
    expect(() => webllm({ model: "mine", contextTokens: 8 })).toThrow(RangeError);
  });
});

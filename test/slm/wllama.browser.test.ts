import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SlmEngine } from "../../src/ports.js";
import { removeWllamaModel, wllama, wllamaModels } from "../../src/slm/engines/wllama.js";
import { engineContract } from "./contract.js";
import { tinyGguf } from "./tiny-gguf.js";

const here = (path: string) => new URL(path, location.href).href;
const wasmUrl = here("/node_modules/@wllama/wllama/esm/wasm/wllama.wasm");
const tokenizer = new URL("./fixtures/webllm/tiny-q0f32/resolve/main/tokenizer.json", import.meta.url);
const tiny = tinyGguf(await (await fetch(tokenizer)).text());
const tinyUrl = URL.createObjectURL(new Blob([tiny]));
const ask = (content: string) => [{ role: "user" as const, content }];

engineContract("wllama", () => wllama({ modelUrl: tinyUrl, wasmUrl, contextTokens: 512 }).open(), {
  speaks: false,
  timeoutMs: 120_000,
});

describe("wllama, with a small model that knows nothing", { timeout: 120_000 }, () => {
  it("keeps the file until it is removed", async () => {
    expect(await wllamaModels()).toContainEqual({ url: tinyUrl, sizeBytes: tiny.length, isWhole: true });
    await removeWllamaModel(tinyUrl);
    await removeWllamaModel(tinyUrl);
    expect(await wllamaModels()).toEqual([]);
  });

  it("refuses options that mean nothing", () => {
    const options = { modelUrl: tinyUrl, wasmUrl };
    expect(() => wllama({ ...options, contextTokens: 10 })).toThrow(RangeError);
    expect(() => wllama({ ...options, threads: -1 })).toThrow(RangeError);
    expect(() => wllama({ ...options, sha256: "abc" })).toThrow(TypeError);
    expect(() => wllama({ ...options, device: "cuda" as "wasm" })).toThrow(TypeError);
    expect(() => wllama({ ...options, callLimitMs: 0 })).toThrow(RangeError);
  });
});

const modelUrl = here("/models/smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf");
const sha256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
const sizeBytes = 98_362_432;
// Vite answers an unknown path with its page, so the status alone does not tell.
const head = await fetch(modelUrl, { method: "HEAD" });
const present = head.ok && !(head.headers.get("content-type") ?? "").includes("html");
const why = present ? "" : " (skipped: the weights are not there, see `npm run models smollm2`)";

describe.skipIf(!present)(`wllama with SmolLM2${why}`, { timeout: 180_000 }, () => {
  const told: { task: string; done: number; total: number }[] = [];
  let engine: SlmEngine;
  beforeAll(async () => {
    await removeWllamaModel(modelUrl);
    const provider = wllama({ modelUrl, wasmUrl, sha256, contextTokens: 512 });
    engine = await provider.open({ onProgress: (progress) => told.push(progress) });
  }, 180_000);
  afterAll(async () => {
    await engine.close();
    await removeWllamaModel(modelUrl);
  });

  it("downloads once, with progress in bytes", () => {
    expect(engine.id).toBe("wllama/SmolLM2-135M-Instruct.Q4_1");
    expect(told.every(({ done, total }) => done <= total)).toBe(true);
    expect(told.at(-1)).toMatchObject({ done: sizeBytes, total: sizeBytes });
    console.info(`wllama, tokens a second: ${JSON.stringify(engine.capabilities.tokensPerSecond)}`);
  });

  it("scores as llama.cpp does natively", async () => {
    const prompt = ask("Note: Melanie went to the pottery class on Tuesday. Write a question that this note answers.");
    const [near, far] = await engine.score!(prompt, ["When did Melanie go to the pottery class?", 'Who said "yes"?\nZoë did.']);
    // What node-llama-cpp gives for the same file, token by token.
    expect([near!.tokens, far!.tokens]).toEqual([10, 11]);
    expect(Math.abs(near!.logProbability - -8.89)).toBeLessThan(0.25);
    expect(Math.abs(far!.logProbability - -51.24)).toBeLessThan(0.5);
  });
});

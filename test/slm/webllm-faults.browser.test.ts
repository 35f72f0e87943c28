import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SlmEngine } from "../../src/ports.js";
import { removeWebllmModel, type WebLlmOptions, webllm } from "../../src/slm/engines/webllm.js";

const MODEL = {
  model: "tiny-q0f32",
  modelUrl: new URL("./fixtures/webllm/tiny-q0f32", import.meta.url).href,
  modelLib: new URL("./fixtures/webllm/tiny-q0f32.wasm", import.meta.url).href,
};
const ask = [{ role: "user" as const, content: "Hello" }];
let engine: SlmEngine | undefined;

const rigged = async (fault: string, options: Partial<WebLlmOptions> = {}): Promise<SlmEngine> => {
  const createWorker = () => new Worker(new URL("./rigged-webllm.worker.ts", import.meta.url), { type: "module", name: fault });
  engine = await webllm({ ...MODEL, createWorker, ...options }).open();
  return engine;
};

describe("WebLLM on a machine that lacks something", { timeout: 60_000 }, () => {
  beforeEach(() => removeWebllmModel(MODEL));
  afterEach(async () => {
    await engine?.close();
    engine = undefined;
  });

  it.each([
    ["no WebGPU", "unsupported", /offers no WebGPU.*wllama/],
    ["no adapter", "unsupported", /no graphics adapter.*wllama/],
    ["disk is full", "quota-exceeded", /no room to keep tiny-q0f32/],
    ["shard is cut", "asset-unavailable", /tiny-q0f32 could not be loaded.*whole and unaltered/],
    ["page in its place", "asset-unavailable", /tiny-q0f32 could not be loaded/],
  ])("says so and what to do: %s", async (fault, code, message) => {
    await expect(rigged(fault)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each<readonly [string, WebLlmOptions["needs"], string, RegExp]>([
    ["nothing", { features: ["shader-f16"] }, "unsupported", /shader-f16.*; SmolLM2-360M-Instruct-q4f32_1-MLC can run here$/],
    ["nothing", { memoryMB: 700_000 }, "unsupported", /too much for a machine.*; \S+-q\df32\S* can run here$/],
    ["little room", { memoryMB: 1_000 }, "quota-exceeded", /a smaller one, such as SmolLM2-135M-Instruct-q0f32-MLC$/],
  ])("proposes a model of WebLLM's list for a build of the app's own: %s, %j", async (fault, needs = {}, code, message) => {
    await expect(rigged(fault, { needs })).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("loads again after a load that failed", async () => {
    await expect(rigged("shard is cut")).rejects.toMatchObject({ code: "asset-unavailable" });
    expect((await (await rigged("nothing")).complete(ask, { maxTokens: 3 })).finish).toBe("length");
  });

  it("answers again after its device was lost, idle or at work", async () => {
    const lossy = await rigged("device is lost");
    const before = await lossy.complete(ask, { maxTokens: 6 });
    const channel = new BroadcastChannel("rigged");
    channel.postMessage("destroy");
    expect(await lossy.complete(ask, { maxTokens: 6 })).toEqual(before);
    let isTold = false;
    const call = lossy.complete(ask, {
      maxTokens: 300,
      onToken: () => {
        if (!isTold) channel.postMessage("destroy");
        isTold = true;
      },
    });
    expect((await call).finish).toBe("length");
    channel.close();
  });

  it("scores again after its device was lost", async () => {
    const lossy = await rigged("device is lost");
    const before = await lossy.score?.(ask, ["Paris"]);
    const channel = new BroadcastChannel("rigged");
    channel.postMessage("destroy");
    // Until the runtime has noticed, and let go of all that it had.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await lossy.score?.(ask, ["Paris"])).toEqual(before);
    channel.close();
  });

  it.each(["complete", "score"] as const)(
    "answers again after its device got stuck and every caller gave up: %s",
    async (call) => {
      const sticky = await rigged("gets stuck", { callLimitMs: 2_000 });
      const channel = new BroadcastChannel("rigged");
      channel.postMessage("stick");
      // A message of a channel comes when it likes.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const asked = async (signal: AbortSignal): Promise<unknown> =>
        call === "score" ? sticky.score?.(ask, ["Paris"], { signal }) : sticky.complete(ask, { maxTokens: 3, signal });
      for (let time = 0; time < 2; time++)
        await expect(asked(AbortSignal.timeout(200))).rejects.toMatchObject({ name: "TimeoutError" });
      // Nobody has the patience of the limit, and yet the worker is ended at it and another one is started.
      const answered = () =>
        asked(AbortSignal.timeout(1_000)).then(
          () => true,
          () => false,
        );
      await expect.poll(answered, { timeout: 40_000 }).toBe(true);
      channel.close();
    },
  );

  it("ends what it is saying when it is closed", async () => {
    const closing = await rigged("nothing");
    let told: () => void = () => undefined;
    const talking = new Promise<void>((resolve) => {
      told = resolve;
    });
    const call = closing.complete(ask, { maxTokens: 800, onToken: () => told() });
    await talking;
    await Promise.all([expect(call).rejects.toMatchObject({ code: "closed" }), closing.close()]);
  });
});

/** nodeLlama with the weights of SmolLM2-135M. */

import { copyFile, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getLlama, LlamaLogLevel, type Token, TokenBias } from "node-llama-cpp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConnectableSlm, EngineMessage } from "../../src/ports.js";
import { LlamaState } from "../../src/slm/engines/llama-state.js";
import { nodeLlama } from "../../src/slm/engines/node-llama.js";
import { engineContract } from "./contract.js";
import { agreement, scoresOf } from "./score-sample.js";
import { SMOLLM2, WITHOUT_SMOLLM2 } from "./smollm2.js";

const open = (options = {}): Promise<ConnectableSlm> =>
  nodeLlama({ modelPath: SMOLLM2 ?? "", contextTokens: 1_024, ...options }).open();
const ask = (content: string): EngineMessage[] => [{ role: "user", content }];

describe.skipIf(!SMOLLM2)(`SmolLM2-135M in Node${WITHOUT_SMOLLM2}`, () => {
  engineContract("nodeLlama", open, { speaks: true });

  describe("and nodeLlama besides", { timeout: 60_000 }, () => {
    let engine: ConnectableSlm;
    beforeAll(async () => {
      engine = await open();
    }, 60_000);
    afterAll(() => engine.close());

    test("finds texts as likely as it did when the numbers were written down", async () => {
      const { correlation, difference } = agreement(await scoresOf(engine));
      expect(correlation).toBe(1);
      // Each kind of processor adds up in an order of its own: two were seen that differ by a tenth.
      expect(difference).toBeLessThan(0.2);
    });

    test("tells of each token of an unlikely text what the whole vocabulary would tell", async () => {
      const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.error });
      try {
        const model = await llama.loadModel({ modelPath: SMOLLM2 as string });
        const context = await model.createContext({ contextSize: 512, threads: 1 });
        const sequence = context.getSequence();
        const state = new LlamaState(sequence, () => new TokenBias(model.tokenizer));
        const prompt = model.tokenize("The capital of France is a city that");
        const tokens = model.tokenize(
          " everybody knows: Paris! Zyx carburettor 北京 and the the the of\n\n42".repeat(4),
          false,
          "trimLeadingSpace",
        );
        await state.read(prompt, new AbortController().signal);
        const found = await state.probabilities(tokens, new AbortController().signal);
        await state.read(prompt, new AbortController().signal);
        const before = [...prompt.slice(-1), ...tokens.slice(0, -1)];
        const whole: number[] = [];
        // In the batches that it is read in: their size changes what is computed.
        for (let from = 0; from < before.length; from += 64) {
          const output = await sequence.controlledEvaluate(
            before.slice(from, from + 64).map((token) => [token, { generateNext: { probabilities: true } }]),
          );
          for (const [at, item] of output.entries()) whole.push(item?.next.probabilities?.get(tokens[from + at] as Token) ?? 0);
        }
        expect(tokens.length).toBeGreaterThan(64);
        expect(found).toHaveLength(tokens.length);
        expect(Math.min(...whole)).toBeLessThan(1e-5);
        for (const [at, probability] of found.entries())
          expect(Math.log(probability)).toBeCloseTo(Math.log(whole[at] as number), 3);
      } finally {
        await llama.dispose();
      }
    });

    test("is named after its file, and knows its speed", () => {
      expect(engine.id).toBe("node-llama/SmolLM2-135M-Instruct.Q4_1");
      expect(engine.capabilities).toMatchObject({ contextTokens: 1_024, device: "cpu" });
      expect(engine.capabilities.tokensPerSecond?.prompt).toBeGreaterThan(0);
    });

    test("reads a long prompt the same way after another that shares its start", async () => {
      const notes = "Anna lives in Lisbon and works as a nurse. ".repeat(20);
      const first = await engine.score?.(ask(`${notes}Where does Anna live?`), ["Lisbon", "Porto"]);
      await engine.score?.(ask(`${notes}What does Anna do?`), ["nurse"]);
      await engine.complete(ask(notes), { maxTokens: 4 });
      expect(await engine.score?.(ask(`${notes}Where does Anna live?`), ["Lisbon", "Porto"])).toEqual(first);
    });

    test("counts the tokens of the model's own chat template", async () => {
      const { promptTokens } = await engine.complete(ask("Say  hello.\n"), { maxTokens: 1 });
      expect(promptTokens).toBe(35);
    });

    test("answers differently by seed where it is told to be warm, and the same by the same seed", async () => {
      const story = (seed: number) => engine.complete(ask("Tell a story."), { maxTokens: 12, temperature: 1.5, seed });
      const [one, two, again] = [await story(1), await story(2), await story(1)];
      expect(again.text).toBe(one.text);
      expect(two.text).not.toBe(one.text);
    });

    test("says what it does not take as a grammar, and goes on", async () => {
      await expect(engine.complete(ask("Hi"), { grammar: "root ::= (" })).rejects.toMatchObject({ code: "model-failed" });
      expect((await engine.complete(ask("Hi"), { maxTokens: 2 })).finish).toBe("length");
    });

    test("ends a call at its time limit, and goes on", async () => {
      const hasty = await open({ timeoutMs: 800 });
      // However fast the machine is, and whatever the model would rather say.
      const grammar = `root ::= "${"word ".repeat(3_000)}"`;
      const long = hasty.complete(ask("Say it."), { maxTokens: 900, grammar });
      await expect(long).rejects.toMatchObject({ code: "timeout" });
      // What a try has read by then, the next one need not read.
      const next = () => hasty.complete(ask("Hi"), { maxTokens: 1 }).then(({ finish }) => finish);
      await expect.poll(next, { timeout: 30_000 }).toBe("length");
      await hasty.close();
    });
  });

  test("a file that was cut is no model", { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "keepsake-gguf-"));
    const modelPath = join(folder, "cut.gguf");
    try {
      await copyFile(SMOLLM2 ?? "", modelPath);
      for (const bytes of [50_000_000, 10_000, 4]) {
        await truncate(modelPath, bytes);
        await expect(nodeLlama({ modelPath }).open(), `${bytes} bytes`).rejects.toMatchObject({ code: "asset-unavailable" });
      }
      await writeFile(modelPath, "<!doctype html><title>404</title>".repeat(1_000));
      await expect(nodeLlama({ modelPath }).open()).rejects.toMatchObject({ code: "asset-unavailable" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("a load ends with the signal's reason", { timeout: 60_000 }, async () => {
    const reason = new Error("changed my mind");
    const controller = new AbortController();
    const loading = nodeLlama({ modelPath: SMOLLM2 ?? "" }).open({
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await expect(loading).rejects.toBe(reason);
  });
});

test("a model that is not there is named", { timeout: 60_000 }, async () => {
  await expect(nodeLlama({ modelPath: "/no/such.gguf" }).open()).rejects.toMatchObject({
    code: "asset-unavailable",
    message: expect.stringContaining("/no/such.gguf"),
  });
});

test("wrong options are refused at the door", () => {
  expect(() => nodeLlama({ modelPath: "" })).toThrow(TypeError);
  expect(() => nodeLlama({ modelPath: "a.gguf", contextTokens: 10 })).toThrow(RangeError);
  expect(() => nodeLlama({ modelPath: "a.gguf", threads: 0 })).toThrow(RangeError);
  expect(() => nodeLlama({ modelPath: "a.gguf", timeoutMs: -1 })).toThrow(RangeError);
});

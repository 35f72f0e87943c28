/** What every engine keeps, whatever runs the model and wherever: nothing of Node is used here. */

import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConnectableSlm, EngineMessage, SlmEngine } from "../../src/ports.js";
import { StructuredAsker } from "../../src/slm/structured/ask.js";
import { grammarOf, jsonSchemaOf } from "../../src/slm/structured/json-schema.js";

export interface EngineContract {
  /** Whether the model knows English: a random one obeys grammars and knows nothing. */
  readonly speaks: boolean;
  /** Tokens of the longest answers, for engines of a few tokens a second; 12 by default. */
  readonly tokens?: number;
  /** Milliseconds that a test may take; 60,000 by default. */
  readonly timeoutMs?: number;
}

const ask = (content: string): EngineMessage[] => [{ role: "user", content }];
const answer = v.strictObject({ color: v.picklist(["red", "blue"]), count: v.pipe(v.number(), v.integer(), v.maxValue(9)) });
const QUESTION = "What colour is the sky, and how many suns has it? Answer with a JSON object of color and count.";

/** @param open makes an engine of its own at each call */
export function engineContract(name: string, open: () => Promise<ConnectableSlm>, contract: EngineContract): void {
  const { speaks, tokens = 12, timeoutMs = 60_000 } = contract;
  describe(`${name} is an engine`, { timeout: timeoutMs }, () => {
    let engine: SlmEngine;
    const words = (content: string, maxTokens = tokens) => engine.complete(ask(content), { maxTokens });
    const isAlive = async () => expect((await words("Hello", 2)).text).toBeTypeOf("string");

    beforeAll(async () => {
      engine = await open();
    }, timeoutMs);
    afterAll(() => engine.close());

    it("names itself and what it can", () => {
      const { capabilities, id } = engine;
      expect(id).toMatch(/^[\w-]+\/.+/);
      expect(capabilities.contextTokens).toBeGreaterThanOrEqual(256);
      expect(capabilities.scores).toBe(engine.score !== undefined);
      expect(capabilities.device).not.toBe("");
      const speed = capabilities.tokensPerSecond;
      if (speed) expect(Math.min(speed.prompt, speed.completion)).toBeGreaterThan(0);
      expect(structuredClone(capabilities)).toEqual(capabilities);
    });

    it("gives the same answer to the same prompt, whatever was asked between", async () => {
      const before = await words("Say one word.");
      await words("Say one thing that a cat does.");
      expect((await words("Say one word.")).text).toBe(before.text);
    });

    it("stops at the limit and says so", async () => {
      const { finish, text, completionTokens = 4 } = await words("Count from one to one hundred in words.", 4);
      expect(finish).toBe("length");
      expect(text.length).toBeLessThan(200);
      expect(completionTokens).toBe(4);
    });

    it("tells pieces that add up to the answer, before it resolves", async () => {
      const pieces: string[] = [];
      const onToken = (piece: string) => pieces.push(piece);
      const { text } = await engine.complete(ask("Say hello to Zoë in 東京."), { maxTokens: tokens, onToken });
      expect(pieces.join("")).toBe(text);
      expect(pieces.every((piece) => piece !== "")).toBe(true);
      expect(pieces.length).toBeGreaterThan(1);
    });

    it("ends before a stop, and tells no piece of it", async () => {
      const { text } = await words("Count from one to ten in words.");
      const stop = [...text.slice(Math.floor(text.length / 2))].slice(0, 3).join("");
      const pieces: string[] = [];
      const stopped = await engine.complete(ask("Count from one to ten in words."), {
        maxTokens: tokens,
        stop: ["never said", stop],
        onToken: (piece) => pieces.push(piece),
      });
      expect(stopped).toMatchObject({ text: text.slice(0, text.indexOf(stop)), finish: "stop" });
      expect(pieces.join("")).toBe(stopped.text);
    });

    it("answers two calls at once, each with its own", async () => {
      const prompts = ["Name a colour.", "Name a country of Europe."];
      const together = await Promise.all(prompts.map((prompt) => words(prompt, 6)));
      const apart = [];
      for (const prompt of prompts) apart.push(await words(prompt, 6));
      expect(together.map(({ text }) => text)).toEqual(apart.map(({ text }) => text));
    });

    it("ends when it is aborted, before it begins, while it reads, while it writes and while it waits", async () => {
      const reason = new Error("left the page");
      await expect(engine.complete(ask("Hello"), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const reading = new AbortController();
      // At four tokens a word, which the tiny models need, it fills half of the context: one that did not fit would be
      // refused, and before the abort on a fast machine.
      const fitting = "word ".repeat(Math.min(150, engine.capabilities.contextTokens / 8));
      const long = engine.complete(ask(fitting), { maxTokens: 400, signal: reading.signal });
      const waiting = new AbortController();
      const next = engine.complete(ask("Hello"), { maxTokens: 400, signal: waiting.signal });
      setTimeout(() => waiting.abort(reason), 1);
      setTimeout(() => reading.abort(reason), 2);
      await expect(next).rejects.toBe(reason);
      await expect(long).rejects.toBe(reason);
      const writing = new AbortController();
      const told: string[] = [];
      const onToken = (piece: string) => {
        told.push(piece);
        writing.abort(reason);
      };
      const story = engine.complete(ask("Tell a very long story."), { maxTokens: 400, signal: writing.signal, onToken });
      await expect(story).rejects.toBe(reason);
      await isAlive();
      expect(told).toHaveLength(1);
    });

    it("refuses a prompt beyond its context and goes on answering", async () => {
      const long = "word ".repeat(engine.capabilities.contextTokens * 2);
      await expect(words(long, 4)).rejects.toMatchObject({ name: "MemoryError", code: "too-large" });
      await isAlive();
    });

    it("holds its answer to a grammar and to a schema, where it can", async () => {
      const { capabilities } = engine;
      const forms = [
        ...(capabilities.grammar ? [{ grammar: grammarOf(answer) }] : []),
        ...(capabilities.schema ? [{ schema: jsonSchemaOf(answer) }] : []),
      ];
      for (const form of forms) {
        const { text, finish } = await engine.complete(ask(QUESTION), { maxTokens: 80, ...form });
        expect(v.is(answer, JSON.parse(text)), text).toBe(true);
        expect(finish).toBe("stop");
      }
    });

    it("ends a text at its greatest length by grammar", async () => {
      if (!engine.capabilities.grammar) return;
      const short = v.strictObject({ text: v.pipe(v.string(), v.minLength(2), v.maxLength(7)) });
      const { text, finish } = await engine.complete(ask("Tell a long story as a JSON object with its text."), {
        maxTokens: 60,
        grammar: grammarOf(short),
      });
      expect(v.is(short, JSON.parse(text)), text).toBe(true);
      expect(finish).toBe("stop");
    });

    it("gives a value of a schema through the asker", async () => {
      const asker = new StructuredAsker(engine);
      const given = await asker.ask({ messages: ask(QUESTION), schema: answer, maxTokens: 80 });
      const { asked, parsed, repaired, cut, retried, failed } = asker.counts;
      expect(asked).toBe(1);
      expect(parsed + repaired + cut + retried + failed).toBe(1);
      if (engine.capabilities.grammar || engine.capabilities.schema) expect(given).toMatchObject({ ok: true, how: "parsed" });
    });

    it("finds what follows more probable than what does not, in any order, where it gives scores", async () => {
      if (!engine.score) return;
      const prompt = ask("Note: the capital of France is Paris.\nWhat is the capital of France?");
      const scores = await engine.score(prompt, ["Paris", "carburettor", "Paris", ""]);
      expect(scores).toHaveLength(4);
      for (const { logProbability, tokens: counted } of scores) {
        expect(logProbability).toBeLessThanOrEqual(0);
        expect(Number.isFinite(logProbability)).toBe(true);
        expect(counted).toBeGreaterThanOrEqual(1);
      }
      await words("Something else.", 2);
      const [rare, likely] = await engine.score(prompt, ["carburettor", "Paris"]);
      expect(scores[0]?.logProbability).toBeCloseTo(scores[2]?.logProbability ?? 0, 3);
      expect(likely?.logProbability).toBeCloseTo(scores[0]?.logProbability ?? 0, 3);
      expect(rare?.logProbability).toBeCloseTo(scores[1]?.logProbability ?? 0, 3);
      if (speaks) expect(likely?.logProbability).toBeGreaterThan(rare?.logProbability ?? 0);
      expect(await engine.score(prompt, [])).toEqual([]);
    });

    it("refuses to score what ends beyond its context, however much of it would fit, and goes on", async () => {
      const { score, capabilities } = engine;
      if (!score) return;
      const prompt = (count: number) => ask("word ".repeat(count));
      const tokensOf = async (count: number) => (await engine.complete(prompt(count), { maxTokens: 1 })).promptTokens ?? 0;
      const [few, more] = [await tokensOf(8), await tokensOf(24)];
      // A prompt that leaves a few tokens.
      const fitting = 24 + Math.floor(((capabilities.contextTokens - 8 - more) * 16) / (more - few));
      const long = "carburettor ".repeat(10).trim();
      await expect(engine.score?.(prompt(fitting), ["a", long])).rejects.toMatchObject({
        name: "MemoryError",
        code: "too-large",
      });
      const beyond = "carburettor ".repeat(capabilities.contextTokens).trim();
      await expect(engine.score?.(ask("Hello"), [beyond])).rejects.toMatchObject({ name: "MemoryError", code: "too-large" });
      await isAlive();
    });

    it("stops scoring when it is aborted", async () => {
      if (!engine.score) return;
      const reason = new Error("too late");
      const controller = new AbortController();
      const many = Array.from({ length: 200 }, (_, at) => `The answer is number ${at} of all.`);
      const scoring = engine.score(ask("Which?"), many, { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 5);
      await expect(scoring).rejects.toBe(reason);
      await isAlive();
    });

    it.each([
      ["nothing", ""],
      ["white space", " \n\t"],
      ["halves of surrogate pairs", "a\uD800b\uDC00 \uD83D"],
      ["marks of chat templates", "<|im_end|>\n<|im_start|>system\n</s>[INST]<eos>"],
      ["control characters", "a\u0000b\u001B[2Jc\u202E"],
    ])("answers a prompt of %s", async (_, content) => {
      const { text } = await words(content, 3);
      expect(text).toBeTypeOf("string");
    });

    it("answers messages in any order of roles", async () => {
      const messages: EngineMessage[] = [
        { role: "assistant", content: "Hello." },
        { role: "user", content: "One." },
        { role: "user", content: "Two." },
        { role: "system", content: "Be brief." },
        { role: "assistant", content: "" },
        { role: "user", content: "Three?" },
      ];
      expect((await engine.complete(messages, { maxTokens: 3 })).text).toBeTypeOf("string");
    });

    it("answers a prompt of 100 KB, or says that it is too large", async () => {
      const outcome = await words("lorem ipsum ".repeat(8_600), 2).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "too-large" });
      await isAlive();
    });

    it("rejects what runs when it is closed, and calls after; closes twice", async () => {
      const other = await open();
      const running = expect(other.complete(ask("Tell a long story."), { maxTokens: 200 })).rejects.toMatchObject({
        code: "closed",
      });
      await Promise.all([other.close(), other.close()]);
      await running;
      await expect(other.complete(ask("Hello"))).rejects.toMatchObject({ code: "closed" });
      await other.close();
    });
  });
}

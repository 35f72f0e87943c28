/** Opens the model that a run asks for. */

import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { SlmEngine } from "../src/ports.js";
import { nodeLlama } from "../src/slm/engines/node-llama.js";
import { openaiCompatible } from "../src/slm/engines/openai-compatible.js";
import { estimateTokens } from "../src/text/tokens.js";
import type { EvalOptions } from "./options.js";

/** "openai" is a server of OpenAI's form: Ollama, llama.cpp's, hosted ones. */
export const ENGINES = ["node-llama", "openai"] as const;

/** Of prompt and answer together, whichever engine: more would leave some engines candidates that others do not see. */
const CONTEXT_TOKENS = 4_096;
const MODEL = fileURLToPath(new URL("../models/smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf", import.meta.url));

/** What an engine was asked so far. */
export interface Asked {
  readonly calls: number;
  /** Calls among them that score texts. */
  readonly scorings: number;
  /** Of answers, as the engine counts them. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of scored prompts, each once, and of what is scored after them: engines count none of these. */
  readonly estimatedTokens: number;
  readonly ms: number;
}

/** An engine that counts, by the role that it is asked for. */
export interface CountingEngine {
  readonly engine: SlmEngine;
  /** The engine under a name of its own. */
  as(role: string): SlmEngine;
  readonly asked: ReadonlyMap<string, Asked>;
}

/** "node-llama" where none is named. The key of a server is read from KEEPSAKE_API_KEY: a report holds the options of its run.
 * @throws RangeError for an engine that cannot be had here */
export async function openEngine({
  engine = "node-llama",
  model,
  baseUrl,
}: Pick<EvalOptions, "engine" | "model" | "baseUrl">): Promise<CountingEngine> {
  if (engine === "openai") return counting(await openServed(baseUrl, model));
  if (engine !== "node-llama") throw new RangeError(`--engine is ${ENGINES.join(" or ")}, got ${engine}`);
  if (baseUrl !== undefined) throw new RangeError("--base-url is where --engine openai asks; node-llama reads a file");
  const modelPath = model ?? MODEL;
  await access(modelPath).catch((cause: unknown) => {
    throw new RangeError(`the model ${modelPath} is not there; run npm run models, or name a GGUF file by --model`, { cause });
  });
  return counting(await nodeLlama({ modelPath, contextTokens: CONTEXT_TOKENS }).open());
}

async function openServed(baseURL: string | undefined, model: string | undefined): Promise<SlmEngine> {
  if (!baseURL) throw new RangeError("--engine openai needs --base-url URL, such as http://localhost:11434/v1 for Ollama");
  if (!model) throw new RangeError("--engine openai needs --model NAME, the server's name of a model");
  const apiKey = process.env.KEEPSAKE_API_KEY;
  const engine = await openaiCompatible({
    baseURL,
    model,
    contextTokens: CONTEXT_TOKENS,
    ...(apiKey && { apiKey }),
  }).open();
  // Who is not there would be measured as a model that cannot answer.
  await engine.complete([{ role: "user", content: "Hello" }], { maxTokens: 1 }).catch(async (cause: unknown) => {
    await engine.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RangeError(`${baseURL} gives no answer of ${model}: ${reason}`, { cause });
  });
  return engine;
}

const NOTHING: Asked = { calls: 0, scorings: 0, promptTokens: 0, completionTokens: 0, estimatedTokens: 0, ms: 0 };

/** Scores a text after a prompt once. */
export function counting(engine: SlmEngine): CountingEngine {
  const asked = new Map<string, Asked>();
  const known = new Map<string, ReturnType<NonNullable<SlmEngine["score"]>>>();
  const add = (role: string, started: number, more: Partial<Asked>): void => {
    const before = asked.get(role) ?? NOTHING;
    const one = { ...NOTHING, ...more };
    asked.set(role, {
      calls: before.calls + 1,
      scorings: before.scorings + one.scorings,
      promptTokens: before.promptTokens + one.promptTokens,
      completionTokens: before.completionTokens + one.completionTokens,
      estimatedTokens: before.estimatedTokens + one.estimatedTokens,
      ms: before.ms + performance.now() - started,
    });
  };
  return {
    engine,
    asked,
    as: (role) => ({
      id: engine.id,
      // A server may turn out to take no schema.
      get capabilities() {
        return engine.capabilities;
      },
      close: async () => undefined,
      async complete(messages, options) {
        const started = performance.now();
        const answer = await engine.complete(messages, options);
        const { promptTokens = 0, completionTokens = 0 } = answer;
        add(role, started, { promptTokens, completionTokens });
        return answer;
      },
      ...(engine.score && {
        async score(prompt, continuations, options) {
          const key = JSON.stringify([prompt, continuations]);
          const started = performance.now();
          const isNew = !known.has(key);
          const scores = known.get(key) ?? (engine.score as NonNullable<SlmEngine["score"]>)(prompt, continuations, options);
          known.set(key, scores);
          const found = await scores;
          if (isNew) {
            const texts = [...prompt.map(({ content }) => content), ...continuations];
            add(role, started, { scorings: 1, estimatedTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0) });
          }
          return found;
        },
      }),
    }),
  };
}

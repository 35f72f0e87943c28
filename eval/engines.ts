/** Opens the model that a run asks for. */

import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { SlmEngine } from "../src/ports.js";
import { nodeLlama } from "../src/slm/engines/node-llama.js";

const MODEL = fileURLToPath(new URL("../models/smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf", import.meta.url));

/** What an engine was asked so far. */
export interface Asked {
  readonly calls: number;
  /** Of answers; scores tell no tokens of their prompts. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly ms: number;
}

/** An engine that counts, by the role that it is asked for. */
export interface CountingEngine {
  readonly engine: SlmEngine;
  /** The engine under a name of its own. */
  as(role: string): SlmEngine;
  readonly asked: ReadonlyMap<string, Asked>;
}

/** @throws RangeError for an engine that cannot be had here */
export async function openEngine(name: string, model = MODEL): Promise<CountingEngine> {
  if (name !== "node-llama") throw new RangeError(`--engine is node-llama, got ${name}`);
  await access(model).catch((cause: unknown) => {
    throw new RangeError(`the model ${model} is not there; run npm run models, or name a GGUF file by --model`, { cause });
  });
  return counting(await nodeLlama({ modelPath: model, contextTokens: 4_096 }).open());
}

/** Scores a text after a prompt once. */
export function counting(engine: SlmEngine): CountingEngine {
  const asked = new Map<string, Asked>();
  const known = new Map<string, ReturnType<NonNullable<SlmEngine["score"]>>>();
  const add = (role: string, started: number, promptTokens = 0, completionTokens = 0): void => {
    const before = asked.get(role) ?? { calls: 0, promptTokens: 0, completionTokens: 0, ms: 0 };
    asked.set(role, {
      calls: before.calls + 1,
      promptTokens: before.promptTokens + promptTokens,
      completionTokens: before.completionTokens + completionTokens,
      ms: before.ms + performance.now() - started,
    });
  };
  return {
    engine,
    asked,
    as: (role) => ({
      id: engine.id,
      capabilities: engine.capabilities,
      close: async () => undefined,
      async complete(messages, options) {
        const started = performance.now();
        const answer = await engine.complete(messages, options);
        add(role, started, answer.promptTokens, answer.completionTokens);
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
          if (isNew) add(role, started);
          return found;
        },
      }),
    }),
  };
}

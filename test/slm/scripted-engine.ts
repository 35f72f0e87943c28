/** An engine that says what a test tells it to: for what does not depend on a model's words. */

import type { CompleteOptions, ContinuationScore, EngineMessage, SlmEngine } from "../../src/ports.js";

export interface ScriptedEngine extends SlmEngine {
  /** What it was asked, in order. */
  readonly asked: { readonly messages: readonly EngineMessage[]; readonly options: CompleteOptions }[];
}

export interface Script {
  /** The answers in order; the last one again and again. */
  readonly answers?: readonly string[];
  readonly score?: (prompt: string, continuation: string) => number;
}

export function scriptedEngine({ answers = [], score }: Script): ScriptedEngine {
  const asked: ScriptedEngine["asked"] = [];
  return {
    id: "scripted/test",
    capabilities: { schema: false, grammar: false, scores: score !== undefined, contextTokens: 4_096, device: "cpu" },
    asked,
    complete: async (messages, options = {}) => {
      options.signal?.throwIfAborted();
      asked.push({ messages, options });
      return { text: answers[Math.min(asked.length, answers.length) - 1] ?? "", finish: "stop" };
    },
    ...(score && {
      score: async (prompt: readonly EngineMessage[], continuations: readonly string[]): Promise<ContinuationScore[]> =>
        continuations.map((text) => ({
          logProbability: score(prompt.map(({ content }) => content).join("\n"), text),
          tokens: 1,
        })),
    }),
    close: async () => undefined,
  };
}

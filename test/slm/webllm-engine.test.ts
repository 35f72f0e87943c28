/** What the engine makes of what WebLLM's runtime answers, where the real one cannot be brought to it. */

import { describe, expect, it } from "vitest";
import { ForcedTokens } from "../../src/slm/engines/forced-tokens.js";
import { WebLlmEngine } from "../../src/slm/engines/webllm-engine.js";
import type { WebLlmRuntime } from "../../src/slm/engines/webllm-peer.js";

interface Reply {
  readonly finish: "stop" | "length" | "abort";
  /** Tokens that the runtime says of those that it was made to say. */
  readonly said: number;
  /** Tokens that it shows the logits of. */
  readonly shown: number;
}

/** An engine over a runtime with one token a character. */
function engineOf({ finish, said, shown }: Reply): WebLlmEngine {
  const forced = new ForcedTokens();
  const create = async () => {
    for (let at = 0; at < shown; at++) forced.processLogits(new Float32Array(128));
    return { choices: [{ finish_reason: finish }], usage: { prompt_tokens: 20, completion_tokens: said } };
  };
  const tokenizer = { encode: (text: string) => Int32Array.from(text, (character) => character.charCodeAt(0)) };
  const runtime = {
    chat: { completions: { create } },
    resetChat: async () => undefined,
    loadedModelIdToPipeline: new Map([["tiny", { tokenizer }]]),
  };
  return new WebLlmEngine({
    runtime: runtime as unknown as WebLlmRuntime,
    model: "tiny",
    forced,
    device: "webgpu",
    contextTokens: 24,
  });
}

const scored = (reply: Reply) => engineOf(reply).score?.([{ role: "user", content: "Hello" }], ["abcdef"]);

describe("a score of WebLLM", () => {
  it("is that of the whole continuation", async () => {
    const [score] = (await scored({ finish: "length", said: 6, shown: 6 })) ?? [];
    expect(score).toEqual({ logProbability: expect.closeTo(6 * Math.log(1 / 128), 6), tokens: 6 });
  });

  it.each([5, 1])("is none where the context was full after %d tokens of it", async (said) => {
    await expect(scored({ finish: "length", said, shown: said })).rejects.toMatchObject({
      code: "too-large",
      details: { promptTokens: 20, continuationTokens: 6, contextTokens: 24 },
    });
  });

  it.each<readonly [string, Reply]>([
    ["was interrupted", { finish: "abort", said: 3, shown: 3 }],
    ["ended by itself", { finish: "stop", said: 0, shown: 0 }],
    ["shows no logits", { finish: "length", said: 6, shown: 0 }],
  ])("is none where the runtime %s", async (_, reply) => {
    await expect(scored(reply)).rejects.toMatchObject({
      code: "model-failed",
      message: expect.stringContaining(`${reply.shown} of 6 tokens`),
    });
  });
});

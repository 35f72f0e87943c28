/** A model run by WebLLM, inside its worker. */

import type {
  CompleteOptions,
  Completion,
  ContinuationScore,
  EngineCapabilities,
  EngineMessage,
  SlmEngine,
} from "../../ports.js";
import { wellFormed } from "./engine-calls.js";
import type { ForcedTokens } from "./forced-tokens.js";
import { serially } from "./serially.js";
import { fromWebLlm, pipelineOf, type WebLlmRuntime } from "./webllm-peer.js";

export interface WebLlmEngineParts {
  readonly runtime: WebLlmRuntime;
  readonly model: string;
  /** The runtime's logit processor, which {@link WebLlmEngine.score} drives. */
  readonly forced: ForcedTokens;
  readonly device: string;
  readonly contextTokens: number;
}

/** How often a generation that nobody waits for is told to stop: an interrupt before its first token is lost. */
const INTERRUPT_MS = 50;
/** Tokens of the answer that measures the speed. */
const TRIAL_TOKENS = 12;
const TRIAL: readonly EngineMessage[] = [{ role: "user", content: "Count from one to ten in words." }];

type Messages = { readonly role: "system" | "user" | "assistant"; readonly content: string }[];

export class WebLlmEngine implements SlmEngine {
  readonly id: string;
  capabilities: EngineCapabilities;
  readonly score?: NonNullable<SlmEngine["score"]>;
  readonly #parts: WebLlmEngineParts;
  readonly #inTurn = serially();

  constructor(parts: WebLlmEngineParts) {
    this.#parts = parts;
    this.id = `webllm/${parts.model}`;
    const encode = pipelineOf(parts.runtime, parts.model)?.tokenizer;
    this.capabilities = {
      // Its grammar of a schema allows white space without end, and a weak model takes it; a grammar of ours does not.
      schema: false,
      grammar: true,
      scores: encode !== undefined,
      contextTokens: parts.contextTokens,
      device: parts.device,
    };
    if (encode)
      this.score = (prompt, continuations, { signal } = {}) =>
        this.#inTurn(signal, () => this.#scoreAll(prompt, continuations, (text) => encode.encode(text), signal));
  }

  /** Answers once, so that the shaders are compiled and the speed is known. */
  async measure(): Promise<void> {
    const started = performance.now();
    let first = 0;
    const onToken = () => {
      first ||= performance.now();
    };
    const { promptTokens = 1, completionTokens = 1 } = await this.complete(TRIAL, { maxTokens: TRIAL_TOKENS, onToken });
    const ended = performance.now();
    const seconds = (ms: number): number => Math.max(ms, 1) / 1_000;
    const tokensPerSecond = {
      prompt: promptTokens / seconds(first - started),
      completion: Math.max(1, completionTokens - 1) / seconds(ended - first),
    };
    this.capabilities = { ...this.capabilities, tokensPerSecond };
  }

  complete(messages: readonly EngineMessage[], options: CompleteOptions = {}): Promise<Completion> {
    return this.#inTurn(options.signal, () => this.#answer(messages, options));
  }

  async close(): Promise<void> {
    await this.#inTurn(undefined, () => this.#parts.runtime.unload()).catch(() => undefined);
  }

  async #answer(
    messages: readonly EngineMessage[],
    { signal, onToken, grammar, maxTokens, temperature = 0, stop, seed }: CompleteOptions,
  ): Promise<Completion> {
    const { runtime, model } = this.#parts;
    let interrupting: ReturnType<typeof setInterval> | undefined;
    const onAbort = () => {
      runtime.interruptGenerate();
      interrupting = setInterval(() => runtime.interruptGenerate(), INTERRUPT_MS);
    };
    try {
      // What is left of the conversation before would change the answer.
      await runtime.resetChat();
      signal?.throwIfAborted();
      signal?.addEventListener("abort", onAbort, { once: true });
      const chunks = await runtime.chat.completions.create({
        messages: forChat(messages),
        stream: true,
        stream_options: { include_usage: true },
        temperature,
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
        ...(stop && stop.length > 0 && { stop: [...stop] }),
        ...(seed !== undefined && { seed }),
        ...(grammar !== undefined && { response_format: { type: "grammar" as const, grammar } }),
      });
      let text = "";
      let finish: Completion["finish"] = "stop";
      let usage: { readonly promptTokens?: number; readonly completionTokens?: number } = {};
      for await (const { choices, usage: counted } of chunks) {
        const piece = choices[0]?.delta.content ?? "";
        text += piece;
        if (piece !== "" && !signal?.aborted) onToken?.(piece);
        if (choices[0]?.finish_reason === "length") finish = "length";
        if (counted) usage = { promptTokens: counted.prompt_tokens, completionTokens: counted.completion_tokens };
      }
      signal?.throwIfAborted();
      return { text, finish, ...usage };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw fromWebLlm(error, `${model} failed to answer`);
    } finally {
      clearInterval(interrupting);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #scoreAll(
    prompt: readonly EngineMessage[],
    continuations: readonly string[],
    encode: (text: string) => Int32Array,
    signal: AbortSignal | undefined,
  ): Promise<readonly ContinuationScore[]> {
    const { runtime, forced, model } = this.#parts;
    const scores: ContinuationScore[] = [];
    for (const continuation of continuations) {
      signal?.throwIfAborted();
      const tokens = encode(continuation);
      if (tokens.length === 0) {
        scores.push({ logProbability: 0, tokens: 1 });
        continue;
      }
      try {
        await runtime.resetChat();
        forced.begin(tokens);
        await runtime.chat.completions.create({
          messages: forChat(prompt),
          max_tokens: tokens.length,
          temperature: 0,
          ignore_eos: true,
        });
        scores.push({ logProbability: forced.logProbability, tokens: Math.max(1, forced.seen) });
      } catch (error) {
        throw fromWebLlm(error, `${model} failed to score`);
      } finally {
        forced.end();
      }
    }
    return scores;
  }
}

/** One system message, first, and at least one of the user, last: the runtime refuses anything else. */
function forChat(messages: readonly EngineMessage[]): Messages {
  // The tokenizer stops at half a surrogate pair.
  const whole = wellFormed(messages);
  const system = whole.filter(({ role }) => role === "system").map(({ content }) => content);
  const others = whole.filter(({ role }) => role !== "system").map(({ role, content }) => ({ role, content }));
  if (others.at(-1)?.role !== "user") others.push({ role: "user", content: "" });
  return system.length > 0 ? [{ role: "system", content: system.join("\n\n") }, ...others] : others;
}

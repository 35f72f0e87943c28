/** A model run by WebLLM, inside its worker. */

import { MemoryError } from "../../errors.js";
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
        this.#inTurn(signal, async () => {
          const scores: ContinuationScore[] = [];
          for (const continuation of continuations)
            scores.push(await this.#score(prompt, continuation, (text) => encode.encode(text), signal));
          return scores;
        });
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
    let settle = (): void => undefined;
    try {
      // What is left of the conversation before would change the answer.
      await runtime.resetChat();
      settle = this.#interruptOn(signal);
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
      settle();
    }
  }

  async #score(
    prompt: readonly EngineMessage[],
    continuation: string,
    encode: (text: string) => Int32Array,
    signal: AbortSignal | undefined,
  ): Promise<ContinuationScore> {
    const { runtime, forced, model, contextTokens } = this.#parts;
    let settle = (): void => undefined;
    try {
      const tokens = encode(continuation);
      if (tokens.length > contextTokens) throw this.#tooLarge(tokens.length);
      await runtime.resetChat();
      settle = this.#interruptOn(signal);
      if (tokens.length === 0) return { logProbability: 0, tokens: 1 };
      forced.begin(tokens);
      const { choices, usage } = await runtime.chat.completions.create({
        messages: forChat(prompt),
        max_tokens: tokens.length,
        temperature: 0,
        ignore_eos: true,
      });
      signal?.throwIfAborted();
      // The probability of a part is larger than that of the whole, and that of nothing the largest there is.
      if (forced.seen === tokens.length) return { logProbability: forced.logProbability, tokens: tokens.length };
      const said = usage?.completion_tokens ?? tokens.length;
      if (choices[0]?.finish_reason === "length" && said < tokens.length)
        throw this.#tooLarge(tokens.length, usage?.prompt_tokens);
      throw new MemoryError("model-failed", `${model} told the probability of ${forced.seen} of ${tokens.length} tokens`);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof MemoryError ? error : fromWebLlm(error, `${model} failed to score`);
    } finally {
      forced.end();
      settle();
    }
  }

  /** From an abort on the runtime is told to stop, until it has.
   * @returns ends that
   * @throws the signal's reason */
  #interruptOn(signal: AbortSignal | undefined): () => void {
    const { runtime } = this.#parts;
    signal?.throwIfAborted();
    let interrupting: ReturnType<typeof setInterval> | undefined;
    const onAbort = () => {
      runtime.interruptGenerate();
      interrupting = setInterval(() => runtime.interruptGenerate(), INTERRUPT_MS);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    return () => {
      clearInterval(interrupting);
      signal?.removeEventListener("abort", onAbort);
    };
  }

  #tooLarge(continuationTokens: number, promptTokens?: number): MemoryError {
    const { model, contextTokens } = this.#parts;
    return new MemoryError(
      "too-large",
      `${model} failed to score: the prompt and a continuation of ${continuationTokens} tokens do not fit its context of ${contextTokens}`,
      { details: { ...(promptTokens !== undefined && { promptTokens }), continuationTokens, contextTokens } },
    );
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

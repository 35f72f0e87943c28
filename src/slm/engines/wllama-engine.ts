/** A model run by llama.cpp in the browser, inside its worker. */

import { MemoryError } from "../../errors.js";
import type {
  CallOptions,
  CompleteOptions,
  Completion,
  ContinuationScore,
  EngineCapabilities,
  EngineMessage,
  SlmEngine,
} from "../../ports.js";
import { checkPrompt, wellFormed } from "./engine-calls.js";
import { serially } from "./serially.js";
import { type ChatRequest, fromWllama, type TokenLogprob, type Wllama } from "./wllama-peer.js";
import { WllamaTokens } from "./wllama-tokens.js";

export interface WllamaEngineParts {
  readonly runtime: Wllama;
  /** Names the file of the weights. */
  readonly model: string;
  readonly device: string;
  readonly contextTokens: number;
}

/** Tokens of the answer that measures the speed. */
const TRIAL_TOKENS = 8;
const TRIAL: readonly EngineMessage[] = [{ role: "user", content: "Count from one to ten in words." }];

export class WllamaEngine implements SlmEngine {
  readonly id: string;
  capabilities: EngineCapabilities;
  readonly #runtime: Wllama;
  readonly #model: string;
  readonly #tokens: WllamaTokens;
  readonly #inTurn = serially();

  constructor({ runtime, model, device, contextTokens }: WllamaEngineParts) {
    this.#runtime = runtime;
    this.#model = model;
    this.#tokens = new WllamaTokens(runtime);
    this.id = `wllama/${model}`;
    this.capabilities = { schema: true, grammar: true, scores: true, contextTokens, device };
  }

  /** Answers once, to know the speed. */
  async measure(signal: AbortSignal | undefined): Promise<void> {
    const { timings } = await this.#inTurn(signal, () => this.#answer(TRIAL, { maxTokens: TRIAL_TOKENS, signal }));
    if (!timings) return;
    const tokensPerSecond = { prompt: timings.prompt_per_second, completion: timings.predicted_per_second };
    this.capabilities = { ...this.capabilities, tokensPerSecond };
  }

  async complete(messages: readonly EngineMessage[], options: CompleteOptions = {}): Promise<Completion> {
    checkPrompt(messages, options);
    return (await this.#inTurn(options.signal, () => this.#answer(wellFormed(messages), options))).completion;
  }

  async score(
    prompt: readonly EngineMessage[],
    continuations: readonly string[],
    { signal }: CallOptions = {},
  ): Promise<readonly ContinuationScore[]> {
    checkPrompt(prompt);
    return this.#inTurn(signal, async () => {
      const scores: ContinuationScore[] = [];
      for (const continuation of continuations) scores.push(await this.#score(wellFormed(prompt), continuation, signal));
      return scores;
    });
  }

  async close(): Promise<void> {
    await this.#runtime.exit();
  }

  async #answer(
    messages: readonly EngineMessage[],
    { signal, onToken, schema, grammar, maxTokens, temperature = 0, stop, seed }: CompleteOptions,
  ) {
    const request: ChatRequest & { readonly stream: true } = {
      messages: [...messages],
      stream: true,
      temperature,
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      ...(stop && stop.length > 0 && { stop }),
      ...(seed !== undefined && { seed }),
      ...(signal && { abortSignal: signal }),
      ...(grammar !== undefined
        ? { grammar }
        : schema && { response_format: { type: "json_schema" as const, json_schema: { name: "answer", schema, strict: true } } }),
    };
    let text = "";
    let finish: Completion["finish"] = "stop";
    let timings: Timings | undefined;
    try {
      signal?.throwIfAborted();
      for await (const chunk of await this.#runtime.createChatCompletion(request)) {
        const [choice] = chunk.choices;
        const piece = choice?.delta.content ?? "";
        text += piece;
        if (piece !== "" && !signal?.aborted) onToken?.(piece);
        if (choice?.finish_reason === "length") finish = "length";
        timings = chunk.timings ?? timings;
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : fromWllama(error, `${this.#model} failed to answer`);
    }
    signal?.throwIfAborted();
    const counted = timings && {
      promptTokens: (timings.cache_n ?? 0) + timings.prompt_n,
      completionTokens: timings.predicted_n,
    };
    return { completion: { text, finish, ...counted }, timings };
  }

  /** The model is made to say the tokens of the continuation, and tells how likely it found each. */
  async #score(
    prompt: readonly EngineMessage[],
    continuation: string,
    signal: AbortSignal | undefined,
  ): Promise<ContinuationScore> {
    if (continuation === "") return { logProbability: 0, tokens: 1 };
    try {
      signal?.throwIfAborted();
      const ids = await this.#tokens.of(continuation, signal);
      const { choices } = await this.#runtime.createChatCompletion({
        messages: [...prompt],
        stream: false,
        temperature: 0,
        max_tokens: ids.length,
        grammar: `root ::= ${ids.map((id) => `<[${id}]>`).join(" ")}`,
        logprobs: true,
        top_logprobs: 1,
        ...(signal && { abortSignal: signal }),
      });
      const said = (choices[0]?.logprobs?.content ?? []) as readonly TokenLogprob[];
      if (said.length < ids.length && choices[0]?.finish_reason === "length")
        throw new MemoryError(
          "too-large",
          `${this.#model} failed to score: the prompt and a continuation of ${ids.length} tokens do not fit its context`,
          { details: { continuationTokens: ids.length, contextTokens: this.capabilities.contextTokens } },
        );
      if (said.length !== ids.length)
        throw new MemoryError("model-failed", `${this.#model} told ${said.length} probabilities of ${ids.length} tokens`);
      const sum = said.reduce((total, { logprob }) => total + logprob, 0);
      return { logProbability: Math.min(0, sum), tokens: ids.length };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof MemoryError ? error : fromWllama(error, `${this.#model} failed to score`);
    }
  }
}

interface Timings {
  readonly cache_n?: number;
  readonly prompt_n: number;
  readonly predicted_n: number;
  readonly prompt_per_second: number;
  readonly predicted_per_second: number;
}

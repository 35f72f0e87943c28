/** One model of llama.cpp in Node: answers and scores, token by token. */

import type * as Llama from "node-llama-cpp";
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
import { AnswerText } from "./answer-text.js";
import { checkPrompt, EngineCalls, wellFormed } from "./engine-calls.js";
import { chatWrapperOf, type LlamaPeer, promptTokens } from "./llama-prompt.js";
import { LlamaState } from "./llama-state.js";

export interface LlamaEngineParts {
  readonly peer: LlamaPeer;
  /** The engine's own: they end with it. */
  readonly llama: Llama.Llama;
  readonly model: Llama.LlamaModel;
  readonly context: Llama.LlamaContext;
  readonly id: string;
  readonly timeoutMs: number | undefined;
}

/** What the peer's grammar of a JSON schema ends with. */
const SCHEMA_END = "\n\n\n\n";
/** Tokens that the text of the next one may depend on. */
const RECENT = 8;
/** Tokens that the last bytes of a character may be waited for. */
const LONGEST_CHARACTER = 8;
/** The smallest probability: one that is too small for the peer's floats is still no impossibility. */
const LEAST = 1e-12;
/** What the speed is measured with, in tokens. */
const TRIAL = { text: "A long walk by the river clears the mind. ".repeat(8), completion: 8 };

export class LlamaEngine implements SlmEngine {
  readonly id: string;
  capabilities: EngineCapabilities;
  readonly #parts: LlamaEngineParts;
  readonly #chat: Llama.ChatWrapper;
  readonly #state: LlamaState;
  readonly #calls: EngineCalls;
  #closing: Promise<void> | undefined;

  constructor(parts: LlamaEngineParts) {
    const { peer, llama, model, context, id, timeoutMs } = parts;
    this.#parts = parts;
    this.id = id;
    this.#chat = chatWrapperOf(peer, model);
    this.#state = new LlamaState(context.getSequence(), () => new peer.TokenBias(model.tokenizer));
    this.#calls = new EngineCalls({ id, timeoutMs, exclusive: true });
    const device = llama.gpu === false ? "cpu" : llama.gpu;
    this.capabilities = { schema: true, grammar: true, scores: true, contextTokens: context.contextSize, device };
  }

  /** Reads and writes a little, so that the speed is known.
   * @throws the signal's reason */
  async measure(signal: AbortSignal): Promise<void> {
    const tokens = this.#parts.model.tokenize(TRIAL.text);
    const started = performance.now();
    await this.#state.read(tokens, signal);
    const read = performance.now();
    let written = 0;
    for await (const _ of this.#state.write({ temperature: 0 })) if (++written >= TRIAL.completion) break;
    const rate = (count: number, ms: number): number => (count * 1_000) / Math.max(ms, 1);
    const tokensPerSecond = {
      prompt: rate(tokens.length, read - started),
      completion: rate(Math.max(1, written), performance.now() - read),
    };
    this.capabilities = { ...this.capabilities, tokensPerSecond };
  }

  async complete(messages: readonly EngineMessage[], options: CompleteOptions = {}): Promise<Completion> {
    checkPrompt(messages, options);
    return this.#call(options.signal, async (signal) => {
      const prompt = this.#prompt(messages);
      const most = Math.min(options.maxTokens ?? Number.POSITIVE_INFINITY, this.#room(prompt.length));
      const grammar = await this.#grammar(options);
      const isSchema = grammar !== undefined && options.grammar === undefined;
      const answer = new AnswerText([...(options.stop ?? []), ...(isSchema ? [SCHEMA_END] : [])], options.onToken);
      await this.#state.read(prompt, signal);
      const { count, finish } = await this.#write(prompt, answer, most, signal, {
        temperature: options.temperature ?? 0,
        ...(options.seed !== undefined && { seed: options.seed }),
        ...(grammar && { grammarEvaluationState: grammar }),
      });
      return { text: answer.end(), finish, promptTokens: prompt.length, completionTokens: count };
    });
  }

  async score(
    prompt: readonly EngineMessage[],
    continuations: readonly string[],
    { signal }: CallOptions = {},
  ): Promise<readonly ContinuationScore[]> {
    checkPrompt(prompt);
    return this.#call(signal, async (until) => {
      const before = this.#prompt(prompt);
      const scores: ContinuationScore[] = [];
      for (const continuation of continuations) {
        const tokens = this.#parts.model.tokenize(continuation, false, "trimLeadingSpace");
        this.#room(before.length + tokens.length - 1);
        await this.#state.read(before, until);
        let logProbability = 0;
        for (const probability of await this.#state.probabilities(tokens, until))
          logProbability += Math.log(Math.min(1, Math.max(LEAST, probability)));
        scores.push({ logProbability, tokens: Math.max(1, tokens.length) });
      }
      return scores;
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#calls.close().then(() => this.#parts.llama.dispose());
    return this.#closing;
  }

  async #write(
    prompt: readonly Llama.Token[],
    answer: AnswerText,
    most: number,
    signal: AbortSignal,
    how: Llama.SequenceEvaluateOptions,
  ): Promise<{ readonly count: number; readonly finish: Completion["finish"] }> {
    let recent = prompt.slice(-RECENT);
    let pending: Llama.Token[] = [];
    let count = 0;
    const spell = (isLast: boolean): void => {
      const piece = this.#parts.model.detokenize(pending, false, recent);
      if (!isLast && piece.endsWith("\uFFFD") && pending.length < LONGEST_CHARACTER) return;
      answer.add(piece);
      recent = [...recent, ...pending].slice(-RECENT);
      pending = [];
    };
    for await (const token of this.#state.write(how)) {
      signal.throwIfAborted();
      count++;
      pending.push(token);
      spell(count >= most);
      if (answer.stopped) return { count, finish: "stop" };
      if (count >= most) return { count, finish: "length" };
    }
    spell(true);
    return { count, finish: "stop" };
  }

  /** @throws MemoryError "model-failed" for what the peer throws */
  #call<T>(signal: AbortSignal | undefined, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#calls.run(signal, async (until) => {
      try {
        return await task(until);
      } catch (error) {
        until.throwIfAborted();
        if (error instanceof MemoryError) throw error;
        const message = error instanceof Error ? error.message : String(error);
        throw new MemoryError("model-failed", `the engine ${this.id} failed: ${message}`, { cause: error });
      }
    });
  }

  #prompt(messages: readonly EngineMessage[]): Llama.Token[] {
    return promptTokens(this.#chat, this.#parts.model, wellFormed(messages));
  }

  /** @returns tokens that are left for an answer, 1 or more */
  #room(tokens: number): number {
    const { contextTokens } = this.capabilities;
    if (tokens < contextTokens) return contextTokens - tokens;
    throw new MemoryError(
      "too-large",
      `the prompt has ${tokens} tokens and the context of ${this.id} holds ${contextTokens}: shorten it`,
      { details: { promptTokens: tokens, contextTokens } },
    );
  }

  async #grammar({ grammar, schema }: CompleteOptions): Promise<Llama.LlamaGrammarEvaluationState | undefined> {
    if (grammar === undefined && schema === undefined) return undefined;
    const { peer, llama, model } = this.#parts;
    const made =
      grammar === undefined
        ? // The peer checks what it gets; its own type of a schema cannot be written down for one that comes as data.
          await llama.createGrammarForJsonSchema(schema as Parameters<Llama.Llama["createGrammarForJsonSchema"]>[0])
        : await llama.createGrammar({ grammar });
    return new peer.LlamaGrammarEvaluationState({ model, grammar: made });
  }
}

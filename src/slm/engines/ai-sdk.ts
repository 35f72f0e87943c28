/** `keepsake/ai-sdk-model`: any language model of the AI SDK (versions 5 to 7), as its providers make them. */

import { MemoryError } from "../../errors.js";
import type { CompleteOptions, Completion, EngineCapabilities, EngineMessage, SlmEngine, SlmProvider } from "../../ports.js";
import { finishOf, messageOf, promptOf, statusOf, textOf, usageOf } from "./ai-sdk-forms.js";
import { AnswerText } from "./answer-text.js";
import { checkPrompt, checkTimeout, EngineCalls, wellFormed } from "./engine-calls.js";
import { remoteFailure } from "./remote-failure.js";

/** What is used of a model: the same in LanguageModelV2, V3 and V4. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<object>;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream }>;
}

export interface AiSdkOptions {
  /** As a provider makes it: `ollama("llama3.2")`, `openai("gpt-5-mini")`. What the roles ask is sent to that provider: parts of the
   * conversation and of what is remembered. */
  readonly model: AiSdkLanguageModel;
  /** Tokens of prompt and answer together; 8,192 by default. */
  readonly contextTokens?: number;
  /** Whether the provider holds answers to a JSON schema; true by default. Otherwise it is asked for in words. */
  readonly schema?: boolean;
  /** Milliseconds that one call may take; 120,000 by default. */
  readonly timeoutMs?: number;
}

/** Names the model for `openMemory({ slm })`; nothing is sent before a role asks.
 *
 * Calls reject with MemoryError "too-large" where the provider says that the context is exceeded, "timeout", or "model-failed" with
 * `details.status` (HTTP) and `details.retryAfterMs`, where the provider tells them. */
export function aiSdk(options: AiSdkOptions): SlmProvider {
  const { model, contextTokens = 8_192, timeoutMs } = options;
  if (typeof model !== "object" || typeof model?.doGenerate !== "function" || typeof model.doStream !== "function")
    throw new TypeError("model is a language model as a provider of the AI SDK makes it, not its name");
  if (!(contextTokens >= 256)) throw new RangeError(`contextTokens is 256 or more, got ${contextTokens}`);
  checkTimeout(timeoutMs);
  return {
    async open({ signal } = {}): Promise<SlmEngine> {
      signal?.throwIfAborted();
      return new AiSdkEngine({ ...options, contextTokens });
    },
  };
}

/** The part of the call options that is the same in all versions. */
interface Call {
  readonly prompt: ReturnType<typeof promptOf>;
  readonly abortSignal: AbortSignal;
  readonly temperature: number;
  readonly maxOutputTokens?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly responseFormat?: { readonly type: "json"; readonly schema: Readonly<Record<string, unknown>>; readonly name: string };
}

class AiSdkEngine implements SlmEngine {
  readonly id: string;
  readonly capabilities: EngineCapabilities;
  readonly #model: AiSdkLanguageModel;
  readonly #calls: EngineCalls;

  constructor({ model, contextTokens, schema = true, timeoutMs }: AiSdkOptions & { readonly contextTokens: number }) {
    this.#model = model;
    this.id = `ai-sdk/${model.provider}/${model.modelId}`;
    this.capabilities = { schema, grammar: false, scores: false, contextTokens, device: "remote" };
    this.#calls = new EngineCalls({ id: this.id, timeoutMs, exclusive: false });
  }

  async complete(messages: readonly EngineMessage[], options: CompleteOptions = {}): Promise<Completion> {
    checkPrompt(messages, options);
    return this.#calls.run(options.signal, async (signal) => {
      const call = this.#callOf(wellFormed(messages), options, signal);
      const answer = new AnswerText(options.stop, (piece) => {
        if (!signal.aborted) options.onToken?.(piece);
      });
      try {
        return await (options.onToken ? this.#stream(call, answer) : this.#generate(call, answer));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof MemoryError) throw error;
        throw remoteFailure(this.id, { ...statusOf(error), message: messageOf(error), cause: error });
      }
    });
  }

  close(): Promise<void> {
    return this.#calls.close();
  }

  #callOf(
    messages: readonly EngineMessage[],
    { maxTokens, temperature = 0, stop, seed, schema }: CompleteOptions,
    abortSignal: AbortSignal,
  ): Call {
    return {
      prompt: promptOf(messages),
      abortSignal,
      temperature,
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(stop && stop.length > 0 && { stopSequences: [...stop] }),
      ...(seed !== undefined && { seed }),
      ...(schema && this.capabilities.schema && { responseFormat: { type: "json", schema, name: "answer" } }),
    };
  }

  async #generate(call: Call, answer: AnswerText): Promise<Completion> {
    const result = await this.#model.doGenerate(call as never);
    call.abortSignal.throwIfAborted();
    answer.add(textOf(result));
    return this.#completion(answer, result);
  }

  async #stream(call: Call, answer: AnswerText): Promise<Completion> {
    const { stream } = await this.#model.doStream(call as never);
    const reader: ReadableStreamDefaultReader<unknown> = stream.getReader();
    let last: object | undefined;
    try {
      while (!answer.stopped) {
        const { done, value } = await reader.read();
        call.abortSignal.throwIfAborted();
        if (done) break;
        if (typeof value !== "object" || value === null || !("type" in value)) continue;
        if (value.type === "error") throw "error" in value ? value.error : value;
        if (value.type === "text-delta") answer.add(textOf(value));
        if (value.type === "finish") last = value;
      }
    } finally {
      // A provider that fails to cancel has nothing more to say.
      reader.cancel().catch(() => undefined);
    }
    return this.#completion(answer, last);
  }

  /** @param told the result, or the last part of a stream; without one the answer ended before its end
   * @throws MemoryError "model-failed" where the provider refused or broke off */
  #completion(answer: AnswerText, told: object | undefined): Completion {
    const reason = finishOf(told);
    if (reason === "content-filter" || reason === "error")
      throw new MemoryError("model-failed", `${this.id} gave no answer: it ended with "${reason}"`);
    const isCut = reason === "length" || reason === "interrupted" || reason === undefined;
    return { text: answer.end(), finish: isCut && !answer.stopped ? "length" : "stop", ...usageOf(told) };
  }
}

/** A model behind an endpoint of OpenAI's form, asked through OpenAI's client. */

import type { OpenAI } from "openai";
import { MemoryError } from "../../errors.js";
import type { CompleteOptions, Completion, EngineCapabilities, EngineMessage, SlmEngine } from "../../ports.js";
import { AnswerText } from "./answer-text.js";
import { checkPrompt, EngineCalls, wellFormed } from "./engine-calls.js";
import { remoteFailure } from "./remote-failure.js";
import { isStrict } from "./strict-schema.js";

export interface OpenAiEngineParts {
  readonly peer: typeof OpenAI;
  readonly client: OpenAI;
  readonly model: string;
  readonly id: string;
  readonly contextTokens: number;
  readonly schema: boolean;
  readonly timeoutMs: number | undefined;
}

type Body = OpenAI.ChatCompletionCreateParamsStreaming;

/** What some servers refuse, by what they then say; each is given up once and not sent again. */
const CONCESSIONS: readonly (readonly [keyof Body, RegExp])[] = [
  ["max_tokens", /max_completion_tokens/i],
  ["stream_options", /stream_options|include_usage/i],
  ["temperature", /temperature/i],
  ["seed", /\bseed\b/i],
  ["stop", /\bstop\b/i],
];
const ABOUT_SCHEMA = /response_format|json_schema|schema|structured|guided|grammar/i;
/** As many as OpenAI takes; the others are watched for here. */
const MAX_STOPS = 4;

export class OpenAiEngine implements SlmEngine {
  readonly id: string;
  capabilities: EngineCapabilities;
  readonly #parts: OpenAiEngineParts;
  readonly #calls: EngineCalls;
  readonly #conceded = new Set<keyof Body>();
  /** Schemas that the server did not take, as text. */
  readonly #refused = new Set<string>();
  #hasTakenSchema = false;

  constructor(parts: OpenAiEngineParts) {
    const { id, contextTokens, schema, timeoutMs } = parts;
    this.#parts = parts;
    this.id = id;
    this.capabilities = { schema, grammar: false, scores: false, contextTokens, device: "remote" };
    this.#calls = new EngineCalls({ id, timeoutMs, exclusive: false });
  }

  async complete(messages: readonly EngineMessage[], options: CompleteOptions = {}): Promise<Completion> {
    checkPrompt(messages, options);
    return this.#calls.run(options.signal, async (signal) => {
      for (;;) {
        const body = this.#body(wellFormed(messages), options);
        try {
          const answer = await this.#answer(body, options, signal);
          this.#hasTakenSchema ||= body.response_format !== undefined;
          return answer;
        } catch (error) {
          signal.throwIfAborted();
          if (!this.#concedes(error, body)) throw this.#failure(error);
        }
      }
    });
  }

  close(): Promise<void> {
    return this.#calls.close();
  }

  #body(messages: EngineMessage[], { maxTokens, temperature = 0, stop = [], seed, schema }: CompleteOptions): Body {
    const asked = schema && this.capabilities.schema && !this.#refused.has(JSON.stringify(schema)) ? schema : undefined;
    const body: Body = {
      model: this.#parts.model,
      messages,
      temperature,
      stream: true,
      stream_options: { include_usage: true },
      ...(stop.length > 0 && { stop: stop.slice(0, MAX_STOPS) }),
      ...(seed !== undefined && { seed }),
      ...(asked && {
        response_format: {
          type: "json_schema",
          json_schema: { name: "answer", schema: { ...asked }, ...(isStrict(asked) && { strict: true }) },
        },
      }),
      ...(maxTokens !== undefined &&
        (this.#conceded.has("max_tokens") ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens })),
    };
    for (const field of this.#conceded) delete body[field];
    return body;
  }

  async #answer(body: Body, { stop, onToken }: CompleteOptions, signal: AbortSignal): Promise<Completion> {
    const answer = new AnswerText(stop, (piece) => {
      if (!signal.aborted) onToken?.(piece);
    });
    // Without a reason the answer ended before its end.
    let finish: Completion["finish"] = "length";
    let usage: OpenAI.CompletionUsage | undefined;
    let hasAnswer = false;
    const chunks = await this.#parts.client.chat.completions.create(body, { signal });
    for await (const { choices, usage: counted } of chunks) {
      const [choice] = choices ?? [];
      hasAnswer ||= choice !== undefined;
      answer.add(choice?.delta?.content ?? "");
      if (choice?.finish_reason === "content_filter")
        throw new MemoryError("model-failed", `${this.id} refused to answer: its content filter stopped it`);
      if (choice?.finish_reason && choice.finish_reason !== "length") finish = "stop";
      if (counted) usage = counted;
      if (answer.stopped) break;
    }
    signal.throwIfAborted();
    if (!hasAnswer) throw new MemoryError("model-failed", `${this.id} sent no answer: check that baseURL is that of its API`);
    return {
      text: answer.end(),
      finish: answer.stopped ? "stop" : finish,
      ...(usage && { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens }),
    };
  }

  /** Whether the server may answer when it is asked for less. */
  #concedes(error: unknown, body: Body): boolean {
    const { APIError } = this.#parts.peer;
    if (!(error instanceof APIError) || !(error.status === 400 || error.status === 422 || error.status === 501)) return false;
    const said = error.param ?? error.message;
    const field = CONCESSIONS.find(([name, words]) => body[name] !== undefined && words.test(said))?.[0];
    if (field) this.#conceded.add(field);
    else if (body.response_format?.type === "json_schema" && ABOUT_SCHEMA.test(said))
      this.#refuse(body.response_format.json_schema.schema);
    else return false;
    return true;
  }

  #refuse(schema: unknown): void {
    this.#refused.add(JSON.stringify(schema));
    if (!this.#hasTakenSchema) this.capabilities = { ...this.capabilities, schema: false };
  }

  #failure(error: unknown): unknown {
    const { APIError, APIConnectionError } = this.#parts.peer;
    if (error instanceof MemoryError) return error;
    if (!(error instanceof APIError)) return remoteFailure(this.id, { message: messageOf(error), cause: error });
    const { status, code, type, headers } = error;
    return remoteFailure(this.id, {
      status: status ?? statusOf(code),
      isUnreachable: error instanceof APIConnectionError,
      message: messageOf(error.cause ?? error),
      kind: `${code ?? ""} ${type ?? ""}`,
      retryAfter: headers?.get("retry-after"),
      cause: error,
    });
  }
}

/** Errors that come in a stream tell the status as their code. */
function statusOf(code: unknown): number | undefined {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

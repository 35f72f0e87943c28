/** Asks a model for a value of a schema: by grammar or schema where the engine can, else by words; read, mended, and asked once more
 * with the error when it does not fit. */

import type { GenericSchema, InferOutput } from "valibot";
import type { CallOptions, EngineMessage, SlmEngine } from "../../ports.js";
import type { StructuredCounts } from "../../types.js";
import { PromptEcho } from "./echo.js";
import { grammarOf, jsonSchemaOf } from "./json-schema.js";
import { type Parsed, parseAnswer } from "./parse.js";
import { promptRoom } from "./room.js";

export interface StructuredRequest<TSchema extends GenericSchema> extends CallOptions {
  readonly messages: readonly EngineMessage[];
  /** An object. */
  readonly schema: TSchema;
  /** What is asked for, where less is accepted; `schema` by default. */
  readonly asks?: GenericSchema;
  /** Tokens of the answer at most. */
  readonly maxTokens: number;
  readonly onToken?: (piece: string) => void;
}

/** How much of a wrong answer the second try shows. */
const SHOWN = 1_000;

/** One model and the account of its answers. */
export class StructuredAsker {
  readonly #engine: SlmEngine;
  readonly #counts = { asked: 0, parsed: 0, repaired: 0, cut: 0, retried: 0, failed: 0 };

  constructor(engine: SlmEngine) {
    this.#engine = engine;
  }

  get counts(): StructuredCounts {
    return { ...this.#counts };
  }

  /** Estimated tokens that a prompt may have, so that an answer still fits into the context. */
  room(maxTokens: number): number {
    return promptRoom(this.#engine, maxTokens);
  }

  /** What the model says again of the messages is not read as its answer.
   * @throws what the engine throws; an answer that cannot be read is returned as such */
  async ask<TSchema extends GenericSchema>(request: StructuredRequest<TSchema>): Promise<Parsed<InferOutput<TSchema>>> {
    let outcome: Exclude<keyof StructuredCounts, "asked"> = "failed";
    let isWanted = true;
    try {
      const echo = new PromptEcho(request.messages);
      const first = await this.#answer(request, request.messages, echo);
      if (first.ok) {
        outcome = first.how;
        return first;
      }
      const second = await this.#answer(
        request,
        [
          ...request.messages,
          { role: "assistant", content: first.raw.slice(0, SHOWN) },
          { role: "user", content: `That cannot be used (${first.reason}). Answer again, with the JSON object alone.` },
        ],
        echo,
      );
      if (second.ok) outcome = "retried";
      return second;
    } catch (error) {
      // A caller who gave up says nothing of the model.
      isWanted = !request.signal?.aborted;
      throw error;
    } finally {
      if (isWanted) {
        this.#counts.asked++;
        this.#counts[outcome]++;
      }
    }
  }

  async #answer<TSchema extends GenericSchema>(
    { schema, asks = schema, maxTokens, signal, onToken }: StructuredRequest<TSchema>,
    messages: readonly EngineMessage[],
    echo: PromptEcho,
  ): Promise<Parsed<InferOutput<TSchema>>> {
    const { capabilities } = this.#engine;
    const { text } = await this.#engine.complete(messages, {
      maxTokens,
      temperature: 0,
      ...(capabilities.grammar && { grammar: grammarOf(asks) }),
      ...(capabilities.schema && !capabilities.grammar && { schema: jsonSchemaOf(asks) }),
      ...(signal && { signal }),
      ...(onToken && { onToken }),
    });
    return parseAnswer(text, schema, { echo });
  }
}

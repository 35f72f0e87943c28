/** `keepsake/openai-compatible`: a model behind an HTTP endpoint of OpenAI's form (Ollama, llama.cpp, vLLM, LM Studio, hosted ones),
 * through the package `openai`, an optional peer. */

import type { OpenAI } from "openai";
import { MemoryError } from "../../errors.js";
import type { SlmEngine, SlmProvider } from "../../ports.js";
import { checkTimeout } from "./engine-calls.js";
import { DEFAULT_CONTEXT, engineOf, urlOf } from "./openai-client.js";

export interface OpenAiCompatibleOptions {
  /** Where the endpoint begins, such as "http://localhost:11434/v1". What the roles ask is sent there: parts of the conversation and
   * of what is remembered. */
  readonly baseURL: string | URL;
  /** The server's name of the model. */
  readonly model: string;
  /** Whoever uses a page can read its key: give a page one of the person's own, or send through your server. None by default. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Tokens of prompt and answer together, as the server is set up; 4,096 by default, which is Ollama's default. */
  readonly contextTokens?: number;
  /** Whether the server holds answers to a JSON schema (`response_format`); true by default. Without it the schema is asked for in
   * words. A schema that the server refuses is left out by itself. */
  readonly schema?: boolean;
  /** Milliseconds that one call may take; 120,000 by default. */
  readonly timeoutMs?: number;
}

/** Names the model for `openMemory({ slm })`; nothing is sent before a role asks.
 *
 * `open` rejects with MemoryError "peer-missing" without `openai`, or the signal's reason. Calls reject with MemoryError
 * "too-large" where the server says that the context is exceeded, "timeout", or "model-failed" with `details.status` (HTTP) and
 * `details.retryAfterMs`, where the server gives them. */
export function openaiCompatible(options: OpenAiCompatibleOptions): SlmProvider {
  const { model, contextTokens = DEFAULT_CONTEXT, timeoutMs } = options;
  urlOf(options.baseURL);
  if (typeof model !== "string" || model === "") throw new TypeError("model is the server's name of a model");
  if (!(contextTokens >= 256)) throw new RangeError(`contextTokens is 256 or more, got ${contextTokens}`);
  checkTimeout(timeoutMs);
  return {
    async open({ signal } = {}): Promise<SlmEngine> {
      signal?.throwIfAborted();
      const peer = await importPeer();
      signal?.throwIfAborted();
      return engineOf(peer, options);
    },
  };
}

async function importPeer(): Promise<typeof OpenAI> {
  try {
    return (await import("openai")).OpenAI;
  } catch (cause) {
    throw new MemoryError("peer-missing", "openaiCompatible() needs the package openai: npm install openai", { cause });
  }
}

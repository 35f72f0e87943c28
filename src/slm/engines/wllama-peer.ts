/** What of `@wllama/wllama` is used, and its errors as ours. */

import type * as WllamaPackage from "@wllama/wllama";
import { MemoryError } from "../../errors.js";

export type WllamaPeer = Pick<typeof WllamaPackage, "Wllama">;
export type Wllama = WllamaPackage.Wllama;

/** What an answer is asked with. Words to stop at reach llama.cpp, though the package's types do not name them. */
export type ChatRequest = WllamaPackage.ChatCompletionParams & { readonly stop?: readonly string[] };

/** How likely a token was; llama.cpp tells its number too. */
export interface TokenLogprob {
  readonly id?: number;
  readonly token: string;
  readonly logprob: number;
  readonly bytes?: readonly number[] | null;
}

const said = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));
const nameOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";

/** Errors after which its own worker cannot be used any longer. */
const FATAL = /RuntimeError|unreachable|out of bounds|memory access|Aborted|unloaded|not loaded|not initialized|call_indirect/i;

/** @param doing what was tried, for the message */
export function fromWllama(error: unknown, doing: string): MemoryError {
  const text = `${nameOf(error)} ${said(error)}`;
  if (/exceed\w* the (?:available )?context|context size|kv_cache_full|too large to process/i.test(text))
    return new MemoryError("too-large", `${doing}: the prompt is longer than the model's context`, { cause: error });
  // Of a token that is part of a character no probability can be told: the runtime cannot write it into its answer, and goes on.
  if (/Invalid typed array length/i.test(text))
    return new MemoryError("model-failed", `${doing}: the runtime could not tell its result`, { cause: error });
  if (FATAL.test(text))
    return new MemoryError("worker-failed", `${doing}: the runtime gave up (${said(error)})`, { cause: error });
  return new MemoryError("model-failed", `${doing}: ${said(error)}`, { cause: error });
}

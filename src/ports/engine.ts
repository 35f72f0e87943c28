/** Small language models in any engine. */

import type { CallOptions } from "./platform.js";

export interface EngineMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface CompleteOptions extends CallOptions {
  /** JSON schema of the answer. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly maxTokens?: number;
  readonly temperature?: number;
}

/** A small language model in any engine. */
export interface SlmEngine {
  readonly id: string;
  complete(
    messages: readonly EngineMessage[],
    options?: CompleteOptions,
  ): Promise<{ readonly text: string; readonly finish: "stop" | "length" }>;
  close(): Promise<void>;
}

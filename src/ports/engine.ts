/** Small language models in any engine. */

import type { LoadOptions } from "./embedding.js";
import type { CallOptions } from "./platform.js";

export interface EngineMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface CompleteOptions extends CallOptions {
  /** JSON schema (draft 7) of the answer, for engines whose `capabilities.schema` is true; others ignore it. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The same as a grammar in GBNF, without free white space; engines with `capabilities.grammar` prefer it to the schema. */
  readonly grammar?: string;
  /** Tokens of the answer at most, 1 or more; the engine's own limit by default. */
  readonly maxTokens?: number;
  /** 0 to 2; 0 by default, so that the same prompt gives the same answer. */
  readonly temperature?: number;
  /** The answer ends before the first of these. */
  readonly stop?: readonly string[];
  /** Seeds sampling where the engine can. */
  readonly seed?: number;
  /** Told every piece of the answer as it comes. */
  readonly onToken?: (piece: string) => void;
}

export interface Completion {
  readonly text: string;
  /** "length": cut at `maxTokens` or at the end of the context. */
  readonly finish: "stop" | "length";
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

/** How likely a model finds a text after a prompt. */
export interface ContinuationScore {
  /** Natural logarithm of the probability of the whole continuation, 0 or less. */
  readonly logProbability: number;
  /** Tokens that the continuation has, 1 or more. */
  readonly tokens: number;
}

export interface EngineCapabilities {
  /** Answers can be held to a JSON schema. */
  readonly schema: boolean;
  /** Answers can be held to a GBNF grammar. */
  readonly grammar: boolean;
  /** {@link SlmEngine.score} is there. */
  readonly scores: boolean;
  /** Tokens of prompt and answer together. */
  readonly contextTokens: number;
  /** Where it runs, in words: "wasm", "webgpu (apple metal-3)", "cpu", "remote". */
  readonly device: string;
  /** Measured once at load, where the engine runs here. */
  readonly tokensPerSecond?: { readonly prompt: number; readonly completion: number };
}

/** A small language model in any engine. Calls are answered one after another. */
export interface SlmEngine {
  /** Names engine, model and quantisation; exams are kept under it. */
  readonly id: string;
  readonly capabilities: EngineCapabilities;
  /** @throws MemoryError "model-failed" | "too-large" (the prompt exceeds the context) | "timeout" | "closed"; the signal's reason */
  complete(messages: readonly EngineMessage[], options?: CompleteOptions): Promise<Completion>;
  /** Absent where the engine gives no probabilities of given tokens.
   * @returns one score a continuation, in order
   * @throws as `complete` */
  score?(
    prompt: readonly EngineMessage[],
    continuations: readonly string[],
    options?: CallOptions,
  ): Promise<readonly ContinuationScore[]>;
  close(): Promise<void>;
}

/** An engine that can be handed to another worker. */
export interface ConnectableSlm extends SlmEngine {
  /** A port that serves this engine; absent where it lives in the caller's own thread. */
  connect?(): Promise<MessagePort>;
}

/** How an app names a model in `openMemory({ slm })`: nothing is loaded before `open` is called. */
export interface SlmProvider {
  /** @throws MemoryError "peer-missing" | "asset-unavailable" | "unsupported" | "quota-exceeded" | "worker-failed"; the signal's reason */
  open(options?: LoadOptions): Promise<ConnectableSlm>;
}

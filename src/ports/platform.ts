/** What the pipeline is given instead of reaching for it: time, chance, tokens, cancellation. */

import type { Timestamp } from "../types.js";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): Timestamp;
}

/** A number in [0, 1). */
export type Random = () => number;

export interface Tokenizer {
  /** Tokens of a text, an integer of 0 or more. */
  count(text: string): number;
}

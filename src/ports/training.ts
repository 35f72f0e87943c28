/** Learning from a person's own log which turns turn out to be needed, off the caller's path. */

import type { Turn } from "../types.js";
import type { CallOptions } from "./platform.js";

/** A stretch of a conversation and the questions that it answered itself; plain data. */
export interface TrainingLog {
  /** The same log again counts only what is new in it. */
  readonly id: string;
  readonly turns: readonly Pick<Turn, "role" | "name" | "sessionId" | "text">[];
  /** `before` is the position of the question among the turns. */
  readonly answered: readonly { readonly question: string; readonly answer: string; readonly before: number }[];
}

/** What was learned: numbers about features, no text. */
export interface Learned {
  readonly state: Uint8Array;
  /** Answered questions that it rests on. */
  readonly evidence: number;
}

export interface Trainer {
  /** @param state what was learned before; none to begin
   * @throws MemoryError "storage-corrupt" | "unsupported" for a state that cannot be read, "worker-failed"; the signal's reason */
  learn(profile: "people" | "assistant", state: Uint8Array | undefined, log: TrainingLog, call?: CallOptions): Promise<Learned>;
}

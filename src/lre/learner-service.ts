/** The learner behind a worker's door: coarse calls, plain data in and out. */

import { MemoryError } from "../errors.js";
import { Learner, type LearnerOptions, type ObservedLog } from "./learner.js";
import type { Profile } from "./model.js";
import type { LocalModel } from "./scorer.js";

/** What the page may ask. All of it crosses a worker as it is. */
export interface LearnerApi {
  /** @param bytes what was stored of an earlier session; none to start afresh
   * @throws MemoryError "storage-corrupt" | "unsupported"; the learner that was open stays */
  open(profile: Profile, options?: LearnerOptions, bytes?: Uint8Array): void;
  /** @returns the evidence, and the state to store: numbers, no text */
  observe(log: ObservedLog): { readonly evidence: number; readonly bytes: Uint8Array };
  /** What to give a context window as `local`. */
  local(): LocalModel | undefined;
  export(): Uint8Array;
  reset(): void;
}

export function createLearnerService(): LearnerApi {
  let learner: Learner | undefined;
  const opened = (): Learner => {
    if (!learner) throw new MemoryError("closed", "the learner is not open; call open first");
    return learner;
  };
  return {
    open(profile, options, bytes) {
      learner = new Learner(profile, options, bytes);
    },
    observe(log) {
      const { evidence } = opened().observe(log);
      return { evidence, bytes: opened().export() };
    },
    local: () => opened().local,
    export: () => opened().export(),
    reset: () => opened().reset(),
  };
}

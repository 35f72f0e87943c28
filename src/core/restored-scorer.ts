/** What was learned on the device that a backup was made of, taken in where less was learned here. */

import { isMemoryError } from "../errors.js";
import type { Learned, Store } from "../ports.js";
import type { DialogueProfile } from "../stm/profile.js";
import { isMarkRow, MARKS_PREFIX } from "./forgotten-marks.js";
import { type LearnedStates, NOTHING_LEARNED, PROFILES, SCORER_KEY, type ScorerRow } from "./scorer-row.js";

export interface RestoredScorerParts {
  readonly store: Pick<Store, "meta" | "metaKeys">;
  /** Whether turns of the backup were new here. */
  readonly hasNew: boolean;
}

/** @param given the backup's row; it may come from anywhere
 * @param marks what was forgotten when the backup was made
 * @returns the row to put; undefined where what is here stays */
export async function restoredScorer(
  given: unknown,
  marks: ReadonlyMap<string, unknown>,
  { store, hasNew }: RestoredScorerParts,
): Promise<ScorerRow | undefined> {
  const stored = (await store.meta<ScorerRow>(SCORER_KEY)) ?? NOTHING_LEARNED;
  const states = await statesIn(given);
  const more = PROFILES.filter((profile) => (states[profile]?.evidence ?? 0) > (stored.states[profile]?.evidence ?? 0));
  if (more.length === 0) return undefined;
  const step = stored.step + 1;
  // Places of the log are given anew by each device: a reset there says nothing of the turns here.
  const { since } = stored;
  if (!(await hasForgottenMore(store, marks)))
    return {
      step,
      since,
      states: { ...stored.states, ...Object.fromEntries(more.map((profile) => [profile, states[profile]])) },
    };
  // It may have been learned from what was forgotten since: what is left of the log says the rest.
  return hasNew ? { step, since, states: {}, isToRelearn: true } : undefined;
}

/** Whether anything was forgotten here that the backup does not know of. */
async function hasForgottenMore(store: RestoredScorerParts["store"], marks: ReadonlyMap<string, unknown>): Promise<boolean> {
  for (const key of await store.metaKeys()) {
    if (!key.startsWith(MARKS_PREFIX) || marks.has(key)) continue;
    const row = await store.meta(key);
    if (isMarkRow(row) && row.marks.length > 0) return true;
  }
  return false;
}

/** What this build can read of it. */
async function statesIn(given: unknown): Promise<LearnedStates> {
  const { states } = (given ?? {}) as { readonly states?: Readonly<Record<string, Partial<Learned> | undefined>> };
  const read: { [Profile in DialogueProfile]?: Learned } = {};
  for (const profile of PROFILES) {
    const state = states?.[profile]?.state;
    if (!(state instanceof Uint8Array)) continue;
    const { Learner } = await import("../lre/learner.js");
    try {
      const learner = Learner.open(state);
      if (learner.profile === profile) read[profile] = { state, evidence: learner.evidence };
    } catch (error) {
      // Of another build: it is learned anew.
      if (!isMemoryError(error)) throw error;
    }
  }
  return read;
}

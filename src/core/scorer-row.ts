/** What was learned of which turns are needed, as it is stored and as it is exported: numbers about features, no text. */

import { MemoryError } from "../errors.js";
import type { Learned } from "../ports.js";
import type { DialogueProfile } from "../stm/profile.js";

export const SCORER_KEY = "scorer";
export const PROFILES: readonly DialogueProfile[] = ["assistant", "people"];

export type LearnedStates = { readonly [Profile in DialogueProfile]?: Learned };

export interface ScorerRow {
  /** Raised by every write, so that other handles see that it is another. */
  readonly step: number;
  readonly states: LearnedStates;
  /** Questions from this place of the log on count: after a reset the older ones do not come back. */
  readonly since: number;
  /** Something that it rested on was forgotten: it is learned anew from what is left. */
  readonly isToRelearn?: true;
}

export const NOTHING_LEARNED: ScorerRow = { step: 0, states: {}, since: 0 };

/** "KSCR", little-endian, and the version of the container. */
const MAGIC = 0x5243534b;
const VERSION = 1;

/** Magic, version, number of states, then each with its length before it; a state holds its own profile and checksum. */
export function encodeScorer(states: LearnedStates): Uint8Array {
  const all = PROFILES.flatMap((profile) => states[profile]?.state ?? []);
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + 4 + length, 12));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, all.length, true);
  let at = 12;
  for (const state of all) {
    view.setUint32(at, state.length, true);
    bytes.set(state, at + 4);
    at += 4 + state.length;
  }
  return bytes;
}

/** @throws MemoryError "storage-corrupt" for bytes that are no such file, "unsupported" for a newer version */
export function decodeScorer(bytes: Uint8Array): Uint8Array[] {
  const damaged = () => new MemoryError("storage-corrupt", "these bytes are no exported scorer, or are cut off");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0, true) !== MAGIC) throw damaged();
  if (view.getUint32(4, true) > VERSION)
    throw new MemoryError("unsupported", "the exported scorer is of a newer version; update Keepsake");
  const states: Uint8Array[] = [];
  let at = 12;
  for (let left = view.getUint32(8, true); left > 0; left--) {
    if (at + 4 > bytes.length) throw damaged();
    const end = at + 4 + view.getUint32(at, true);
    if (end > bytes.length) throw damaged();
    states.push(bytes.slice(at + 4, end));
    at = end;
  }
  if (at !== bytes.length) throw damaged();
  return states;
}

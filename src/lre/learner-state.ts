/** What a learner keeps between sessions, and its file: numbers about features, no text. */

import { MemoryError } from "../errors.js";
import { featuresOf } from "./extractor.js";
import { hashBytes, hashWord } from "./hash.js";
import type { Profile } from "./model.js";
import { BUCKETS } from "./vocabulary.js";

/** Belief about the weights of one role: a Gaussian with a diagonal precision, in the order dense, buckets, bias. */
export interface Belief {
  readonly role: string;
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly centre: Float64Array;
  readonly precision: Float64Array;
  /** Deviation of z over the units it was last fitted to. */
  readonly spread: number;
}

export interface LearnerState {
  readonly profile: Profile;
  readonly evidence: number;
  readonly beliefs: readonly Belief[];
  /** Answers already taken in, by hash of the log's id: a log that comes again counts only what is new in it. */
  readonly seen: Readonly<Record<string, number>>;
}

const MAGIC = 0x4c524b4c;
const VERSION = 1;
/** Logs remembered; the oldest are forgotten first. */
export const MAX_SEEN = 500;

/** Which features the numbers belong to; other features, other numbers. */
const fingerprint = (profile: Profile): number => hashWord(featuresOf(profile).join(" "));

export function encodeState(state: LearnerState): Uint8Array {
  const header = {
    profile: state.profile,
    features: fingerprint(state.profile),
    evidence: state.evidence,
    roles: state.beliefs.map(({ role, spread }) => [role, spread]),
    seen: state.seen,
  };
  const head = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil((12 + head.length) / 4) * 4;
  const numbers = state.beliefs.flatMap(({ mean, deviation, centre, precision }) => [mean, deviation, centre, precision]);
  const count = numbers.reduce((sum, list) => sum + list.length, 0);
  const bytes = new Uint8Array(padded + 4 * count + 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, head.length, true);
  bytes.set(head, 12);
  let at = padded;
  for (const list of numbers) {
    for (const value of list) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  view.setUint32(at, hashBytes(bytes.subarray(0, at)), true);
  return bytes;
}

const damaged = (what: string, cause?: unknown): MemoryError =>
  new MemoryError("storage-corrupt", `the learned scorer ${what}; reset it to start again`, { cause });

/** @throws MemoryError "storage-corrupt" for a damaged or foreign file, "unsupported" for a newer version or other features */
export function decodeState(bytes: Uint8Array): LearnerState {
  if (bytes.length < 16) throw damaged("is too short to be one");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw damaged("is another kind of file");
  const version = view.getUint32(4, true);
  if (version > VERSION)
    throw new MemoryError(
      "unsupported",
      `the learned scorer has version ${version}, this build reads ${VERSION}; update Keepsake`,
    );
  const end = bytes.length - 4;
  if (view.getUint32(end, true) !== hashBytes(bytes.subarray(0, end))) throw damaged("does not match its checksum");
  const headLength = view.getUint32(8, true);
  let header: { profile: Profile; features: number; evidence: number; roles: [string, number][]; seen: Record<string, number> };
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(12, 12 + headLength))) as typeof header;
  } catch (cause) {
    throw damaged("has a header that cannot be read", cause);
  }
  if (!["people", "assistant", "agent"].includes(header.profile) || header.features !== fingerprint(header.profile)) {
    throw new MemoryError(
      "unsupported",
      "the learned scorer was made with other features than this build has; reset it to learn anew",
    );
  }
  const width = featuresOf(header.profile).length;
  const size = width + BUCKETS + 1;
  let at = Math.ceil((12 + headLength) / 4) * 4;
  if (at + 4 * header.roles.length * 2 * (width + size) !== end) throw damaged("has another length than its header says");
  const list = (length: number): Float64Array =>
    Float64Array.from({ length }, () => {
      at += 4;
      return view.getFloat32(at - 4, true);
    });
  const beliefs = header.roles.map(
    ([role, spread]): Belief => ({
      role,
      spread,
      mean: list(width),
      deviation: list(width),
      centre: list(size),
      precision: list(size),
    }),
  );
  return { profile: header.profile, evidence: header.evidence, beliefs, seen: header.seen };
}

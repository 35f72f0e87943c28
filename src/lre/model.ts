/** The scorer's model and its file: a few KB, versioned, checksummed, with its feature list and where it was learned inside. */

import { MemoryError } from "../errors.js";
import { hashBytes } from "./hash.js";
import { BUCKETS } from "./vocabulary.js";

/** What kind of history a model scores. */
export type Profile = "people" | "assistant" | "agent";

/** The weights of one kind of unit. z = bias + Σ weight·clip((x − mean)/deviation, ±4) + Σ bucket weights/√buckets. */
export interface ModelPart {
  /** Which units it scores: "user", "assistant" or "" for all. */
  readonly role: string;
  /** Names of the features it uses. */
  readonly features: readonly string[];
  /** Standardise with the numbers in the file, or with the conversation's own running mean and deviation, seeded with them. */
  readonly normal: "fixed" | "running";
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly weights: Float64Array;
  /** 1,024 weights of hashed words, or none. */
  readonly buckets: Float64Array;
  readonly bias: number;
  /** Deviation of z over what it was learned from: brings models to one scale before they are blended. */
  readonly spread: number;
}

export interface ScorerModel {
  readonly profile: Profile;
  /** What it was learned from, and how. */
  readonly provenance: string;
  readonly parts: readonly ModelPart[];
}

const MAGIC = 0x454c524b; // "KRLE", little-endian
const VERSION = 1;
const FLOATS = 4;

interface Header {
  readonly profile: Profile;
  readonly provenance: string;
  readonly parts: readonly {
    readonly role: string;
    readonly features: string;
    readonly normal: "fixed" | "running";
    readonly buckets: number;
  }[];
}

/** The upper half of a float32, rounded: means and deviations need no more. */
function toHalf(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getUint32(0);
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

function fromHalf(half: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, half << 16);
  return view.getFloat32(0);
}

const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** The file: magic, version, header as JSON, numbers a part (weights in int8), checksum. Costs under .0001 AUC against doubles. */
export function encodeModel(model: ScorerModel): Uint8Array {
  const header: Header = {
    profile: model.profile,
    provenance: model.provenance,
    parts: model.parts.map((part) => ({
      role: part.role,
      features: part.features.join(" "),
      normal: part.normal,
      buckets: part.buckets.length,
    })),
  };
  const head = new TextEncoder().encode(JSON.stringify(header));
  const size = model.parts.reduce(
    (sum, part) => sum + 4 * FLOATS + 5 * part.features.length + part.buckets.length,
    8 + head.length + 4,
  );
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, head.length, true);
  bytes.set(head, 8);
  let at = 8 + head.length;
  const putFloat = (value: number): void => {
    view.setFloat32(at, value, true);
    at += 4;
  };
  for (const part of model.parts) {
    const scale = Math.fround(largest(part.weights) / 127 || 1);
    const bucketScale = Math.fround(largest(part.buckets) / 127 || 1);
    for (const value of [part.bias, part.spread, scale, bucketScale]) putFloat(value);
    for (let k = 0; k < part.features.length; k++) {
      view.setUint16(at, toHalf(part.mean[k] as number), true);
      view.setUint16(at + 2, toHalf(part.deviation[k] as number), true);
      view.setInt8(at + 4, Math.round((part.weights[k] as number) / scale));
      at += 5;
    }
    for (const weight of part.buckets) view.setInt8(at++, Math.round(weight / bucketScale));
  }
  view.setUint32(at, hashBytes(bytes.subarray(0, at)), true);
  return bytes;
}

const damaged = (what: string, cause?: unknown): MemoryError =>
  new MemoryError("asset-unavailable", `the scorer's model ${what}; get it again`, { cause });

function readHeader(bytes: Uint8Array): Header {
  try {
    const header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Header;
    const known = header.parts.every(
      ({ features, buckets, normal }) =>
        typeof features === "string" && (buckets === 0 || buckets === BUCKETS) && /^(?:fixed|running)$/.test(normal),
    );
    if (!known || !["people", "assistant", "agent"].includes(header.profile)) throw new TypeError("unknown header");
    return header;
  } catch (cause) {
    throw damaged("has a header that cannot be read", cause);
  }
}

/** Whether every score that the part can give is a number. */
const isSound = ({ bias, spread, mean, deviation }: ModelPart, scales: number): boolean =>
  [bias, spread, scales, ...mean, ...deviation].every(Number.isFinite) && spread > 0 && deviation.every((value) => value > 0);

/** @param features the names that this build can compute for a profile; a file may use any of them
 * @throws MemoryError "asset-unavailable" for a damaged or foreign file, "unsupported" for one of a newer version or with features
 * that this build does not know */
export function decodeModel(bytes: Uint8Array, features: (profile: Profile) => readonly string[]): ScorerModel {
  if (bytes.length < 16) throw damaged("is too short to be one");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw damaged("is another kind of file");
  const version = view.getUint16(4, true);
  if (version > VERSION)
    throw new MemoryError(
      "unsupported",
      `the scorer's model has version ${version}, this build reads ${VERSION}; update Keepsake`,
    );
  const end = bytes.length - 4;
  if (view.getUint32(end, true) !== hashBytes(bytes.subarray(0, end))) throw damaged("does not match its checksum");
  const headLength = view.getUint16(6, true);
  if (8 + headLength > end) throw damaged("is shorter than its header says");
  const header = readHeader(bytes.subarray(8, 8 + headLength));
  const known = new Set(features(header.profile));
  let at = 8 + headLength;
  const parts = header.parts.map((described): ModelPart => {
    const names = described.features === "" ? [] : described.features.split(" ");
    const foreign = names.find((name) => !known.has(name));
    if (foreign !== undefined)
      throw new MemoryError("unsupported", `the scorer's model uses the feature "${foreign}", which this build does not know`);
    if (at + 16 + 5 * names.length + described.buckets > end) throw damaged("is shorter than its header says");
    const [bias, spread, scale, bucketScale] = [0, 4, 8, 12].map((offset) => view.getFloat32(at + offset, true)) as [
      number,
      number,
      number,
      number,
    ];
    at += 16;
    const part = {
      role: described.role,
      features: names,
      normal: described.normal,
      mean: new Float64Array(names.length),
      deviation: new Float64Array(names.length),
      weights: new Float64Array(names.length),
      buckets: new Float64Array(described.buckets),
      bias,
      spread,
    };
    for (let k = 0; k < names.length; k++, at += 5) {
      part.mean[k] = fromHalf(view.getUint16(at, true));
      part.deviation[k] = fromHalf(view.getUint16(at + 2, true));
      part.weights[k] = view.getInt8(at + 4) * scale;
    }
    for (let k = 0; k < described.buckets; k++) part.buckets[k] = view.getInt8(at++) * bucketScale;
    if (!isSound(part, scale * bucketScale)) throw damaged(`has numbers that are none for "${part.role}"`);
    return part;
  });
  return { profile: header.profile, provenance: header.provenance, parts };
}

/** The file of the name tagger (`names.bin`): what its bytes mean, and how they are read.
 *
 * "KSNM", the header's length (uint32, little-endian), a header in JSON, then the sections one after another. */

import { MemoryError } from "../../../errors.js";
import { Bloom } from "./bloom.js";

export const MAGIC = "KSNM";
export const FORMAT = 1;

export interface NameModelHeader {
  readonly format: number;
  readonly version: string;
  readonly provenance: string;
  /** Hexadecimal, over the sections. */
  readonly sha256: string;
  readonly sections: readonly { readonly name: SectionName; readonly length: number }[];
  /** What one step of a weight is worth. */
  readonly scales: { readonly latin: number; readonly chinese: number; readonly likeness: number };
  readonly hashes: { readonly list: number; readonly ambiguous: number };
  /** Chinese characters by how much they are worth as a family name (1 to 3 is most) and within a given name. */
  readonly familyCharacters: readonly string[];
  readonly doubleFamilyNames: readonly string[];
  readonly givenCharacters: readonly string[];
}

const LISTS = ["given", "family", "common", "lessCommon", "ambiguous", "dictionary"] as const;
const WEIGHTS = ["latin", "chinese", "likeness"] as const;
export const SECTIONS = [...WEIGHTS, ...LISTS] as const;
export type SectionName = (typeof SECTIONS)[number];

export interface NameModel {
  readonly version: string;
  readonly weights: Readonly<Record<(typeof WEIGHTS)[number], Int8Array>>;
  readonly scales: NameModelHeader["scales"];
  readonly lists: Readonly<Record<(typeof LISTS)[number], Bloom>>;
  readonly familyCharacters: ReadonlyMap<string, number>;
  readonly doubleFamilyNames: ReadonlySet<string>;
  readonly givenCharacters: ReadonlyMap<string, number>;
}

/** @throws MemoryError "asset-unavailable" when the bytes are no such file, of another format, or damaged */
export async function readNameModel(bytes: Uint8Array<ArrayBuffer>): Promise<NameModel> {
  if (bytes.length < 8 || new TextDecoder().decode(bytes.subarray(0, 4)) !== MAGIC) throw unreadable("it is no name model");
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  let header: NameModelHeader;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as NameModelHeader;
  } catch {
    throw unreadable("its header is damaged");
  }
  if (header.format !== FORMAT) throw unreadable(`its format is ${header.format}, not ${FORMAT}`);
  const body = bytes.subarray(8 + length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (sha256 !== header.sha256) throw unreadable("its checksum is wrong");
  const sections = new Map<string, Uint8Array>();
  let at = 0;
  for (const { name, length: size } of header.sections) {
    sections.set(name, body.subarray(at, at + size));
    at += size;
  }
  const section = (name: SectionName): Uint8Array => {
    const found = sections.get(name);
    if (found === undefined || found.length === 0) throw unreadable(`it has no ${name}`);
    return found;
  };
  const weights = (name: SectionName): Int8Array => {
    const found = section(name);
    return new Int8Array(found.buffer, found.byteOffset, found.length);
  };
  const list = (name: SectionName): Bloom =>
    new Bloom(section(name), name === "ambiguous" ? header.hashes.ambiguous : header.hashes.list);
  return {
    version: header.version,
    weights: { latin: weights("latin"), chinese: weights("chinese"), likeness: weights("likeness") },
    scales: header.scales,
    lists: {
      given: list("given"),
      family: list("family"),
      common: list("common"),
      lessCommon: list("lessCommon"),
      ambiguous: list("ambiguous"),
      dictionary: list("dictionary"),
    },
    familyCharacters: graded(header.familyCharacters),
    doubleFamilyNames: new Set(header.doubleFamilyNames),
    givenCharacters: graded(header.givenCharacters),
  };
}

function graded(grades: readonly string[]): Map<string, number> {
  return new Map(grades.flatMap((characters, at) => [...characters].map((character) => [character, at + 1] as const)));
}

function unreadable(reason: string): MemoryError {
  return new MemoryError(
    "asset-unavailable",
    `the name tagger's file cannot be read: ${reason}; copy names.bin from the package again`,
  );
}

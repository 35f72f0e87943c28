/** The file of static embeddings (`embeddings.bin`): what its bytes mean, and how they are read.
 *
 * Little endian: header of 24 bytes ("KSEM", u16 version, u16 dimension, u32 pieces, u32 vocabulary bytes, u32
 * provenance bytes, u32 zero) · row scales, f16 × pieces · rows, int8 × pieces × dimension · vocabulary, UTF-8, one
 * piece a line · provenance, UTF-8 JSON · u32 CRC-32 of all bytes before it. A value is its int8 times its row's scale. */

import { crc32 } from "../bytes/crc32.js";
import { MemoryError } from "../errors.js";

export const MAGIC = "KSEM";
export const VERSION = 1;
export const HEADER_BYTES = 24;

/** Where the embeddings come from; written by the training script. */
export interface StaticProvenance {
  /** "static-<teacher>-<dimension>@<fingerprint>": two files of one id give the same vectors. */
  readonly id: string;
  readonly teacher: string;
  readonly data: readonly string[];
  readonly sentences: number;
  readonly seed: number;
}

export interface StaticTable {
  readonly provenance: StaticProvenance;
  readonly dimension: number;
  readonly vocabulary: readonly string[];
  /** One a piece. */
  readonly scales: Float32Array;
  /** Flat, `vocabulary.length * dimension` long. */
  readonly rows: Int8Array;
}

/** Reads a file of static embeddings; the rows stay in the given buffer.
 * @throws MemoryError "asset-unavailable" for a damaged, truncated or foreign file and for one of a newer version */
export function readStaticFile(buffer: ArrayBuffer): StaticTable {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER_BYTES + 4 || text(buffer, 0, 4) !== MAGIC)
    throw damaged("it does not begin as such a file does");
  const version = view.getUint16(4, true);
  if (version !== VERSION) throw damaged(`its version is ${version}, this build reads version ${VERSION}`);
  const dimension = view.getUint16(6, true);
  const pieces = view.getUint32(8, true);
  const vocabularyBytes = view.getUint32(12, true);
  const provenanceBytes = view.getUint32(16, true);
  const rowsAt = HEADER_BYTES + 2 * pieces;
  const vocabularyAt = rowsAt + pieces * dimension;
  const provenanceAt = vocabularyAt + vocabularyBytes;
  const end = provenanceAt + provenanceBytes;
  if (end + 4 !== buffer.byteLength) throw damaged(`it holds ${buffer.byteLength} bytes, its header speaks of ${end + 4}`);
  if (crc32(new Uint8Array(buffer, 0, end)) !== view.getUint32(end, true)) throw damaged("its checksum does not agree");
  const vocabulary = text(buffer, vocabularyAt, vocabularyBytes).split("\n");
  if (dimension === 0 || vocabulary.length !== pieces) throw damaged("its vocabulary does not fit its rows");
  const scales = new Float32Array(pieces);
  for (let row = 0; row < pieces; row++) scales[row] = fromHalf(view.getUint16(HEADER_BYTES + 2 * row, true));
  return {
    provenance: JSON.parse(text(buffer, provenanceAt, provenanceBytes)) as StaticProvenance,
    dimension,
    vocabulary,
    scales,
    rows: new Int8Array(buffer, rowsAt, pieces * dimension),
  };
}

/** The value of an IEEE 754 half-precision number (scales are finite). */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function text(buffer: ArrayBuffer, at: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(buffer, at, length));
}

function damaged(reason: string): MemoryError {
  return new MemoryError(
    "asset-unavailable",
    `the file of static embeddings cannot be read: ${reason}; copy embeddings.bin from the package again`,
  );
}

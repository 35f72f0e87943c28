/** Writes the file that `src/embed/static-file.ts` reads. */
import { createHash } from "node:crypto";
import { crc32 } from "../../src/bytes/crc32.js";
import { HEADER_BYTES, MAGIC, type StaticProvenance, VERSION } from "../../src/embed/static-file.js";

/** Rows to int8 with one half-precision scale each. */
export function quantize(table: Float32Array, dimension: number): { readonly rows: Int8Array; readonly scales: Uint16Array } {
  const rows = new Int8Array(table.length);
  const scales = new Uint16Array(table.length / dimension);
  for (let row = 0; row < scales.length; row++) {
    const values = table.subarray(row * dimension, (row + 1) * dimension);
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = largest / 127 + 1e-7;
    scales[row] = toHalf(scale);
    for (let d = 0; d < dimension; d++) rows[row * dimension + d] = Math.round(values[d]! / scale);
  }
  return { rows, scales };
}

/** @returns the file, named after a fingerprint of what it holds */
export function staticFile(
  vocabulary: readonly string[],
  table: Float32Array,
  dimension: number,
  provenance: Omit<StaticProvenance, "id">,
): Uint8Array {
  const { rows, scales } = quantize(table, dimension);
  const words = new TextEncoder().encode(vocabulary.join("\n"));
  const fingerprint = createHash("sha256").update(words).update(scales).update(rows).digest("hex").slice(0, 8);
  const described = { id: `static-minilm-${dimension}@${fingerprint}`, ...provenance } satisfies StaticProvenance;
  const origin = new TextEncoder().encode(JSON.stringify(described));
  const scaleBytes = new Uint8Array(2 * scales.length);
  scales.forEach((scale, row) => new DataView(scaleBytes.buffer).setUint16(2 * row, scale, true));
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  [...MAGIC].forEach((letter, at) => header.setUint8(at, letter.charCodeAt(0)));
  header.setUint16(4, VERSION, true);
  header.setUint16(6, dimension, true);
  header.setUint32(8, vocabulary.length, true);
  header.setUint32(12, words.length, true);
  header.setUint32(16, origin.length, true);
  const body = Buffer.concat([new Uint8Array(header.buffer), scaleBytes, new Uint8Array(rows.buffer), words, origin]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(body));
  return Buffer.concat([body, checksum]);
}

/** Half-precision bits of a positive number below 65,504, rounded to nearest. */
function toHalf(value: number): number {
  const exponent = Math.max(-14, Math.floor(Math.log2(value)));
  const fraction = Math.round((value / 2 ** exponent) * 1024);
  return exponent === -14 && fraction < 1024 ? fraction : ((exponent + 15) << 10) + (fraction - 1024);
}

/** CRC-32 over stored vectors: synchronous, since awaiting WebCrypto would end an IndexedDB transaction. */

const POLYNOMIAL = 0xedb88320;

/** Four tables of 256, so that a 32-bit word is folded in at once: about three times as fast as byte by byte, and
 * vectors are words anyway. */
const TABLES = (() => {
  const tables = new Int32Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    tables[byte] = value;
  }
  for (let byte = 0; byte < 256; byte++) {
    for (let table = 1; table < 4; table++) {
      const before = tables[(table - 1) * 256 + byte]!;
      tables[table * 256 + byte] = (before >>> 8) ^ tables[before & 255]!;
    }
  }
  return tables;
})();

/** The CRC-32 (ISO 3309, as zip and PNG have it) of the little-endian bytes of `rows`.
 * @returns an unsigned 32-bit integer */
export function crc32(rows: Float32Array): number {
  const words = new Int32Array(rows.buffer, rows.byteOffset, rows.length);
  const tables = TABLES;
  let crc = -1;
  for (let index = 0; index < words.length; index++) {
    const word = crc ^ words[index]!;
    crc =
      tables[768 + (word & 255)]! ^
      tables[512 + ((word >>> 8) & 255)]! ^
      tables[256 + ((word >>> 16) & 255)]! ^
      tables[word >>> 24]!;
  }
  return ~crc >>> 0;
}

/** CRC-32 (RFC 1952) over pieces of a file. */

const TABLES = tables();

/** @param before checksum of what comes before these bytes
 * @returns an unsigned 32-bit integer */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      TABLES[768 + (crc & 255)]! ^ TABLES[512 + ((crc >>> 8) & 255)]! ^ TABLES[256 + ((crc >>> 16) & 255)]! ^ TABLES[crc >>> 24]!;
  }
  for (; at < bytes.length; at++) crc = TABLES[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Four of 256, so that four bytes are folded in at once. */
function tables(): Int32Array {
  const all = new Int32Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    all[byte] = value;
  }
  for (let byte = 0; byte < 256; byte++)
    for (let table = 1; table < 4; table++) {
      const before = all[(table - 1) * 256 + byte]!;
      all[table * 256 + byte] = (before >>> 8) ^ all[before & 255]!;
    }
  return all;
}

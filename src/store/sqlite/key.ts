/** Ids as SQLite keys: UTF-16, big-endian, as a blob.
 *
 * UTF-8 text cannot hold a lone surrogate and sorts by code point; this holds every JavaScript string and sorts as
 * IndexedDB does, by code unit. */

/** @returns the bytes under which a string is stored and compared */
export function toKey(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

/** The string of a stored key. */
export function fromKey(key: Buffer): string {
  return Buffer.from(key).swap16().toString("utf16le");
}

/** Looks at the first bytes of a source and gives it back whole; and keeps a source that can be read once only. */

import { piecesOf } from "../bytes/pieces.js";
import type { ByteSource } from "./byte-reader.js";

/** Bytes of a stream that are joined into one blob at a time: a browser keeps large blobs on disk. */
const PART_BYTES = 8 * 2 ** 20;

export interface PeekedSource {
  /** The first bytes, at least `count` unless the source is shorter or is of strings. */
  readonly start: Uint8Array;
  readonly source: ByteSource;
}

export async function peek(source: ByteSource, count: number): Promise<PeekedSource> {
  if (source instanceof Blob) return { start: new Uint8Array(await source.slice(0, count).arrayBuffer()), source };
  const pieces = piecesOf<Uint8Array | string>(source);
  const seen: (Uint8Array | string)[] = [];
  const start: number[] = [];
  while (start.length < count) {
    const { done, value } = await pieces.next();
    if (done) break;
    seen.push(value);
    if (typeof value === "string") break;
    start.push(...value.subarray(0, count - start.length));
  }
  return { start: Uint8Array.from(start), source: rejoined(seen, pieces) };
}

/** A source that can be read again: what is no blob yet is collected, as it is, compressed. */
export async function rereadable(source: ByteSource, signal: AbortSignal | undefined): Promise<Blob> {
  if (source instanceof Blob) return source;
  const blobs: Blob[] = [];
  let parts: (Uint8Array<ArrayBuffer> | string)[] = [];
  let length = 0;
  const pieces = piecesOf<Uint8Array | string>(source);
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      signal?.throwIfAborted();
      parts.push(next.value as Uint8Array<ArrayBuffer> | string);
      length += next.value.length;
      if (length < PART_BYTES) continue;
      blobs.push(new Blob(parts));
      [parts, length] = [[], 0];
    }
  } finally {
    await pieces.return?.();
  }
  return new Blob([...blobs, ...parts]);
}

async function* rejoined(
  seen: readonly (Uint8Array | string)[],
  rest: AsyncIterator<Uint8Array | string>,
): AsyncGenerator<Uint8Array | string, void> {
  try {
    yield* seen;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

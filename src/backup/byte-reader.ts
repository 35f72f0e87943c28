/** Reads a given number of bytes at a time from a source that gives them in pieces of its own. */

import { piecesOf } from "../bytes/pieces.js";

export type ByteSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array | string>;
  readonly #held: Uint8Array[] = [];
  #length = 0;
  #isEnd = false;

  constructor(source: ByteSource) {
    this.#pieces = piecesOf<Uint8Array | string>(source instanceof Blob ? source.stream() : source);
  }

  /** @returns `count` bytes, or what is left at the end */
  async read(count: number): Promise<Uint8Array> {
    await this.#fill(count);
    const bytes = new Uint8Array(Math.min(count, this.#length));
    for (let at = 0; at < bytes.length; ) {
      const first = this.#held[0] as Uint8Array;
      const taken = first.subarray(0, bytes.length - at);
      bytes.set(taken, at);
      at += taken.length;
      if (taken.length === first.length) this.#held.shift();
      else this.#held[0] = first.subarray(taken.length);
    }
    this.#length -= bytes.length;
    return bytes;
  }

  /** Lets the source go; also in the middle. */
  async close(): Promise<void> {
    this.#isEnd = true;
    await this.#pieces.return?.();
  }

  async #fill(count: number): Promise<void> {
    while (this.#length < count && !this.#isEnd) {
      const { done, value } = await this.#pieces.next();
      if (done) this.#isEnd = true;
      else {
        const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
        if (bytes.length === 0) continue;
        this.#held.push(bytes);
        this.#length += bytes.length;
      }
    }
  }
}

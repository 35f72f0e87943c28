/** A list of words that answers "perhaps" or "no", at some ten bits a word. */

import { mix } from "./hash.js";

export class Bloom {
  readonly bytes: Uint8Array;
  readonly hashes: number;
  readonly #bits: number;

  /** @param hashes bits set for each word */
  constructor(bytes: Uint8Array, hashes: number) {
    this.bytes = bytes;
    this.hashes = hashes;
    this.#bits = bytes.length * 8;
  }

  add(hash: number): void {
    for (let k = 0; k < this.hashes; k++) {
      const bit = this.#place(hash, k);
      this.bytes[bit >> 3] = (this.bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  /** @param hash by `hashOf` */
  has(hash: number): boolean {
    for (let k = 0; k < this.hashes; k++) {
      const bit = this.#place(hash, k);
      if (((this.bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }

  #place(hash: number, k: number): number {
    return ((hash + Math.imul(k, mix(hash, 0x51ed27) | 1)) >>> 0) % this.#bits;
  }
}

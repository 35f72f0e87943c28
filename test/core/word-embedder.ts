/** Small embedders that differ in their spaces, and one that a test holds up. */

import type { Embedder } from "../../src/ports.js";

/** Sums of a direction a word: texts that share words are near each other. Two of different names have different directions. */
export function wordEmbedder(name: string, dimension = 16): Embedder {
  return {
    id: name,
    dimension,
    async embed(texts: readonly string[]) {
      const rows = new Float32Array(texts.length * dimension);
      for (const [row, text] of texts.entries()) {
        const vector = rows.subarray(row * dimension, (row + 1) * dimension);
        for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
          for (let d = 0; d < dimension; d++) vector[d] = (vector[d] as number) + direction(`${name} ${word} ${d}`);
        const norm = Math.hypot(...vector) || 1;
        for (let d = 0; d < dimension; d++) vector[d] = (vector[d] as number) / norm;
      }
      return rows;
    },
    close: async () => undefined,
  };
}

/** -1 to 1, by a hash. */
function direction(key: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 31 - 1;
}

/** An embedder that waits while it is shut: for entries, which are told from questions and probes by their words. */
export class GatedEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  /** Entries embedded. */
  embedded = 0;
  /** Resolves when entries are asked for. */
  readonly isAsked: Promise<void>;
  readonly #embedder: Embedder;
  readonly #most: number;
  readonly #bulk: number;
  #tellAsked: () => void = () => undefined;
  #gate: Promise<void> = Promise.resolve();
  #open: () => void = () => undefined;

  /** @param most.entries after which it is shut
   * @param most.bulk texts from which a call is held up */
  constructor(embedder: Embedder, { entries = Number.POSITIVE_INFINITY, bulk = 1 }: { entries?: number; bulk?: number } = {}) {
    this.id = embedder.id;
    this.dimension = embedder.dimension;
    this.#embedder = embedder;
    this.#most = entries;
    this.#bulk = bulk;
    this.isAsked = new Promise((resolve) => {
      this.#tellAsked = resolve;
    });
  }

  shut(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }

  async embed(texts: readonly string[], options?: { readonly signal?: AbortSignal | undefined }): Promise<Float32Array> {
    const entries = texts.filter((text) => text.endsWith("jam."));
    if (entries.length > 0) {
      this.#tellAsked();
      if (this.embedded + entries.length > this.#most) this.shut();
      if (entries.length >= this.#bulk) await settledOr(this.#gate, options?.signal);
      options?.signal?.throwIfAborted();
      this.embedded += entries.length;
    }
    return this.#embedder.embed(texts, options);
  }

  async close(): Promise<void> {
    this.open();
  }
}

function settledOr(gate: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const onAbort = () => resolve();
    signal?.addEventListener("abort", onAbort, { once: true });
    gate.then(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
  });
}

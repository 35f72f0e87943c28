/** The embedder that the package carries: one vector per WordPiece, averaged; no model runs.
 *
 * The vectors are distilled from all-MiniLM-L6-v2 and trained to its sentence geometry (`npm run train:embedder`). */

import { MemoryError } from "../errors.js";
import type { CallOptions, Embedder, WordVectors } from "../ports.js";
import { readStaticFile, type StaticProvenance, type StaticTable } from "./static-file.js";
import { WordPiece } from "./wordpiece.js";

/** Pieces of a text that count; the same as the teacher reads. */
const MAX_PIECES = 256;
/** Texts between two looks at the signal: about 20 ms of work. */
const TEXTS_PER_STEP = 1_000;

/** Opens the embeddings of `workers/embeddings.bin`.
 * @param bytes the whole file; the embedder keeps it
 * @throws MemoryError "asset-unavailable" for a damaged or foreign file */
export function openStaticEmbedder(bytes: ArrayBuffer): StaticEmbedder {
  return new StaticEmbedder(readStaticFile(bytes));
}

export class StaticEmbedder implements Embedder, WordVectors {
  readonly id: string;
  readonly dimension: number;
  readonly provenance: StaticProvenance;
  readonly #table: StaticTable;
  readonly #wordPiece: WordPiece;
  readonly #pieces = new Uint16Array(MAX_PIECES);
  #mean: Float32Array | undefined;
  #closed = false;

  constructor(table: StaticTable) {
    this.#table = table;
    this.#wordPiece = new WordPiece(table.vocabulary);
    this.id = table.provenance.id;
    this.dimension = table.dimension;
    this.provenance = table.provenance;
  }

  /** Texts of more than 256 pieces are cut there. */
  async embed(texts: readonly string[], options: CallOptions = {}): Promise<Float32Array> {
    options.signal?.throwIfAborted();
    if (texts.length <= TEXTS_PER_STEP) return this.embedSync(texts);
    const vectors = new Float32Array(texts.length * this.dimension);
    for (let from = 0; from < texts.length; from += TEXTS_PER_STEP) {
      vectors.set(this.embedSync(texts.slice(from, from + TEXTS_PER_STEP)), from * this.dimension);
      // A timer, not a microtask: the abort arrives as a message.
      await new Promise((resolve) => setTimeout(resolve));
      options.signal?.throwIfAborted();
    }
    return vectors;
  }

  /** {@link embed} in one go, without leaving the thread to others.
   * @throws MemoryError "closed" */
  embedSync(texts: readonly string[]): Float32Array {
    this.#checkOpen();
    const { dimension } = this;
    const { rows, scales } = this.#table;
    const vectors = new Float32Array(texts.length * dimension);
    for (let index = 0; index < texts.length; index++) {
      const vector = vectors.subarray(index * dimension, (index + 1) * dimension);
      const count = this.#wordPiece.encode(texts[index]!, this.#pieces);
      for (let position = 0; position < count; position++) {
        const piece = this.#pieces[position]!;
        const scale = scales[piece]!;
        for (let d = 0, at = piece * dimension; d < dimension; d++, at++) vector[d]! += scale * rows[at]!;
      }
      normalize(vector);
    }
    return vectors;
  }

  /** Centred by the mean of the vocabulary: without it, all words look alike. A word of several pieces is the mean of
   * their unit vectors.
   * @throws MemoryError "closed" */
  vectors(words: readonly string[]): Float32Array {
    this.#checkOpen();
    this.#mean ??= meanRow(this.#table);
    const { dimension } = this;
    const { rows, scales } = this.#table;
    const vectors = new Float32Array(words.length * dimension);
    const centred = new Float32Array(dimension);
    for (let index = 0; index < words.length; index++) {
      const vector = vectors.subarray(index * dimension, (index + 1) * dimension);
      const count = this.#wordPiece.encode(words[index]!, this.#pieces);
      for (let position = 0; position < count; position++) {
        const piece = this.#pieces[position]!;
        for (let d = 0; d < dimension; d++) centred[d] = scales[piece]! * rows[piece * dimension + d]! - this.#mean[d]!;
        normalize(centred);
        for (let d = 0; d < dimension; d++) vector[d]! += centred[d]!;
      }
      normalize(vector);
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #checkOpen(): void {
    if (this.#closed) throw new MemoryError("closed", "the static embedder was closed");
  }
}

/** Scales to unit norm in place; a zero vector stays as it is. */
function normalize(vector: Float32Array): void {
  let squares = 0;
  for (let d = 0; d < vector.length; d++) squares += vector[d]! * vector[d]!;
  if (squares === 0) return;
  const factor = 1 / Math.sqrt(squares);
  for (let d = 0; d < vector.length; d++) vector[d]! *= factor;
}

function meanRow({ rows, scales, dimension }: StaticTable): Float32Array {
  const sums = new Float64Array(dimension);
  for (let piece = 0; piece < scales.length; piece++) {
    for (let d = 0; d < dimension; d++) sums[d]! += scales[piece]! * rows[piece * dimension + d]!;
  }
  return Float32Array.from(sums, (sum) => sum / scales.length);
}

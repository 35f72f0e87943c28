/** Texts to vectors, and how an app hands an embedder over. */

import type { CallOptions } from "./platform.js";

/** Texts to unit-norm vectors. */
export interface Embedder {
  /** Names the model and its version; vectors of different ids are never compared. */
  readonly id: string;
  readonly dimension: number;
  /** @returns one flat array, `texts.length * dimension` long, rows of unit norm (an empty text: the zero row)
   * @throws MemoryError "model-failed" | "closed"; the signal's reason when aborted */
  embed(texts: readonly string[], options?: CallOptions): Promise<Float32Array>;
  close(): Promise<void>;
}

/** An embedder that can be handed to another worker. */
export interface ConnectableEmbedder extends Embedder {
  /** A port that serves this embedder (see `rpc/embedder.ts`); absent where it lives in the caller's own thread. */
  connect?(): Promise<MessagePort>;
}

export interface LoadOptions extends CallOptions {
  /** Bytes or steps done of the total; total 0 while it is not known. */
  readonly onProgress?:
    | ((progress: { readonly task: string; readonly done: number; readonly total: number }) => void)
    | undefined;
}

/** How an app names an embedder in `openMemory`: nothing is loaded before `open` is called. */
export interface EmbedderProvider {
  open(options?: LoadOptions): Promise<ConnectableEmbedder>;
}

/** Vectors of single words, for soft links between a question's words and a memory's. */
export interface WordVectors {
  readonly dimension: number;
  /** Flat, `words.length * dimension` long, rows of unit norm; a zero row for a word that has none. */
  vectors(words: readonly string[]): Float32Array;
}

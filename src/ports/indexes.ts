/** The derived indexes over one user's entries. */

/** Which slots a search may return: 1 allowed, 0 not; a slot beyond its length is not allowed. */
export type Mask = Uint8Array;

export interface VectorHit {
  readonly slot: number;
  /** Dot product with the query: cosine for unit vectors. */
  readonly score: number;
}

/** Scores of all entries for one query; index = slot. Slots without an entry, or masked, hold -Infinity. */
export interface VectorScores {
  /** Dot product with the vector of the entry's whole text (its row 0). */
  readonly whole: Float32Array;
  /** Maximum over all of the entry's rows. */
  readonly best: Float32Array;
}

/** Nearest neighbours over entries. An entry sits in a slot (a small integer, reused after removal) and has one row
 * for its whole text, then one per sentence where it has several. */
export interface VectorIndex {
  readonly kind: "flat-wasm" | "flat-js" | "hnsw";
  readonly dimension: number;
  /** Rows held. */
  readonly size: number;
  /** @param rows flat, n × dimension, n ≥ 1: the whole text, then its sentences. Replaces what the slot held.
   * @throws MemoryError "dimension-mismatch" | "invalid-vector" (nothing is added then) */
  add(slot: number, rows: Float32Array): void;
  remove(slot: number): void;
  /** At most `k` entries, best first, ties by slot; the score of an entry is its best row's. */
  search(query: Float32Array, k: number, mask?: Mask): VectorHit[];
  /** Absent where an index cannot score all entries (HNSW): fusion then normalises over the pool. */
  scoreAll?(query: Float32Array, mask?: Mask): VectorScores;
  /** A copy of a slot's rows, flat; undefined for an empty slot. Absent where an index cannot give them back. */
  rowsOf?(slot: number): Float32Array | undefined;
  clear(): void;
  close(): void;
}

/** What a search asks of a {@link VectorIndex}. */
export type VectorReader = Omit<VectorIndex, "add" | "remove" | "clear" | "close">;

/** What the lexical index knows of an entry. Terms come from `text/terms.ts`. */
export interface LexicalDocument {
  readonly terms: readonly string[];
  readonly speakerTerms: readonly string[];
  /** Terms of the turn before and after inside the session; weighted .5 and .25 (BM25F-like, see `retrieve/`). */
  readonly previousTerms: readonly string[];
  readonly nextTerms: readonly string[];
}

export interface LexicalIndex {
  /** Distinct terms. */
  readonly terms: number;
  readonly size: number;
  add(slot: number, document: LexicalDocument): void;
  remove(slot: number): void;
  /** BM25 of all slots for a weighted query; masked and empty slots hold 0. */
  scoreAll(query: ReadonlyMap<string, number>, mask?: Mask): Float32Array;
  idf(term: string): number;
  documentFrequency(term: string): number;
  /** Every indexed term with its document frequency. */
  vocabulary(): IterableIterator<readonly [string, number]>;
  /** Slots whose text (not its neighbours) holds the term. */
  postings(term: string): Iterable<number>;
  clear(): void;
}

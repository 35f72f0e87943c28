/** Holds the current indexes and their embedder; makes them anew from the store, while recalls go on in the old ones. */

import type { MemoryEvent } from "../backend.js";
import type { Embedder, Store, VectorIndex, WordVectors } from "../ports.js";
import type { Entry } from "../types.js";
import { EntryEmbedder } from "./entry-embedder.js";
import { MemoryIndex } from "./memory-index.js";

/** Entries embedded between two writes while a store gets vectors of a new embedder. */
const BATCH = 500;

export interface IndexKeeperParts {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly wordVectors: WordVectors;
  readonly createVectorIndex: (dimension: number) => VectorIndex;
  readonly emit: (event: MemoryEvent) => void;
}

export class IndexKeeper {
  readonly #parts: IndexKeeperParts;
  readonly #readers = new Map<MemoryIndex, number>();
  #index: MemoryIndex;
  #embedder: EntryEmbedder;

  constructor(parts: IndexKeeperParts) {
    this.#parts = parts;
    this.#embedder = new EntryEmbedder(parts.embedder);
    this.#index = this.#empty(parts.embedder);
  }

  get index(): MemoryIndex {
    return this.#index;
  }

  get embedder(): EntryEmbedder {
    return this.#embedder;
  }

  /** Whether this embedder's vectors are those of the current indexes. */
  serves({ id, dimension }: Embedder): boolean {
    const { space } = this.#index;
    return space.id === id && space.dimension === dimension;
  }

  /** Takes an embedder of the same space in the place of one that was lost. */
  replaceEmbedder(embedder: Embedder): void {
    this.#embedder = new EntryEmbedder(embedder);
  }

  /** Runs a reader on the current indexes, which stay open until it is done, also when others take their place. */
  async use<T>(task: (index: MemoryIndex, embedder: Embedder) => Promise<T>): Promise<T> {
    const index = this.#index;
    this.#readers.set(index, (this.#readers.get(index) ?? 0) + 1);
    try {
      return await task(index, this.#embedder.embedder);
    } finally {
      const left = (this.#readers.get(index) ?? 1) - 1;
      if (left > 0) this.#readers.set(index, left);
      else {
        this.#readers.delete(index);
        if (index !== this.#index) index.close();
      }
    }
  }

  /** Loads everything under `embedder`, embedding what has no vectors in its space, and only then replaces what was.
   * @returns the revision that the indexes are level with at least; the journal has the rest */
  async load(signal: AbortSignal | undefined, embedder: Embedder = this.#embedder.embedder): Promise<number> {
    const { store, emit } = this.#parts;
    const entryEmbedder = embedder === this.#embedder.embedder ? this.#embedder : new EntryEmbedder(embedder);
    const index = this.#empty(embedder);
    try {
      const revision = await store.revision();
      const { missing, damage } = await index.load(store, { signal });
      if (damage !== undefined)
        emit({ type: "degraded", detail: { part: "vectors", reason: `${damage}; they are embedded again` } });
      await this.#embed(missing, index, entryEmbedder, signal);
      const before = this.#index;
      this.#index = index;
      if (!this.#readers.has(before)) before.close();
      this.#embedder = entryEmbedder;
      return revision;
    } catch (error) {
      index.close();
      throw error;
    }
  }

  close(): void {
    this.#index.close();
  }

  async #embed(
    missing: readonly Entry[],
    index: MemoryIndex,
    embedder: EntryEmbedder,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const vectors = await embedder.embed(batch, signal);
      await this.#parts.store.write({ vectors: { space: index.space, of: vectors } }, { signal });
      for (const { entryId, rows } of vectors) {
        const slot = index.table.slotOf(entryId);
        if (slot !== undefined) index.vector.add(slot, rows);
      }
      this.#parts.emit({ type: "progress", detail: { task: "embed", done: from + batch.length, total: missing.length } });
    }
  }

  #empty({ id, dimension }: Embedder): MemoryIndex {
    const { createVectorIndex, wordVectors } = this.#parts;
    return new MemoryIndex({ space: { id, dimension }, createVectorIndex, wordVectors });
  }
}

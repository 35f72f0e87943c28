/** Holds the current indexes and their embedder; makes them anew from the store, while recalls go on in the old ones. */

import type { MemoryEvent } from "../backend.js";
import { isMemoryError } from "../errors.js";
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
      const damage = await index.load(store, { signal });
      if (damage !== undefined)
        emit({ type: "degraded", detail: { part: "vectors", reason: `${damage}; they are embedded again` } });
      await this.#embed(index, entryEmbedder, signal);
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

  /** Embeds what the current indexes lack vectors of: entries of a tab with another embedder. */
  async fill(signal?: AbortSignal): Promise<void> {
    await this.#embed(this.#index, this.#embedder, signal);
  }

  async #embed(index: MemoryIndex, embedder: EntryEmbedder, signal: AbortSignal | undefined): Promise<void> {
    const missing = index.unembedded;
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      await this.#embedBatch(index, embedder, batch, signal);
      this.#parts.emit({ type: "progress", detail: { task: "embed", done: from + batch.length, total: missing.length } });
    }
  }

  /** What another tab changed or removed while it was embedded is read again, or left out. */
  async #embedBatch(
    index: MemoryIndex,
    embedder: EntryEmbedder,
    batch: readonly Entry[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { store } = this.#parts;
    let entries = batch;
    while (entries.length > 0) {
      const vectors = await embedder.embed(entries, signal);
      try {
        const expect = entries.map(({ id, revision }) => ({ entryId: id, revision }));
        await store.write({ vectors: { space: index.space, of: vectors }, expect }, { ...(signal && { signal }) });
        for (const { entryId, rows } of vectors) index.embedded(entryId, rows);
        return;
      } catch (error) {
        if (!isMemoryError(error, "conflict")) throw error;
        const now = await store.entries(entries.map(({ id }) => id));
        entries.forEach(({ id }, at) => {
          const entry = now[at];
          if (entry) index.put(entry);
          else index.remove(id);
        });
        entries = now.filter((entry) => entry !== undefined);
      }
    }
  }

  #empty({ id, dimension }: Embedder): MemoryIndex {
    const { createVectorIndex, wordVectors } = this.#parts;
    return new MemoryIndex({ space: { id, dimension }, createVectorIndex, wordVectors });
  }
}

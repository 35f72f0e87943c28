/** The indexes over one user's entries: derived, held in memory, made anew from the store. */

import { isMemoryError } from "../errors.js";
import type { EntryVectors, Store, VectorIndex, VectorSpace, WordVectors } from "../ports.js";
import type { Indexes } from "../retrieve/coarse.js";
import { lexicalDocument } from "../retrieve/entry-index.js";
import { EntryTable } from "../retrieve/entry-table.js";
import { Bm25Index } from "../retrieve/lexical.js";
import { SoftLinks } from "../retrieve/soft-links.js";
import { analyseTerms } from "../text/terms.js";
import type { Entry, EntryId } from "../types.js";

const PAGE = 1_000;

export interface MemoryIndexParts {
  readonly space: VectorSpace;
  readonly createVectorIndex: (dimension: number) => VectorIndex;
  readonly wordVectors?: WordVectors;
}

export interface LoadedIndex {
  readonly missing: readonly Entry[];
  /** Why vectors are missing that were stored. */
  readonly damage?: string;
}

export class MemoryIndex implements Indexes {
  readonly space: VectorSpace;
  readonly table = new EntryTable();
  readonly lexical = new Bm25Index();
  readonly vector: VectorIndex;
  readonly softLinks?: SoftLinks;

  constructor({ space, createVectorIndex, wordVectors }: MemoryIndexParts) {
    this.space = space;
    this.vector = createVectorIndex(space.dimension);
    if (wordVectors) this.softLinks = new SoftLinks(wordVectors, createVectorIndex(wordVectors.dimension));
  }

  /** @param rows its vectors; without them those that it had stay */
  put(entry: Entry, rows?: Float32Array): void {
    const known = this.table.slotOf(entry.id);
    const before = known === undefined ? undefined : this.table.entry(known);
    const slot = this.table.put(entry);
    if (!before || before.indexText !== entry.indexText || before.context !== entry.context) {
      const { terms, words } = analyseTerms(entry.indexText);
      this.lexical.add(slot, lexicalDocument(entry, terms));
      this.softLinks?.add(slot, words);
    }
    if (rows) this.vector.add(slot, rows);
    else if (known === undefined) this.vector.remove(slot);
  }

  remove(id: EntryId): void {
    const slot = this.table.remove(id);
    if (slot === undefined) return;
    this.lexical.remove(slot);
    this.softLinks?.remove(slot);
    this.vector.remove(slot);
  }

  /** Fills the indexes from the store.
   * @returns entries that have no vectors in this space, among them those whose vectors the store could not read */
  async load(store: Store, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<LoadedIndex> {
    const missing = new Map<EntryId, Entry>();
    for (let after: EntryId | undefined; ; ) {
      const page = await store.listEntries({ limit: PAGE, ...(after !== undefined && { after }) });
      signal?.throwIfAborted();
      for (const entry of page) {
        this.put(entry);
        missing.set(entry.id, entry);
      }
      after = page.at(-1)?.id;
      if (page.length < PAGE || after === undefined) break;
    }
    const damage = await this.#loadVectors(store, missing, signal);
    this.softLinks?.prepare();
    return { missing: [...missing.values()], ...(damage !== undefined && { damage }) };
  }

  /** @param missing loses the entries whose vectors were read
   * @returns what the store says of vectors that fail their checksum; they can be made again from their texts */
  async #loadVectors(store: Store, missing: Map<EntryId, Entry>, signal: AbortSignal | undefined): Promise<string | undefined> {
    try {
      for await (const { entryId, rows } of entryVectors(store, this.space)) {
        signal?.throwIfAborted();
        const slot = this.table.slotOf(entryId);
        if (slot === undefined) continue;
        this.vector.add(slot, rows);
        missing.delete(entryId);
      }
      return undefined;
    } catch (error) {
      if (!isMemoryError(error, "storage-corrupt")) throw error;
      return error.message;
    }
  }

  clear(): void {
    this.table.clear();
    this.lexical.clear();
    this.vector.clear();
    this.softLinks?.clear();
  }

  close(): void {
    this.clear();
    this.vector.close();
  }
}

/** The stored vectors, entry by entry: an entry's rows may begin in one segment and end in the next. */
async function* entryVectors(store: Store, space: VectorSpace): AsyncGenerator<EntryVectors> {
  const { dimension } = space;
  let current: { readonly entryId: EntryId; readonly parts: Float32Array[] } | undefined;
  const joined = (): EntryVectors | undefined => current && { entryId: current.entryId, rows: concatenated(current.parts) };
  for await (const { entryIds, rows } of store.vectors(space)) {
    for (let from = 0; from < entryIds.length; ) {
      const entryId = entryIds[from] as EntryId;
      let to = from + 1;
      while (entryIds[to] === entryId) to++;
      const part = rows.subarray(from * dimension, to * dimension);
      if (current?.entryId === entryId) current.parts.push(part);
      else {
        const done = joined();
        if (done) yield done;
        current = { entryId, parts: [part] };
      }
      from = to;
    }
  }
  const last = joined();
  if (last) yield last;
}

function concatenated(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1) return parts[0] as Float32Array;
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

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

export class MemoryIndex implements Indexes {
  readonly space: VectorSpace;
  readonly table = new EntryTable();
  readonly lexical = new Bm25Index();
  readonly vector: VectorIndex;
  readonly softLinks?: SoftLinks;
  readonly #unembedded = new Set<EntryId>();

  constructor({ space, createVectorIndex, wordVectors }: MemoryIndexParts) {
    this.space = space;
    this.vector = createVectorIndex(space.dimension);
    if (wordVectors) this.softLinks = new SoftLinks(wordVectors, createVectorIndex(wordVectors.dimension));
  }

  /** Entries that have no vectors of their present text: of another embedder's tab, or of a store that lost them. They are
   * found by words until they are embedded. */
  get unembedded(): readonly Entry[] {
    return [...this.#unembedded].flatMap((id) => this.entry(id) ?? []);
  }

  entry(id: EntryId): Entry | undefined {
    const slot = this.table.slotOf(id);
    return slot === undefined ? undefined : this.table.entry(slot);
  }

  /** @param rows its vectors; without them those that it had stay, as long as its search text is the same */
  put(entry: Entry, rows?: Float32Array): void {
    const before = this.entry(entry.id);
    const slot = this.table.put(entry);
    const isSame = before?.indexText === entry.indexText;
    if (!isSame || before.context !== entry.context) {
      const { terms, words } = analyseTerms(entry.indexText);
      this.lexical.add(slot, lexicalDocument(entry, terms));
      this.softLinks?.add(slot, words);
    }
    if (rows) this.embedded(entry.id, rows);
    else if (!isSame) {
      this.vector.remove(slot);
      this.#unembedded.add(entry.id);
    }
  }

  /** Puts the vectors of an entry that is here; of any other nothing. */
  embedded(id: EntryId, rows: Float32Array): void {
    const slot = this.table.slotOf(id);
    if (slot === undefined) return;
    this.vector.add(slot, rows);
    this.#unembedded.delete(id);
  }

  remove(id: EntryId): void {
    this.#unembedded.delete(id);
    const slot = this.table.remove(id);
    if (slot === undefined) return;
    this.lexical.remove(slot);
    this.softLinks?.remove(slot);
    this.vector.remove(slot);
  }

  /** Fills the indexes from the store; {@link unembedded} then has what it holds no vectors of.
   * @returns what the store says of vectors that fail their checksum; they can be made again from their texts */
  async load(store: Store, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<string | undefined> {
    // The store reads on while this thread indexes what it has: the vectors from the start, entries a page ahead.
    const vectors = entryVectors(store, this.space);
    try {
      const firstVectors = told(vectors.next());
      let pending: Promise<Entry[]> | undefined = told(store.listEntries({ limit: PAGE }));
      while (pending) {
        const page: readonly Entry[] = await pending;
        const last = page.at(-1);
        pending = last && page.length === PAGE ? told(store.listEntries({ limit: PAGE, after: last.id })) : undefined;
        signal?.throwIfAborted();
        for (const entry of page) this.put(entry);
      }
      const damage = await this.#loadVectors(firstVectors, vectors, signal);
      this.softLinks?.prepare();
      return damage;
    } finally {
      await vectors.return();
    }
  }

  async #loadVectors(
    first: Promise<IteratorResult<EntryVectors, void>>,
    rest: AsyncGenerator<EntryVectors, void>,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    try {
      for (let next = await first; !next.done; next = await rest.next()) {
        signal?.throwIfAborted();
        this.embedded(next.value.entryId, next.value.rows);
      }
      return undefined;
    } catch (error) {
      if (!isMemoryError(error, "storage-corrupt")) throw error;
      return error.message;
    }
  }

  clear(): void {
    this.#unembedded.clear();
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

/** A promise that is awaited later: its failure is told there, and not as unhandled before. */
function told<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The stored vectors, entry by entry: an entry's rows may begin in one segment and end in the next. */
async function* entryVectors(store: Store, space: VectorSpace): AsyncGenerator<EntryVectors, void> {
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

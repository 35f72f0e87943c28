/** The indexes over one user's entries: derived, held in memory, made anew from the store. */

import { isEntry } from "../backup/shapes.js";
import type { Store, VectorIndex, VectorSpace, WordVectors } from "../ports.js";
import type { Indexes } from "../retrieve/coarse.js";
import { lexicalDocument } from "../retrieve/entry-index.js";
import { EntryTable } from "../retrieve/entry-table.js";
import { Bm25Index } from "../retrieve/lexical.js";
import { SoftLinks } from "../retrieve/soft-links.js";
import { analyseTerms } from "../text/terms.js";
import type { Entry, EntryId } from "../types.js";
import { readVectors, SpaceVectors, told } from "./space-vectors.js";

const PAGE = 1_000;

export interface MemoryIndexParts {
  readonly space: VectorSpace;
  readonly createVectorIndex: (dimension: number) => VectorIndex;
  readonly wordVectors?: WordVectors;
}

export class MemoryIndex implements Indexes {
  readonly table = new EntryTable();
  readonly lexical = new Bm25Index();
  readonly softLinks?: SoftLinks;
  /** What is stored and is no entry by its shape: no search could read it. */
  readonly aside = new Map<EntryId, Entry>();
  readonly #createVectorIndex: MemoryIndexParts["createVectorIndex"];
  #home: SpaceVectors;
  #former: SpaceVectors | undefined;

  constructor({ space, createVectorIndex, wordVectors }: MemoryIndexParts) {
    this.#createVectorIndex = createVectorIndex;
    this.#home = this.#empty(space);
    if (wordVectors) this.softLinks = new SoftLinks(wordVectors, createVectorIndex(wordVectors.dimension));
  }

  /** The space that all entries are to have vectors in. */
  get home(): SpaceVectors {
    return this.#home;
  }

  /** The space that they had before, until all are in the home. */
  get former(): SpaceVectors | undefined {
    return this.#former;
  }

  get space(): VectorSpace {
    return this.#home.space;
  }

  get vector(): VectorIndex {
    return this.#home.vector;
  }

  /** Entries that have no vectors of their present text in the home: of another embedder, or of a store that lost them.
   * They are found in the former space, or by words, until they are embedded. */
  get unembedded(): readonly Entry[] {
    return [...this.#home.missing].flatMap((id) => this.entry(id) ?? []);
  }

  entry(id: EntryId): Entry | undefined {
    const slot = this.table.slotOf(id);
    return slot === undefined ? undefined : this.table.entry(slot);
  }

  /** Sets aside what is no entry by its shape.
   * @param rows its vectors in the home; without them those that it had stay, as long as its search text is the same */
  put(entry: Entry, rows?: Float32Array): void {
    const { id } = entry;
    this.aside.delete(id);
    if (!isEntry(entry)) {
      this.remove(id);
      this.aside.set(id, entry);
      return;
    }
    const before = this.entry(entry.id);
    const slot = this.table.put(entry);
    const isSame = before?.indexText === entry.indexText;
    if (!isSame || !isSameContext(before, entry)) {
      const { terms, words } = analyseTerms(entry.indexText);
      this.lexical.add(slot, lexicalDocument(entry, terms));
      this.softLinks?.add(slot, words);
    }
    if (!isSame) this.#former?.lose(entry.id, slot);
    if (rows) this.#home.put(entry.id, slot, rows);
    else if (!isSame) this.#home.lose(entry.id, slot);
  }

  /** Puts the vectors of an entry that is here; of any other nothing. */
  embedded(id: EntryId, rows: Float32Array): void {
    const slot = this.table.slotOf(id);
    if (slot !== undefined) this.#home.put(id, slot, rows);
  }

  remove(id: EntryId): void {
    this.aside.delete(id);
    const slot = this.table.remove(id);
    this.#home.remove(id, slot);
    this.#former?.remove(id, slot);
    if (slot === undefined) return;
    this.lexical.remove(slot);
    this.softLinks?.remove(slot);
  }

  /** Fills the indexes from the store; {@link unembedded} then has what it holds no vectors of in the home.
   * @returns what the store says of vectors that fail their checksum; they can be made again from their texts */
  async load(store: Store, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<string | undefined> {
    // The store reads on while this thread indexes what it has: the vectors from the start, entries a page ahead.
    const vectors = readVectors(store, this.space);
    try {
      let pending: Promise<Entry[]> | undefined = told(store.listEntries({ limit: PAGE }));
      while (pending) {
        const page: readonly Entry[] = await pending;
        const last = page.at(-1);
        pending = last && page.length === PAGE ? told(store.listEntries({ limit: PAGE, after: last.id })) : undefined;
        signal?.throwIfAborted();
        for (const entry of page) this.put(entry);
      }
      const damage = await this.#home.load(vectors, (id) => this.table.slotOf(id), signal);
      this.softLinks?.prepare();
      return damage;
    } finally {
      await vectors.rest.return(undefined);
    }
  }

  /** The vectors that a store holds under a space, for entries that are here; nothing changes before {@link move}. */
  async loadSpace(store: Store, space: VectorSpace, signal: AbortSignal | undefined): Promise<SpaceVectors> {
    const vectors = this.#empty(space);
    for (const { id } of this.table) vectors.lose(id, this.table.slotOf(id) as number);
    try {
      await vectors.load(readVectors(store, space), (id) => this.table.slotOf(id), signal);
      return vectors;
    } catch (error) {
      vectors.vector.close();
      throw error;
    }
  }

  /** Takes another home and former space; both come from {@link loadSpace}, or are those of now.
   * @returns indexes that no longer serve, for the caller to close when nobody reads them */
  move(home: SpaceVectors, former: SpaceVectors | undefined): VectorIndex[] {
    const left = [this.#home, this.#former].filter((space) => space && space !== home && space !== former);
    this.#home = home;
    this.#former = former;
    return left.flatMap((space) => space?.vector ?? []);
  }

  clear(): void {
    this.aside.clear();
    this.table.clear();
    this.lexical.clear();
    this.#home.clear();
    this.#former?.clear();
    this.softLinks?.clear();
  }

  close(): void {
    this.clear();
    this.#home.vector.close();
    this.#former?.vector.close();
  }

  #empty(space: VectorSpace): SpaceVectors {
    return new SpaceVectors(space, this.#createVectorIndex(space.dimension));
  }
}

function isSameContext(a: Entry | undefined, b: Entry): boolean {
  return a?.context?.previous === b.context?.previous && a?.context?.next === b.context?.next;
}

/** Holds the current indexes and their embedders; makes them anew from the store, while recalls go on in the old ones.
 *
 * While entries move to another embedder the indexes hold two spaces: the home, which all are to be in, and the former one, as long
 * as its embedder serves. The space that holds more entries leads a search, and the other tells of those that it lacks. */

import type { MemoryEvent } from "../backend.js";
import type { Embedder, Store, VectorIndex, VectorSpace, WordVectors } from "../ports.js";
import type { Indexes } from "../retrieve/coarse.js";
import { platformWait, within } from "../retrieve/deadline.js";
import { PairedEmbedder, PairedIndex } from "../retrieve/two-spaces.js";
import { type EmbedderIdentity, identify } from "./embedder-identity.js";
import { EntryEmbedder } from "./entry-embedder.js";
import { MemoryIndex } from "./memory-index.js";
import { keyOf } from "./space-claims.js";

/** How long opening waits for the embedder to show whose vectors are stored; it is asked again in the background then. */
const IDENTIFY_MS = 3_000;

export interface IndexKeeperParts {
  readonly store: Store;
  readonly embedder: Embedder;
  /** Embedders that are at hand besides: what is stored in their space can be searched until it is in that of `embedder`. */
  readonly spareEmbedders?: readonly Embedder[];
  readonly wordVectors: WordVectors;
  readonly createVectorIndex: (dimension: number) => VectorIndex;
  readonly emit: (event: MemoryEvent) => void;
}

/** What a recall searches. */
export interface Searched {
  readonly indexes: Indexes;
  readonly embedder: Embedder;
  /** Of the embedder whose scale of cosines the scores are on. */
  readonly dimension: number;
}

export class IndexKeeper {
  readonly #parts: IndexKeeperParts;
  readonly #reading = new Set<Promise<unknown>>();
  /** Embedders that serve, by their space. */
  readonly #embedders = new Map<string, EntryEmbedder>();
  #index: MemoryIndex;
  #embedder: EntryEmbedder;
  #isIdentified = false;

  constructor(parts: IndexKeeperParts) {
    this.#parts = parts;
    this.#embedder = new EntryEmbedder(parts.embedder);
    this.#index = this.#empty(this.#embedder.space);
  }

  get index(): MemoryIndex {
    return this.#index;
  }

  /** That of the home. */
  get embedder(): EntryEmbedder {
    return this.#embedder;
  }

  /** Runs a reader on the current indexes, which stay open until it is done, also when others take their place. */
  async use<T>(task: (searched: Searched) => Promise<T>): Promise<T> {
    const running = task(this.#searched());
    this.#reading.add(running);
    try {
      return await running;
    } finally {
      this.#reading.delete(running);
    }
  }

  /** Resolves when those who read now are done: what takes long gives way to a question, but not to one after another for ever. */
  async unread(): Promise<void> {
    await Promise.allSettled([...this.#reading]);
  }

  /** Loads everything that is stored, and only then replaces what was. What has no vectors in the home is left so.
   * @returns the revision that the indexes are level with at least; the journal has the rest */
  async load(signal: AbortSignal | undefined): Promise<number> {
    const { store, emit } = this.#parts;
    await this.#introduce(signal);
    const index = this.#empty(this.#embedder.space);
    try {
      const revision = await store.revision();
      const damage = await index.load(store, { signal });
      if (damage !== undefined)
        emit({ type: "degraded", detail: { part: "vectors", reason: `${damage}; they are embedded again` } });
      const former = index.unembedded.length > 0 ? await this.#storedFormer(signal) : undefined;
      if (former) index.move(index.home, await index.loadSpace(store, former, signal));
      const before = this.#index;
      this.#index = index;
      this.#retire([before]);
      return revision;
    } catch (error) {
      index.close();
      throw error;
    }
  }

  /** Whether it is known that the vectors stored under the embedder's id are of this embedder. */
  get isIdentified(): boolean {
    return this.#isIdentified;
  }

  /** Asks an embedder which space is its own. */
  identify(embedder: Embedder, signal: AbortSignal | undefined): Promise<EmbedderIdentity> {
    return identify(embedder, this.#parts.store, signal);
  }

  /** Takes another embedder. What is stored stays searchable in the space that it is in.
   * @returns the space that it took the place of; undefined for an embedder of the same space, such as one that was lost */
  async attach(
    embedder: Embedder,
    identity: EmbedderIdentity,
    signal: AbortSignal | undefined,
  ): Promise<VectorSpace | undefined> {
    const next = new EntryEmbedder(embedder, identity);
    const before = this.#embedder;
    const index = this.#index;
    const { home, former } = index;
    if (keyOf(next.space) !== keyOf(home.space)) {
      const isFormer = former && keyOf(former.space) === keyOf(next.space);
      const loaded = isFormer ? former : await index.loadSpace(this.#parts.store, next.space, signal);
      const fuller = former && !isFormer && former.missing.size < home.missing.size ? former : home;
      this.#retire(index.move(loaded, loaded.missing.size > 0 ? fuller : undefined));
      // Under the space that it was taken to have, this embedder gives other vectors than are stored.
      if (before.embedder === embedder) this.#embedders.delete(keyOf(before.space));
    }
    this.#take(next);
    this.#isIdentified = true;
    return keyOf(before.space) === keyOf(next.space) ? undefined : before.space;
  }

  /** Lets the former space go: all entries are in the home that can be. */
  settle(): void {
    this.#retire(this.#index.move(this.#index.home, undefined));
  }

  close(): void {
    this.#index.close();
  }

  /** Learns which space is the embedder's own, where anything is stored that could be mistaken for its. An embedder that is slow
   * or fails is taken by its id for now: words alone still find what is stored, and whoever needs vectors hears of the failure. */
  async #introduce(signal: AbortSignal | undefined): Promise<void> {
    const { store } = this.#parts;
    const { embedder } = this.#embedder;
    this.#isIdentified = false;
    const spaces = await store.vectorSpaces();
    const isStored = spaces.some(
      ({ id, dimension }) => dimension === embedder.dimension && (id === embedder.id || id.startsWith(`${embedder.id}#`)),
    );
    if (isStored) {
      const found = await within(IDENTIFY_MS, (options) => identify(embedder, store, options.signal), signal, platformWait);
      if (found.kept) this.#embedder = new EntryEmbedder(embedder, found.value);
      this.#isIdentified = found.kept;
    }
    this.#remember(this.#embedder);
  }

  #take(embedder: EntryEmbedder): void {
    this.#embedder = embedder;
    this.#remember(embedder);
  }

  #remember(embedder: EntryEmbedder): void {
    this.#embedders.set(keyOf(embedder.space), embedder);
  }

  /** Of the other spaces that are stored and whose embedder is at hand, the one with the most rows. */
  async #storedFormer(signal: AbortSignal | undefined): Promise<VectorSpace | undefined> {
    const { store, spareEmbedders = [] } = this.#parts;
    const home = keyOf(this.#embedder.space);
    for (const spare of spareEmbedders)
      if (spare !== this.#embedder.embedder) this.#remember(new EntryEmbedder(spare, await identify(spare, store, signal)));
    const spaces = await store.vectorSpaces();
    return spaces
      .filter((space) => keyOf(space) !== home && this.#embedders.has(keyOf(space)))
      .reduce<(typeof spaces)[number] | undefined>((most, space) => (most && most.rows >= space.rows ? most : space), undefined);
  }

  #searched(): Searched {
    const { table, lexical, softLinks, home, former } = this.#index;
    const words = { table, lexical, ...(softLinks && { softLinks }) };
    const own = { vector: home.vector, embedder: this.#embedder.embedder };
    const second = former && this.#embedders.get(keyOf(former.space));
    const isWhole = home.missing.size === 0;
    if (isWhole || !former || !second)
      return { indexes: { ...words, vector: own.vector }, embedder: own.embedder, dimension: own.embedder.dimension };
    const other = { vector: former.vector, embedder: second.embedder };
    const [lead, beside, lacking] =
      former.missing.size < home.missing.size ? [other, own, former.missing] : [own, other, home.missing];
    // Where the leader lacks nothing that the other has, the other has nothing to tell.
    if (lacking.size === 0 || beside.vector.size === 0)
      return { indexes: { ...words, vector: lead.vector }, embedder: lead.embedder, dimension: lead.embedder.dimension };
    return {
      indexes: { ...words, vector: new PairedIndex(lead.vector, beside.vector) },
      embedder: new PairedEmbedder(lead.embedder, beside.embedder),
      dimension: lead.embedder.dimension,
    };
  }

  /** Closes what was replaced when those who read it now are done. */
  #retire(replaced: readonly { close(): void }[]): void {
    if (replaced.length === 0) return;
    void Promise.allSettled([...this.#reading]).then(() => {
      for (const one of replaced) one.close();
    });
  }

  #empty(space: VectorSpace): MemoryIndex {
    const { createVectorIndex, wordVectors } = this.#parts;
    return new MemoryIndex({ space, createVectorIndex, wordVectors });
  }
}

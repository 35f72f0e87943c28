/** Gives every entry vectors of the current embedder, in the background: after another was attached, on opening with another than last
 * time, and for what a handle with another embedder recorded.
 *
 * What is left to do is what the store lacks, so a killed job goes on at the next opening. One handle works at a time; others learn
 * of its vectors from the journal. When all are there, the other spaces go, each in one step, unless a handle that is open searches
 * in it: two tabs with two embedders keep both. */

import type { MemoryEvent } from "../backend.js";
import { orAborted } from "../or-aborted.js";
import type { Clock, Embedder, EntryVectors, Store } from "../ports.js";
import type { Entry, MemoryStats } from "../types.js";
import { untilSettled } from "./conflict.js";
import type { EntryEmbedder } from "./entry-embedder.js";
import type { Follower } from "./follower.js";
import type { HandleLocks } from "./handle-locks.js";
import type { IndexKeeper } from "./index-keeper.js";
import { PacedEmbedding } from "./paced-embedding.js";
import { SpaceClaims } from "./space-claims.js";

/** Entries a write: some milliseconds, which a record may have to wait. */
const WRITTEN_AT_ONCE = 64;
/** Milliseconds after a failure of the embedder until the next try, at first and at most. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

export interface ReEmbeddingParts {
  readonly keeper: IndexKeeper;
  readonly store: Store;
  readonly follower: Follower;
  readonly locks: HandleLocks;
  /** Runs a task between the writes of this handle. */
  readonly inQueue: <T>(task: () => Promise<T>) => Promise<T>;
  readonly emit: (event: MemoryEvent) => void;
  readonly tell: (part: string, error: unknown) => void;
  /** Fine milliseconds. */
  readonly stopwatch: Clock;
  /** Aborts when the memory is closed. */
  readonly ended: AbortSignal;
}

export class ReEmbedding {
  readonly #parts: ReEmbeddingParts;
  readonly #paced: PacedEmbedding;
  readonly #claims: SpaceClaims;
  #work = new AbortController();
  #running: Promise<void> | undefined;
  #isPaused = false;
  /** Whether no other space is stored, as far as this handle knows. */
  #isTidy = false;
  #retryMs = RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(parts: ReEmbeddingParts) {
    const { keeper, store, follower, inQueue } = parts;
    this.#parts = parts;
    this.#paced = new PacedEmbedding({ ...parts, unread: () => keeper.unread() });
    this.#claims = new SpaceClaims({
      ...parts,
      drop: (space, meta) =>
        inQueue(async () => follower.vectorsCommitted((await store.write({ dropSpaces: [space], meta })).revision)),
    });
    parts.ended.addEventListener("abort", () => this.#stop(), { once: true });
  }

  /** What is left to do; undefined for nothing. */
  get state(): MemoryStats["reembedding"] {
    const left = this.#left();
    if (left === 0) return undefined;
    const total = this.#parts.keeper.index.table.size;
    return { done: total - left, total, state: this.#isPaused ? "paused" : this.#running ? "running" : "waiting" };
  }

  /** Takes another embedder in the place of the one there is; what is stored is embedded by it in the background.
   * @throws what the embedder and the store throw; the signal's reason; nothing has changed then */
  async attach(embedder: Embedder, signal: AbortSignal): Promise<void> {
    await this.#take(embedder, signal);
    // What runs embeds by the one before.
    this.#work.abort();
    if (!this.#isPaused) this.resume();
  }

  async #take(embedder: Embedder, signal: AbortSignal): Promise<void> {
    const { keeper, follower, inQueue } = this.#parts;
    const identity = await orAborted(keeper.identify(embedder, signal), signal);
    const replaced = await inQueue(async () => {
      signal.throwIfAborted();
      // What came from another handle is to be in the indexes before they change spaces.
      await follower.catchUp();
      return keeper.attach(embedder, identity, signal);
    });
    if (replaced) this.#claims.replace(replaced);
    this.#useHome();
  }

  /** Begins, or goes on, where something is to be done; does not wait for it. */
  wake(): void {
    this.#useHome();
    if (this.#isPaused || this.#running || this.#isDone || this.#parts.ended.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { signal } = this.#work;
    this.#running = this.#run(signal).finally(() => {
      this.#running = undefined;
      this.#tellWaiting();
      // Woken while it ran, and too late for it.
      if (this.#timer === undefined && !signal.aborted) this.wake();
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.#work.abort();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#work.signal.aborted) return this.wake();
    this.#work = new AbortController();
    void (this.#running ?? Promise.resolve()).then(() => this.wake());
  }

  /** Resolves when nothing is left to embed and nothing runs, also over pauses and failures of the embedder.
   * @throws the signal's reason */
  async done(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const goOn = () => this.#tellWaiting();
    signal.addEventListener("abort", goOn, { once: true });
    try {
      while (this.#running || this.#left() > 0) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        signal.throwIfAborted();
      }
    } finally {
      signal.removeEventListener("abort", goOn);
    }
  }

  /** After the memory has ended; nothing runs when it resolves. */
  async close(): Promise<void> {
    await this.#running;
    await this.#claims.close();
  }

  #tellWaiting(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  #useHome(): void {
    if (!this.#claims.use(this.#parts.keeper.index.space)) return;
    this.#paced.startOver();
    this.#retryMs = RETRY_MS;
    this.#isTidy = false;
  }

  get #isDone(): boolean {
    return this.#isTidy && this.#left() === 0 && this.#parts.keeper.isIdentified;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#work.abort();
  }

  #left(): number {
    const { missing } = this.#parts.keeper.index.home;
    const { refused } = this.#paced;
    if (refused.size === 0) return missing.size;
    let left = 0;
    for (const id of missing) if (!refused.has(id)) left++;
    return left;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { locks, keeper, tell } = this.#parts;
    try {
      if (!keeper.isIdentified) await this.#take(keeper.embedder.embedder, signal);
      while (this.#left() > 0) await locks.hold("embedding", () => this.#embedAll(signal), signal);
      keeper.settle();
      const nextLookMs = await this.#claims.tidy();
      this.#isTidy = nextLookMs === undefined;
      if (nextLookMs !== undefined) this.#again(nextLookMs);
      this.#retryMs = RETRY_MS;
    } catch (error) {
      if (signal.aborted) return;
      tell("embedder", error);
      this.#again(this.#retryMs);
      this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
    }
  }

  #again(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.wake();
    }, ms);
    // In Node a timer keeps the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** @throws the signal's reason */
  async #embedAll(signal: AbortSignal): Promise<void> {
    const { keeper, emit, inQueue, follower } = this.#parts;
    // Another handle may have embedded them while this one waited.
    await inQueue(() => follower.catchUp());
    while (this.#left() > 0) {
      signal.throwIfAborted();
      const { embedder, index } = keeper;
      const batch = this.#next();
      const vectors = await this.#paced.embed(embedder, batch, signal);
      await keeper.unread();
      await inQueue(() => this.#commit(embedder, batch, vectors, signal));
      const total = index.table.size;
      emit({ type: "progress", detail: { task: "embed", done: total - this.#left(), total } });
    }
  }

  #next(): Entry[] {
    const { index } = this.#parts.keeper;
    const batch: Entry[] = [];
    for (const id of index.home.missing) {
      const entry = this.#paced.refused.has(id) ? undefined : index.entry(id);
      if (entry) batch.push(entry);
      if (batch.length === WRITTEN_AT_ONCE) break;
    }
    return batch;
  }

  /** What was changed or forgotten while it was embedded is left for the next round. */
  async #commit(
    embedder: EntryEmbedder,
    batch: readonly Entry[],
    vectors: readonly EntryVectors[],
    signal: AbortSignal,
  ): Promise<void> {
    const { keeper, store, follower } = this.#parts;
    const texts = new Map(batch.map(({ id, indexText }) => [id, indexText]));
    const decide = async (): Promise<void> => {
      const { index } = keeper;
      if (keeper.embedder !== embedder) return;
      const still = vectors.flatMap((one) => {
        const entry = index.home.missing.has(one.entryId) ? index.entry(one.entryId) : undefined;
        return entry && entry.indexText === texts.get(entry.id) ? [{ one, revision: entry.revision }] : [];
      });
      if (still.length === 0) return;
      const { revision } = await store.write(
        {
          vectors: { space: index.space, of: still.map(({ one }) => one) },
          expect: still.map(({ one, revision }) => ({ entryId: one.entryId, revision })),
          ...(embedder.introduction && { meta: embedder.introduction }),
          // What a crash takes is embedded again.
          durable: false,
        },
        { signal },
      );
      embedder.introduced();
      for (const { one } of still) index.embedded(one.entryId, one.rows);
      await follower.vectorsCommitted(revision);
    };
    await untilSettled(decide, () => follower.catchUp());
  }
}

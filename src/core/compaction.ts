/** Keeps what only grows under its caps: in idle time, in steps of some milliseconds between the writes of this handle, by one
 * handle at a time. What is left to do is seen from the rows, so a kill in between loses nothing. */

import type { CallOptions, Store, StoreCaps } from "../ports.js";
import type { Turn, TurnId } from "../types.js";
import { untilSettled } from "./conflict.js";
import type { Follower } from "./follower.js";
import type { HandleLocks } from "./handle-locks.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";

/** What is kept at most of one user's rows. */
export interface CompactionCaps extends StoreCaps {
  /** Turns besides those that entries come from; beyond it the oldest go. */
  readonly turns: number;
}

/** 5,000 writes that a sleeping tab may miss without loading anew, some 2 MB; and 100,000 turns, some 50 MB: years of talk. */
export const CAPS: CompactionCaps = { journalRecords: 5_000, turns: 100_000 };

/** Milliseconds without a write after which it begins, and writes after which it does so again. */
const IDLE_MS = 10_000;
const WRITES = 200;
/** Turns looked at in one step. */
const PAGE = 500;

export interface CompactionParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly follower: Follower;
  readonly locks: HandleLocks;
  /** Runs a task between the writes of this handle. */
  readonly inQueue: <T>(task: () => Promise<T>) => Promise<T>;
  /** Resolves when no recall runs. */
  readonly unread: () => Promise<void>;
  readonly onTurnsRemoved: (ids: readonly TurnId[]) => void;
  readonly tell: (part: string, error: unknown) => void;
  /** Aborts when the memory is closed. */
  readonly ended: AbortSignal;
}

export class Compaction {
  readonly #parts: CompactionParts;
  readonly #caps: CompactionCaps;
  #writes = WRITES;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Turns up to this sequence are all needed. */
  #needed = -1;

  constructor(parts: CompactionParts, caps: CompactionCaps = CAPS) {
    this.#parts = parts;
    this.#caps = caps;
    parts.ended.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** Something was opened or written: idle time begins anew. */
  wake(): void {
    this.#writes += 1;
    if (this.#writes < WRITES || this.#parts.ended.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), IDLE_MS);
    // In Node a timer keeps the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Does all there is to do now.
   * @throws the signal's reason; what the store throws */
  async run({ signal }: CallOptions = {}): Promise<void> {
    const { store, inQueue } = this.#parts;
    const caps = { journalRecords: this.#caps.journalRecords };
    while (!(await this.#between(() => inQueue(() => store.tidy(caps, { signal })), signal)).isDone);
    while (await this.#between(() => inQueue(() => this.#removeTurns(signal)), signal));
  }

  /** After the memory has ended; nothing runs when it resolves. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
  }

  #begin(): void {
    const { locks, ended, tell } = this.#parts;
    this.#writes = 0;
    this.#running = locks
      .ifFree("compaction", () => this.run({ signal: ended }))
      .then(() => undefined)
      .catch((error: unknown) => {
        if (!ended.aborted) tell("compaction", error);
      });
  }

  async #between<T>(step: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    await this.#parts.unread();
    signal?.throwIfAborted();
    const result = await step();
    await pause();
    return result;
  }

  /** The oldest turns that no entry comes from go, as far as there are more than the cap.
   * @returns whether there is more to do */
  async #removeTurns(signal: AbortSignal | undefined): Promise<boolean> {
    const { follower } = this.#parts;
    return untilSettled(
      () => this.#removePage(signal),
      () => follower.catchUp(),
    );
  }

  async #removePage(signal: AbortSignal | undefined): Promise<boolean> {
    const { store, follower, onTurnsRemoved } = this.#parts;
    // An entry of another handle that is not known here may need one of them.
    const expectStore = follower.applied;
    const { turns } = await store.counts();
    if (turns <= this.#caps.turns) return false;
    const needed = new Set([...this.#parts.index().table].flatMap(({ sources }) => sources.map(({ turnId }) => turnId)));
    const excess = turns - this.#caps.turns - needed.size;
    if (excess <= 0) return false;
    const page: readonly Turn[] = await store.listTurns({ after: this.#needed, limit: PAGE });
    const last = page.at(-1);
    if (!last) return false;
    const gone = page
      .filter(({ id }) => !needed.has(id))
      .slice(0, excess)
      .map(({ id }) => id);
    if (gone.length > 0) {
      const commit = await store.write({ removeTurns: gone, expectStore }, { signal });
      onTurnsRemoved(gone);
      await follower.committed(commit, new Map(), []);
    }
    if (gone.length < excess) this.#needed = last.sequence;
    return gone.length < excess;
  }
}

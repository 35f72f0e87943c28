/** Entries that were evicted and wait for consolidation: durable, bounded, dropped after 30 days, forgotten with the rest. */

import type { Store, StoreWrite } from "../ports.js";
import type { Entry, EntryId, ForgetTarget, Timestamp, TurnId } from "../types.js";
import { untilSettled } from "./conflict.js";

export const EVICTED_KEY = "evicted";
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1_000;
/** Entries that wait, in runs of one eviction each; the oldest run goes first. */
const MAX_WAITING = 1_000;

interface Run {
  readonly key: string;
  readonly at: Timestamp;
  readonly count: number;
}

export interface EvictionQueueRow {
  readonly runs: readonly Run[];
  readonly next: number;
}

const EMPTY: EvictionQueueRow = { runs: [], next: 0 };

export type EvictedEntry = Entry & { readonly evictedAt: Timestamp };

type Meta = NonNullable<StoreWrite["meta"]>;

export class EvictionQueue {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** What a write must put so that these wait, with the oldest beyond the bound gone. Entries wait without their neighbours' words
   * and their past. */
  async adding(entries: readonly Entry[], now: Timestamp): Promise<Meta> {
    const { runs, next } = await this.#row();
    const key = `${EVICTED_KEY}:${next}`;
    const waiting = entries
      .slice(-MAX_WAITING)
      .map(({ context: _, changes: __, ...entry }): EvictedEntry => ({ ...entry, evictedAt: now }));
    const all = [...runs, { key, at: now, count: waiting.length }];
    let room = MAX_WAITING;
    const kept = all
      .toReversed()
      .filter(({ at, count }) => (room -= count) >= 0 && now - at < MAX_AGE_MS)
      .toReversed();
    return {
      ...this.#without(all, kept),
      ...(kept.some((run) => run.key === key) && { [key]: waiting }),
      [EVICTED_KEY]: { runs: kept, next: next + 1 } satisfies EvictionQueueRow,
    };
  }

  /** Drops what has waited for 30 days; only inside the write queue. */
  async expire(now: Timestamp): Promise<void> {
    await untilSettled(
      async () => {
        const expectStore = await this.#store.revision();
        const { runs, next } = await this.#row();
        const kept = runs.filter(({ at }) => now - at < MAX_AGE_MS);
        if (kept.length === runs.length) return;
        const meta = { ...this.#without(runs, kept), [EVICTED_KEY]: { runs: kept, next } satisfies EvictionQueueRow };
        await this.#store.write({ meta, expectStore });
      },
      async () => undefined,
    );
  }

  /** What a write must put so that nothing of a forgotten target waits.
   * @param entryIds,turnIds what goes with the target */
  async forgetting(
    target: ForgetTarget,
    entryIds: readonly EntryId[],
    turnIds: readonly TurnId[],
  ): Promise<{ readonly meta: Meta; readonly forgotten: number }> {
    const { runs, next } = await this.#row();
    const ids = new Set<EntryId>([...entryIds, ...("entryIds" in target ? target.entryIds : [])]);
    const turns = new Set(turnIds);
    const goes = (entry: Entry): boolean =>
      "everything" in target ||
      ids.has(entry.id) ||
      entry.sources.some(({ turnId }) => turns.has(turnId)) ||
      ("conversationId" in target && entry.conversationId === target.conversationId) ||
      ("said" in target && entry.saidAt >= target.said.from && entry.saidAt < target.said.to);
    const meta: Record<string, unknown> = {};
    const kept: Run[] = [];
    let forgotten = 0;
    for (const run of runs) {
      const waiting = await this.#waiting(run.key);
      const left = waiting.filter((entry) => !goes(entry));
      forgotten += waiting.length - left.length;
      if (left.length > 0) kept.push({ ...run, count: left.length });
      if (left.length < waiting.length) meta[run.key] = left.length > 0 ? left : undefined;
    }
    return { meta: forgotten > 0 ? { ...meta, [EVICTED_KEY]: { runs: kept, next } satisfies EvictionQueueRow } : {}, forgotten };
  }

  /** Everything that waits, oldest first. */
  async waiting(): Promise<EvictedEntry[]> {
    const { runs } = await this.#row();
    return (await Promise.all(runs.map(({ key }) => this.#waiting(key)))).flat();
  }

  async #row(): Promise<EvictionQueueRow> {
    return (await this.#store.meta<EvictionQueueRow>(EVICTED_KEY)) ?? EMPTY;
  }

  async #waiting(key: string): Promise<readonly EvictedEntry[]> {
    return (await this.#store.meta<readonly EvictedEntry[]>(key)) ?? [];
  }

  #without(all: readonly Run[], kept: readonly Run[]): Meta {
    const keys = new Set(kept.map(({ key }) => key));
    return Object.fromEntries(all.filter(({ key }) => !keys.has(key)).map(({ key }) => [key, undefined]));
  }
}

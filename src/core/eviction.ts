/** What goes when a record takes a memory over its capacity: first what is said elsewhere too, then the least useful. */

import type { StoreWrite } from "../ports.js";
import type { Entry, EntryId, Timestamp } from "../types.js";
import { leastUseful } from "../write/capacity.js";
import type { Decisions } from "./decisions.js";
import type { EvictionQueue } from "./eviction-queue.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";
import type { UsageLedger } from "./usage-ledger.js";

/** Evicted beyond the excess, as a share of the capacity, so that not every record evicts. */
const SLACK = 0.01;
/** Of the least useful, so many times those that must go are tried for a repetition first. */
const TRIED = 2;
const MAX_TRIED = 400;
/** Entries tried between two pauses. */
const SLICE = 32;

/** Revision of what is not stored yet. */
const NEW = 0;

export interface Evicted {
  /** Entries of the record itself that are not stored. */
  readonly fresh: ReadonlySet<EntryId>;
  /** Stored entries that go, with the revision that they were judged by. */
  readonly stored: readonly { readonly entryId: EntryId; readonly revision: number }[];
  /** What must be put so that they wait for consolidation. */
  readonly meta: NonNullable<StoreWrite["meta"]>;
}

/** Nothing goes: a memory may be over its capacity until the next record. */
export const NOTHING_EVICTED: Evicted = { fresh: new Set(), stored: [], meta: {} };

export interface EvictionParts {
  readonly capacity: number;
  readonly usage: UsageLedger;
  readonly queue: EvictionQueue;
}

export class Eviction {
  readonly #parts: EvictionParts;

  constructor(parts: EvictionParts) {
    this.#parts = parts;
  }

  /** @param decisions what the record adds and changes; it takes in what is said elsewhere too */
  async choose(decisions: Decisions, { table }: MemoryIndex, now: Timestamp): Promise<Evicted> {
    const { capacity, usage, queue } = this.#parts;
    const excess = table.size + decisions.added.length - capacity;
    if (excess <= 0) return NOTHING_EVICTED;
    const kept = [...table].filter(({ id }) => !decisions.changed.has(id));
    const used = await usage.of(kept.map(({ id }) => id));
    const unused = { accessCount: 0, lastAccessedAt: 0 };
    const evictable = [
      ...kept.map((entry, index) => ({ entry, usage: used[index] ?? unused })),
      ...decisions.added.map((entry) => ({ entry: { ...entry, revision: NEW }, usage: unused })),
    ];
    const wanted = excess + Math.floor(capacity * SLACK);
    const order = leastUseful(evictable, TRIED * wanted, now);
    const entries = new Map<EntryId, Entry>(evictable.map(({ entry }) => [entry.id, entry]));
    const absorbed = await this.#compress(order, entries, decisions, wanted);
    const fresh = new Set<EntryId>();
    const gone: Entry[] = [];
    for (const id of order) {
      if (fresh.size + gone.length + absorbed.length >= wanted) break;
      const entry = entries.get(id);
      // What took in another meanwhile stays.
      if (!entry || absorbed.includes(entry) || decisions.changed.has(id)) continue;
      if (entry.revision === NEW) fresh.add(id);
      else gone.push(entry);
    }
    const waiting = gone.filter(({ private: isPrivate }) => !isPrivate);
    return {
      fresh,
      stored: [...absorbed, ...gone].map(({ id, revision }) => ({ entryId: id, revision })),
      meta: waiting.length > 0 ? await queue.adding(waiting, now) : {},
    };
  }

  async #compress(
    order: readonly EntryId[],
    entries: ReadonlyMap<EntryId, Entry>,
    decisions: Decisions,
    wanted: number,
  ): Promise<Entry[]> {
    const absorbed: Entry[] = [];
    for (const [at, id] of order.slice(0, MAX_TRIED).entries()) {
      if (absorbed.length >= wanted) break;
      if (at % SLICE === SLICE - 1) await pause();
      const entry = entries.get(id);
      if (entry && entry.revision !== NEW && (await decisions.absorb(entry))) absorbed.push(entry);
    }
    return absorbed;
  }
}

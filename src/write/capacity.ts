/** Which entries go when a store is over its capacity. */

import type { Entry, EntryId, Timestamp, Usage } from "../types.js";

export interface Evictable {
  readonly entry: Entry;
  readonly usage: Usage;
}

/** Time after which an unused entry counts half: about a season. */
const HALF_LIFE_MS = 90 * 24 * 60 * 60 * 1_000;

/** What an entry is worth keeping: recency of its last use or its making, how often it was used, salience and evidence.
 * A superseded entry counts half. Weights are ours; LightMem names the parts (recency, access, salience) and no numbers. */
export function utility({ entry, usage }: Evictable, now: Timestamp): number {
  const age = Math.max(0, now - Math.max(usage.lastAccessedAt, entry.createdAt));
  const recency = 2 ** (-age / HALF_LIFE_MS);
  const sum = recency + 0.3 * Math.log1p(usage.accessCount) + entry.salience + 0.1 * Math.log2(Math.max(1, entry.evidence));
  return entry.validTo === undefined ? sum : sum / 2;
}

/** @param excess how many must go
 * @returns at most `excess` ids, least useful first; never a pinned entry */
export function leastUseful(entries: readonly Evictable[], excess: number, now: Timestamp): EntryId[] {
  return entries
    .filter(({ entry }) => !entry.pinned)
    .map((evictable) => ({ id: evictable.entry.id, worth: utility(evictable, now) }))
    .sort((a, b) => a.worth - b.worth || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, excess))
    .map(({ id }) => id);
}

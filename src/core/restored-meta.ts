/** What of a backup's meta rows may be taken in: what a person decided, waits for consolidation or was learned on the one device that
 * it was made of, where this one has nothing of the kind, or less. */

import { EVICTED_KEY, type EvictedEntry, type EvictionQueueRow } from "./eviction-queue.js";
import { isMarkRow, MARKS_PREFIX } from "./forgotten-marks.js";
import { type RestoredScorerParts, restoredScorer } from "./restored-scorer.js";
import { SCORER_KEY } from "./scorer-row.js";

type Meta = Readonly<Record<string, unknown>>;

export interface RestoredMetaParts extends RestoredScorerParts {
  /** Entries without what was forgotten of them. */
  readonly permitted: (entries: readonly EvictedEntry[]) => Promise<readonly EvictedEntry[]>;
}

/** @param given the backup's rows; they may come from anywhere
 * @returns what is to be put; nothing where all of it is here already */
export async function restoredMeta(given: ReadonlyMap<string, unknown>, parts: RestoredMetaParts): Promise<Meta> {
  const keys = await parts.store.metaKeys();
  const known = new Set(keys);
  const marks = [...given].filter(([key, value]) => key.startsWith(MARKS_PREFIX) && isMarkRow(value));
  const scorer = await restoredScorer(given.get(SCORER_KEY), new Map(marks), parts);
  return {
    // Marks add up.
    ...Object.fromEntries(marks.filter(([key]) => !known.has(key))),
    ...(known.has(EVICTED_KEY) ? {} : await queueOf(given, parts)),
    ...(scorer && { [SCORER_KEY]: scorer }),
  };
}

/** A queue is one whole. */
async function queueOf(given: ReadonlyMap<string, unknown>, { permitted }: RestoredMetaParts): Promise<Meta> {
  const row = given.get(EVICTED_KEY) as Partial<EvictionQueueRow> | undefined;
  const runs: EvictionQueueRow["runs"][number][] = [];
  const waiting: Record<string, readonly EvictedEntry[]> = {};
  for (const run of Array.isArray(row?.runs) ? row.runs : []) {
    const entries = given.get(run?.key);
    if (!Array.isArray(entries) || !Number.isFinite(run.at) || !run.key.startsWith(`${EVICTED_KEY}:`)) continue;
    const left = await permitted(entries);
    if (left.length === 0) continue;
    waiting[run.key] = left;
    runs.push({ key: run.key, at: run.at, count: left.length });
  }
  if (runs.length === 0) return {};
  const next = 1 + Math.max(...runs.map(({ key }) => Number(key.slice(EVICTED_KEY.length + 1)) || 0));
  return { ...waiting, [EVICTED_KEY]: { runs, next } satisfies EvictionQueueRow };
}

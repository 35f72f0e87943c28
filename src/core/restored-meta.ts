/** What of a backup's meta rows may be taken in: what a person decided, waits for consolidation or was learned on the one device that
 * it was made of, where this one has nothing of the kind, or less. */

import { isCount, isEntry, isTime, shapeOf } from "../backup/shapes.js";
import { EVICTED_KEY, type EvictedEntry, type EvictionQueueRow } from "./eviction-queue.js";
import { isMarkRow, MARKS_PREFIX } from "./forgotten-marks.js";
import { type RestoredScorerParts, restoredScorer } from "./restored-scorer.js";
import { SCORER_KEY } from "./scorer-row.js";

type Meta = Readonly<Record<string, unknown>>;

/** Runs are numbered. */
const RUN_KEY = new RegExp(`^${EVICTED_KEY}:\\d{1,15}$`);

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

const isRun = shapeOf<EvictionQueueRow["runs"][number]>(
  { key: (key) => typeof key === "string" && RUN_KEY.test(key), at: isTime, count: isCount },
  {},
);

/** A queue is one whole. */
async function queueOf(given: ReadonlyMap<string, unknown>, { permitted }: RestoredMetaParts): Promise<Meta> {
  const row = given.get(EVICTED_KEY) as Partial<EvictionQueueRow> | undefined;
  const runs = new Map<string, EvictionQueueRow["runs"][number]>();
  const waiting: Record<string, readonly EvictedEntry[]> = {};
  for (const run of Array.isArray(row?.runs) ? row.runs.filter(isRun) : []) {
    const entries: unknown = given.get(run.key);
    const left = Array.isArray(entries) ? await permitted(entries.filter(isEvicted)) : [];
    if (left.length === 0) continue;
    waiting[run.key] = left;
    runs.set(run.key, { key: run.key, at: run.at, count: left.length });
  }
  if (runs.size === 0) return {};
  const next = 1 + Math.max(...[...runs.keys()].map((key) => Number(key.slice(EVICTED_KEY.length + 1))));
  return { ...waiting, [EVICTED_KEY]: { runs: [...runs.values()], next } satisfies EvictionQueueRow };
}

function isEvicted(entry: unknown): entry is EvictedEntry {
  return isEntry(entry) && isTime((entry as Partial<EvictedEntry>).evictedAt);
}

/** What became of what was written, counted over the entries. */

import type { Entry, MemoryStats } from "../types.js";

export function writingCounts(entries: Iterable<Entry>): NonNullable<MemoryStats["writing"]> {
  const counts = { fellBack: 0, superseded: 0, marked: 0 };
  for (const { fellBack, validTo, maybeUntil } of entries) {
    if (fellBack) counts.fellBack++;
    if (validTo !== undefined) counts.superseded++;
    else if (maybeUntil) counts.marked++;
  }
  return counts;
}

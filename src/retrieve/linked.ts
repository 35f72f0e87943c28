/** Memories that the graph leads to from a question: they gain a little, and say in the trace how they were reached. */

import type { Mask } from "../ports.js";
import type { EntryId } from "../types.js";
import type { EntryTable } from "./entry-table.js";
import { highest } from "./ranking.js";

export interface LinkedEntry {
  /** 0 to 1. */
  readonly weight: number;
  /** Names of nodes from the question to it. */
  readonly path: string;
}

export type LinkedEntries = ReadonlyMap<EntryId, LinkedEntry>;

/** What a full weight adds to the coarse score. With the categories of LoCoMo's conversations, of .09 to .36 below the middle: multi-hop
 * questions gain, and no other kind loses. */
export const LINKED_WEIGHT = 0.18;

/** What of a gain is left above the best score that there was: how unlikely the others are is told by their distance from the best, and
 * a category whose best member rises must not push out its last. */
const ABOVE_BEST = 0.1;

/** Raises the scores of linked entries. */
export function addLinked(total: Float64Array, table: EntryTable, linked: LinkedEntries, mask: Mask, gain: number): void {
  const best = highest(total, mask);
  for (const [id, { weight }] of linked) {
    const slot = table.slotOf(id);
    if (slot === undefined || mask[slot] !== 1) continue;
    const raised = (total[slot] as number) + gain * weight;
    total[slot] = raised > best ? best + ABOVE_BEST * (raised - best) : raised;
  }
}

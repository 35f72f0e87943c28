/** Memories that the graph leads to from a question: they gain a little, become candidates, and say in the trace how they were reached. */

import type { Mask } from "../ports.js";
import type { EntryId } from "../types.js";
import type { EntryTable } from "./entry-table.js";

export interface LinkedEntry {
  /** 0 to 1. */
  readonly weight: number;
  /** Names of nodes from the question to it. */
  readonly path: string;
}

export type LinkedEntries = ReadonlyMap<EntryId, LinkedEntry>;

/** What a full weight adds to the coarse score: of 0, .03 and .15 the one that lowers no category of LoCoMo; .15 costs .03 on multi-hop
 * questions, since a category holds far more than what is asked for. */
export const LINKED_WEIGHT = 0.03;

/** Raises the scores of linked entries.
 * @returns their slots */
export function addLinked(total: Float64Array, table: EntryTable, linked: LinkedEntries, mask: Mask, gain: number): number[] {
  const slots: number[] = [];
  for (const [id, { weight }] of linked) {
    const slot = table.slotOf(id);
    if (slot === undefined || mask[slot] !== 1) continue;
    total[slot] = (total[slot] as number) + gain * weight;
    slots.push(slot);
  }
  return slots;
}

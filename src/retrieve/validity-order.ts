/** Puts what holds before what is over.
 *
 * A correction is found by the words of what it corrects: where only the old value is found, the new one comes with it. Questions
 * after the past keep the order of their scores. */

import type { Candidate, Selected } from "../ports.js";
import type { Entry, EntryId, Plan, Timestamp } from "../types.js";
import { asksFormer } from "./question.js";

export interface ValidityQuestion {
  readonly text: string;
  readonly plan: Plan;
  /** Present time of the question. */
  readonly now: Timestamp;
  /** Most that may be selected. */
  readonly k: number;
}

export interface Ordered {
  /** Those given, and what comes with them. */
  readonly candidates: readonly Candidate[];
  readonly selected: readonly Selected[];
}

/** @param selected best first; scores stay with the places
 * @param find an entry that may be shown, by its id */
export function orderByValidity(
  { text, plan, now, k }: ValidityQuestion,
  candidates: readonly Candidate[],
  selected: readonly Selected[],
  find: (id: EntryId) => Entry | undefined,
): Ordered {
  const all = [...candidates];
  let order = selected.map(({ index }) => index);
  const entryAt = (index: number): Entry => (all[index] as Candidate).entry;
  if (!asksFormer(text)) {
    for (const index of [...order].sort((a, b) => entryAt(b).saidAt - entryAt(a).saidAt)) {
      const entry = entryAt(index);
      const by = successorOf(entry, now);
      const place = order.indexOf(index);
      if (!by || place < 0) continue;
      let newer = all.findIndex((candidate) => candidate.entry.id === by.id);
      const found = newer < 0 && by.certain ? find(by.id) : undefined;
      // It is scored as what it corrects is.
      if (found) newer = all.push({ ...(all[index] as Candidate), entry: found }) - 1;
      if (newer < 0 || entryAt(newer).saidAt > now) continue;
      const at = order.indexOf(newer);
      if (at >= 0 && at < place) continue;
      if (at < 0 && !by.certain) continue;
      order = order.filter((one) => one !== newer);
      order.splice(order.indexOf(index), 0, newer);
    }
    if (plan.asksPresent) order = partition(order, (index) => !isOver(entryAt(index), now));
  }
  order = order.slice(0, k);
  const last = selected.at(-1)?.score ?? 0;
  return {
    candidates: all,
    selected: order.map((index, place) => ({ index, score: selected[place]?.score ?? last })),
  };
}

const isOver = ({ validTo }: Entry, now: Timestamp): boolean => validTo !== undefined && validTo <= now;

/** What took the place of an entry or of a part of it; not certain where a rule guessed it. */
function successorOf(entry: Entry, now: Timestamp): { readonly id: EntryId; readonly certain: boolean } | undefined {
  const certain = (isOver(entry, now) ? entry.supersededBy : undefined) ?? entry.amendedBy;
  if (certain !== undefined) return { id: certain, certain: true };
  return entry.maybeUntil && entry.maybeUntil.at <= now ? { id: entry.maybeUntil.by, certain: false } : undefined;
}

function partition(order: readonly number[], isFirst: (index: number) => boolean): number[] {
  return [...order.filter(isFirst), ...order.filter((index) => !isFirst(index))];
}

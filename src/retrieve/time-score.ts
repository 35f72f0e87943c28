/** How well the time of an entry fits the times that a question speaks of. */

import type { Mask } from "../ports.js";
import type { TimeWindow } from "../types.js";
import type { EntryTable } from "./entry-table.js";

const DAY_MS = 86_400_000;
/** What is told of a day is mostly told before it ends or soon after; the decay before a window is for plans. */
const BEFORE_DAYS = 3;
const AFTER_DAYS = 10;
const OUTSIDE = 0.8;
const MENTIONED = 0.95;
/** Windows that span more say nothing about a day. */
const MAX_MENTION_MS = 62 * DAY_MS;

function saidScore(saidAt: number, window: TimeWindow): number {
  // A window's day is still being told the day after.
  if (saidAt >= window.from && saidAt <= window.to + DAY_MS) return 1;
  return saidAt < window.from
    ? OUTSIDE * Math.exp(-(window.from - saidAt) / DAY_MS / BEFORE_DAYS)
    : OUTSIDE * Math.exp(-(saidAt - window.to) / DAY_MS / AFTER_DAYS);
}

function overlaps(mentions: readonly TimeWindow[], windows: readonly TimeWindow[]): boolean {
  return mentions.some(
    (mention) =>
      mention.to - mention.from <= MAX_MENTION_MS &&
      windows.some((window) => mention.from < window.to && mention.to > window.from),
  );
}

/** 1 for what was said inside a window, .95 where a time that the text speaks of overlaps one, decaying outside.
 * @returns 0 to 1 over slots; undefined when the question speaks of no time */
export function timeScores(table: EntryTable, windows: readonly TimeWindow[], mask: Mask): Float32Array | undefined {
  if (windows.length === 0) return undefined;
  const scores = new Float32Array(table.slotLimit);
  const { saidAt: times } = table;
  for (let slot = 0; slot < scores.length; slot++) {
    if (mask[slot] !== 1) continue;
    const saidAt = times[slot] as number;
    let best = 0;
    for (const window of windows) best = Math.max(best, saidScore(saidAt, window));
    if (best < MENTIONED) {
      const mentions = table.entry(slot)?.mentions;
      if (mentions && overlaps(mentions, windows)) best = MENTIONED;
    }
    scores[slot] = best;
  }
  return scores;
}

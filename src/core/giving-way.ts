/** Work in the background gives way to questions: an assistant asks, writes its answer, and asks again. */

import { orAborted } from "../or-aborted.js";
import type { Clock } from "../ports.js";
import { pause } from "./pause.js";

/** A step waits until no recall has run for so long; but after the longer time it comes all the same, so that recalls without end do
 * not hold up the work for ever: of a hundred recalls of 4 ms in a row three or four meet a step. */
const QUIET_MS = 30;
const PATIENCE_MS = 120;

export interface GivingWayParts {
  /** Fine milliseconds. */
  readonly stopwatch: Clock;
  /** Milliseconds since a recall was at work. */
  readonly unreadMs: () => number;
}

/** Resolves when the next step may come.
 * @throws the signal's reason, at once */
export async function giveWay({ stopwatch, unreadMs }: GivingWayParts, signal?: AbortSignal): Promise<void> {
  await pause();
  const started = stopwatch.now();
  for (;;) {
    signal?.throwIfAborted();
    const leftMs = Math.min(QUIET_MS - unreadMs(), started + PATIENCE_MS - stopwatch.now());
    if (leftMs <= 0) return;
    const passed = new Promise<void>((resolve) => setTimeout(resolve, leftMs));
    await (signal ? orAborted(passed, signal) : passed);
  }
}

/** Calls of a model one after another: it has one state. */

import { untilAborted } from "../../rpc/cancel.js";

/** @returns runs a task when all before are over; a caller that gives up is told at once, and a task that has not begun never does
 * @throws what the task throws; the signal's reason */
export function serially(): <T>(signal: AbortSignal | undefined, task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, task) => {
    const turn = last.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    last = turn.catch(() => undefined);
    return untilAborted(turn, signal);
  };
}

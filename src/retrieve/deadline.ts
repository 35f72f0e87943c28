/** Races a slow step against its share of a recall's time. */

import { MemoryError } from "../errors.js";
import type { CallOptions } from "../ports.js";

export type Timed<T> = { readonly kept: true; readonly value: T } | { readonly kept: false; readonly reason: string };

/** Resolves after so many milliseconds; the platform's timer unless a test brings its own. */
export type Wait = (ms: number) => { readonly done: Promise<void>; cancel(): void };

export const platformWait: Wait = (ms) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const done = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return { done, cancel: () => clearTimeout(timer) };
};

/** The step's value if it comes within `ms`; else why not. The step is told to stop when it is late. A caller's own abort rejects
 * with the signal's reason; any other failure of the step is a reason, not an error, since lite has answered already.
 * @param ms Infinity waits as long as it takes */
export async function within<T>(
  ms: number,
  step: (options: Required<CallOptions>) => Promise<T>,
  signal: AbortSignal | undefined,
  wait: Wait,
): Promise<Timed<T>> {
  signal?.throwIfAborted();
  if (ms <= 0) return { kept: false, reason: "no time was left for it" };
  const late = new AbortController();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      late.abort(signal?.reason);
      reject(signal?.reason);
    };
  });
  aborted.catch(() => undefined);
  // Removed again below: a long-lived signal must not collect a listener with every recall.
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = Number.isFinite(ms) ? wait(ms) : undefined;
  const answer = step({ signal: late.signal }).then(
    (value): Timed<T> => ({ kept: true, value }),
    (error: unknown): Timed<T> => ({
      kept: false,
      reason: `it failed: ${error instanceof Error ? error.message : String(error)}`,
    }),
  );
  const lateness = timer?.done.then((): Timed<T> => {
    late.abort(new MemoryError("timeout", `it took longer than ${Math.round(ms)} ms`));
    return { kept: false, reason: `it took longer than ${Math.round(ms)} ms` };
  });
  try {
    const timed = await Promise.race([answer, aborted, ...(lateness ? [lateness] : [])]);
    signal?.throwIfAborted();
    return timed;
  } finally {
    timer?.cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}

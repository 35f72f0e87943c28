/** The lease of a batch that is on its way to an engine: a lock from before it is shown until it waits or is over, which ends with its
 * holder. The lock of consolidation is not held meanwhile, since a person may read for hours. */

import { hashWord } from "../lre/hash.js";
import type { HandleLocks } from "./handle-locks.js";

/** In Node each lock is a file that stays. Of two batches of one lock, one waits for the other. */
export const LEASES = 16;

/** Ends the lease. */
export type Lease = () => void;

/** @param ended ends it as well
 * @returns `undefined` where another handle has it */
export function takeLease(locks: HandleLocks, jobId: string, ended: AbortSignal): Promise<Lease | undefined> {
  return new Promise((resolve, reject) => {
    const lend = () =>
      new Promise<void>((end) => {
        const release = () => {
          ended.removeEventListener("abort", release);
          end();
        };
        ended.addEventListener("abort", release, { once: true });
        if (ended.aborted) release();
        resolve(release);
      });
    locks.ifFree(`batch ${hashWord(jobId) % LEASES}`, lend).then((isLent) => isLent || resolve(undefined), reject);
  });
}

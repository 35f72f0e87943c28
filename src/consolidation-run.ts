/** Consolidation with an engine, as the page drives it: each batch is prepared by the memory, shown, sent, and given back. */

import type { MemoryBackend } from "./backend.js";
import { isMemoryError, MemoryError } from "./errors.js";
import { orAborted } from "./or-aborted.js";
import type { CallOptions, Consolidator } from "./ports.js";
import type { Consolidation } from "./types.js";

export interface ConsolidateOptions extends CallOptions {
  /** Who consolidates, such as `modelConsolidator(engine)`; without one the memory itself does, and nothing leaves it. */
  readonly consolidator?: Consolidator;
  /** Whether the person has agreed that scrubbed text goes to this consolidator. Names cannot be promised to be found, see README. */
  readonly optedIn?: boolean;
  /** Shown what is about to be sent, one text a memory; false leaves the batch waiting, and ends the run. */
  readonly review?: (outbound: readonly string[]) => boolean | Promise<boolean>;
  /** Milliseconds that the consolidator has for a batch; 120,000 by default. */
  readonly timeoutMs?: number;
  /** About how many tokens may go out and come back on one day (UTC), over all calls; no limit by default. A batch that would go beyond
   * waits for a later call, and its job says so. */
  readonly maxTokensPerDay?: number;
  /** Batches at most; all by default. */
  readonly maxBatches?: number;
}

/** One that consolidates in the background from now on. */
export type AttachedConsolidation = Omit<ConsolidateOptions, "signal" | "consolidator"> & {
  readonly consolidator: Consolidator;
};

const TIMEOUT_MS = 120_000;

/** @throws RangeError for a limit that is none; MemoryError "unsupported" before the person has opted in */
export function checkConsolidation({ consolidator, optedIn, ...limits }: ConsolidateOptions): void {
  // A limit that is no number would hold nothing back, and nobody would see it.
  for (const name of ["timeoutMs", "maxBatches", "maxTokensPerDay"] as const) {
    const limit = limits[name] ?? 0;
    if (!(limit >= 0)) throw new RangeError(`${name} is a number of 0 or more, not ${limit}`);
  }
  if (consolidator && optedIn !== true)
    throw new MemoryError(
      "unsupported",
      "nothing is sent to a consolidator before the person has agreed: pass optedIn: true once they have",
    );
}

/** @throws as {@link checkConsolidation}; the signal's reason */
export async function runConsolidation(backend: MemoryBackend, options: ConsolidateOptions): Promise<Consolidation> {
  checkConsolidation(options);
  const { consolidator, review, signal, maxTokensPerDay } = options;
  const { timeoutMs = TIMEOUT_MS, maxBatches = Number.POSITIVE_INFINITY } = options;
  if (!consolidator) return backend.longTerm({ type: "consolidate" }, { signal });
  const tally = { batches: 0, entries: 0, operations: 0, refused: {} as Record<string, number> };
  while (tally.batches < maxBatches) {
    const prepared = await backend.longTerm(
      { type: "prepare", consolidator: consolidator.id, ...(maxTokensPerDay !== undefined && { maxTokensPerDay }) },
      { signal },
    );
    if (!prepared) break;
    const { job, batch } = prepared;
    const fail = (reason: string, retryAfterMs?: number) =>
      backend.longTerm({ type: "fail", jobId: job.id, reason, ...(retryAfterMs !== undefined && { retryAfterMs }) });
    let operations: readonly unknown[];
    try {
      if (review && !(await review(job.outbound ?? []))) {
        await fail("the person did not let it go", 0);
        break;
      }
      await backend.longTerm({ type: "sent", jobId: job.id });
      const limit = AbortSignal.timeout(timeoutMs);
      const until = signal ? AbortSignal.any([signal, limit]) : limit;
      // A consolidator may not listen to its signal.
      operations = await orAborted(consolidator.consolidate(batch, { signal: until }), until);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await fail(reason, isMemoryError(error) ? error.details?.retryAfterMs : undefined);
      signal?.throwIfAborted();
      break;
    }
    const { refused, ...done } = await backend.longTerm({ type: "finish", jobId: job.id, operations });
    tally.batches++;
    tally.entries += done.entries;
    tally.operations += done.operations;
    for (const [reason, count] of Object.entries(refused)) tally.refused[reason] = (tally.refused[reason] ?? 0) + count;
  }
  return { ...tally, ...(await backend.longTerm({ type: "standing", place: "engine" })) };
}

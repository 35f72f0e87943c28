/** Consolidation by a model, as an app would run it, with what came of its batches. */

import { type Memory, modelConsolidator } from "keepsake/node";
import type { SlmEngine } from "../src/ports.js";

/** Calls in a row that a batch fails in: the next call tries it again. */
const MAX_FAILURES = 3;
const TIMEOUT_MS = 900_000;

export interface ModelBatches {
  readonly batches: number;
  /** Batches without a readable answer; they wait, and their memories are the device's alone. */
  readonly failed: number;
  readonly operations: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly batchMs: readonly number[];
}

/** All that waits for an engine. What the device makes of the failed batches by itself is made too. */
export async function consolidateByModel(memory: Memory, engine: SlmEngine): Promise<ModelBatches> {
  const batchMs: number[] = [];
  const model = modelConsolidator(engine);
  const consolidator = {
    ...model,
    consolidate: async (...given: Parameters<typeof model.consolidate>) => {
      const started = performance.now();
      try {
        return await model.consolidate(...given);
      } finally {
        batchMs.push(performance.now() - started);
      }
    },
  };
  let [batches, failed, operations] = [0, 0, 0];
  const refused: Record<string, number> = {};
  for (let inVain = 0; inVain < MAX_FAILURES; ) {
    const tried = batchMs.length;
    const done = await memory.consolidate({ consolidator, optedIn: true, timeoutMs: TIMEOUT_MS });
    if (batchMs.length === tried) break;
    batches += done.batches;
    operations += done.operations;
    for (const [reason, count] of Object.entries(done.refused)) refused[reason] = (refused[reason] ?? 0) + count;
    // A call ends with the first batch that fails.
    failed = batchMs.length - batches;
    inVain = done.batches > 0 ? 0 : inVain + 1;
  }
  await memory.consolidate();
  return { batches, failed, operations, refused, batchMs };
}

/** Times of a whole memory through its public surface, in a Chromium worker. */

import { findModel } from "../scripts/models.mjs";
import { runInChromium } from "./browser.js";
import type { MemoryBenchInput } from "./memory.worker.js";

/** Figures in milliseconds: `open.ms` (to the first recall), `recall.static.p50 | .p95`, `recall.minilm.p50 | .p95`,
 * `record.p50 | .p95`, `recall.static.p95.duringImport` of 10,000 turns. Those of MiniLM are left out where its weights
 * are not there (`npm run models`). Measures dist/: build first. A few minutes. */
export async function benchMemory({ entries = 10_000, seed = 1 } = {}): Promise<Readonly<Record<string, number>>> {
  const weights = await findModel("minilm");
  const input: MemoryBenchInput = { entries, seed, ...(weights !== undefined && { modelBase: "/models/" }) };
  const { value } = await runInChromium("bench/memory.worker.ts", { input, timeoutMs: 900_000, built: true });
  return value as Record<string, number>;
}

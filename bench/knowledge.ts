/** What the graph costs a recall, and what its making costs the recalls beside it, in a Chromium worker. */

import { runInChromium } from "./browser.js";
import type { KnowledgeBenchInput } from "./knowledge.worker.js";

/** Figures: `knowledge.recall.p50 | .p95` with the graph and `.without`, in milliseconds, taken in turns; `knowledge.recall.share.p50 | .p95`
 * of one by the other; the same under `knowledge.fresh` where something was recorded before each recall, under `knowledge.cold` where that
 * was consolidated too, and under `knowledge.large` with 100,000 nodes more; `consolidate.batchMs` of a batch by itself, and
 * `consolidate.recall.share.p95` of recalls beside batches, `consolidate.beside` in number, by idle ones. Measures dist/: build first.
 * Some minutes. */
export async function benchKnowledge({
  entries = 3_000,
  large = 100_000,
  seed = 1,
} = {}): Promise<Readonly<Record<string, number>>> {
  const input: KnowledgeBenchInput = { entries, large, seed };
  const { value } = await runInChromium("bench/knowledge.worker.ts", { input, timeoutMs: 900_000, built: true });
  return value as Record<string, number>;
}

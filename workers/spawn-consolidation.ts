/** The one place that names the consolidation worker's script; see `spawn-memory.ts` on the form of the expression. */
export function spawnConsolidationWorker(): Worker {
  return new Worker(new URL("./consolidation.worker.js", import.meta.url), { type: "module", name: "keepsake-consolidation" });
}

/** The one place that names the MiniLM worker's script; see `spawn-memory.ts` on the form of the expression. */
export function spawnMiniLmWorker(): Worker {
  return new Worker(new URL("./minilm.worker.js", import.meta.url), { type: "module", name: "keepsake-minilm" });
}

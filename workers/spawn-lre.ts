/** The one place that names the learning worker's script; see `spawn-memory.ts` on the form of the expression. */
export function spawnLreWorker(): Worker {
  return new Worker(new URL("./lre.worker.js", import.meta.url), { type: "module", name: "keepsake-lre" });
}

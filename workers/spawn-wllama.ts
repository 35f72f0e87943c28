/** The one place that names the wllama worker's script; see `spawn-memory.ts` on the form of the expression. */
export function spawnWllamaWorker(): Worker {
  return new Worker(new URL("./wllama.worker.js", import.meta.url), { type: "module", name: "keepsake-wllama" });
}

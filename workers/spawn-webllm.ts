/** The one place that names the WebLLM worker's script; see `spawn-memory.ts` on the form of the expression. */
export function spawnWebLlmWorker(): Worker {
  return new Worker(new URL("./webllm.worker.js", import.meta.url), { type: "module", name: "keepsake-webllm" });
}

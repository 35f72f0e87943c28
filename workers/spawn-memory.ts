/** The one place that names the memory worker's script. Bundlers match the expression by its syntax, and the text holds
 * in the sources (where it means the .ts file) and in the flat dist alike. */
export function spawnMemoryWorker(): Worker {
  return new Worker(new URL("./memory.worker.js", import.meta.url), { type: "module", name: "keepsake-memory" });
}

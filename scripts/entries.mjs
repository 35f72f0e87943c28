/** What the package consists of: every built file has its source here, and nowhere else. A new subpath is one line here,
 * one in package.json's `exports` and one in tsconfig.base.json's `paths`; `test/packaging/exports.test.ts` compares them. */
import { join } from "node:path";

/** `dist/<name>.js` for the page or for Node; "index" is the package itself, every other name a subpath. */
export const PAGES = {
  index: "src/index.ts",
  minilm: "src/embed/minilm.ts",
  lre: "src/lre/index.ts",
  webllm: "src/slm/engines/webllm.ts",
  wllama: "src/slm/engines/wllama.ts",
  "prompt-api": "src/slm/engines/prompt-api.ts",
  "node-llama": "src/slm/engines/node-llama.ts",
  "openai-compatible": "src/slm/engines/openai-compatible.ts",
  "openai-consolidator": "src/slm/engines/openai-consolidator.ts",
  "ai-sdk-model": "src/slm/engines/ai-sdk.ts",
  node: "src/node/index.ts",
};

/** `dist/<name>.js`, each a build of its own, so that it runs where import maps do not reach. */
export const WORKERS = {
  "memory.worker": "workers/memory.worker.ts",
  "minilm.worker": "workers/minilm.worker.ts",
  "lre.worker": "workers/lre.worker.ts",
  "webllm.worker": "workers/webllm.worker.ts",
  "wllama.worker": "workers/wllama.worker.ts",
  "consolidation.worker": "workers/consolidation.worker.ts",
};

/** Files that a worker fetches, copied as they are. */
export const ASSETS = ["workers/kernel.wasm", "workers/embeddings.bin", "workers/names.bin"];

/** What Vite must know of before it serves the sources: it does not look into workers, finds these while the page runs, and
 * then reloads it. */
export const PREBUNDLED = [
  "comlink",
  "idb",
  "ulid",
  "@orama/stemmers/english",
  "hnswlib-wasm/lib/hnswlib.mjs",
  "@zip.js/zip.js/lib/zip-core-reader.js",
  "@mlc-ai/web-llm",
  "@wllama/wllama",
  "@huggingface/transformers",
  "openai",
];

/** Where the public names are found in this repository, for Vite and Vitest: demo, eval and bench import those.
 * @param {string} root the repository
 * @returns {{ find: RegExp, replacement: string }[]} */
export function sourceAliases(root) {
  return Object.entries(PAGES).map(([name, source]) => ({
    find: new RegExp(`^keepsake${name === "index" ? "" : `/${name}`}$`),
    replacement: join(root, source),
  }));
}

/** The same for what `npm run build` made.
 * @param {string} root the repository
 * @returns {{ find: RegExp, replacement: string }[]} */
export function builtAliases(root) {
  return sourceAliases(root).map(({ find }, index) => ({
    find,
    replacement: join(root, "dist", `${Object.keys(PAGES)[index]}.js`),
  }));
}

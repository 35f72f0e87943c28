/** Runs inside a frame with a content security policy and reports which index answers there. */

import factory from "hnswlib-wasm/lib/hnswlib.mjs";
import { isMemoryError } from "../../src/errors.js";
import { createAutoIndex } from "../../src/vector/auto.js";
import { loadKernel } from "../../src/vector/kernel.js";
import { kernelUrl } from "../../workers/assets.js";

// Vitest rewrites import() into a call of its runner, which this frame does not have.
Object.assign(globalThis, { __vitest_browser_runner__: { wrapDynamicImport: (load: () => Promise<unknown>) => load() } });

async function report() {
  const opened = await loadKernel(kernelUrl());
  let degraded = "";
  const index = createAutoIndex({
    dimension: 8,
    kernel: opened.kernel,
    hnswThreshold: 20,
    // Imported above, so that the frame has it before its policy is asked.
    importPeer: async () => ({ default: factory }),
    onDegraded: (reason) => {
      degraded = isMemoryError(reason) ? reason.code : String(reason);
    },
  });
  // From its first search on it wants a graph.
  index.search(new Float32Array(8).fill(1), 1);
  for (let slot = 0; slot < 40; slot++)
    index.add(
      slot,
      Float32Array.from({ length: 8 }, (_, i) => Math.sin(slot + i)),
    );
  await index.settled();
  const found = index.search(
    Float32Array.from({ length: 8 }, () => 1),
    40,
  ).length;
  return { kernel: opened.kernel ? "open" : opened.reason, kind: index.kind, found, degraded };
}

report().then(
  (result) => parent.postMessage(result, "*"),
  (error: unknown) => parent.postMessage({ error: String(error) }, "*"),
);

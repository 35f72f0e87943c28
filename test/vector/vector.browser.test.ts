import { describe, expect, it } from "vitest";
import { createAutoIndex } from "../../src/vector/auto.js";
import { FlatIndex } from "../../src/vector/flat.js";
import { openHnswIndex } from "../../src/vector/hnsw.js";
import { type Kernel, loadKernel } from "../../src/vector/kernel.js";
import { kernelUrl } from "../../workers/assets.js";
import { describeVectorIndex } from "./contract.js";

async function browserKernel(): Promise<Kernel> {
  const opened = await loadKernel(kernelUrl());
  if (!opened.kernel) throw new Error(opened.reason);
  return opened.kernel;
}

describeVectorIndex({
  name: "flat wasm",
  open: async (dimension) => new FlatIndex({ dimension, kernel: await browserKernel() }),
  recall: 1,
});
describeVectorIndex({ name: "flat js", open: async (dimension) => new FlatIndex({ dimension }), recall: 1 });
describeVectorIndex({ name: "hnsw", open: (dimension) => openHnswIndex({ dimension }), recall: 0.95 });
describeVectorIndex({
  name: "auto above its threshold",
  open: async (dimension) => {
    const index = createAutoIndex({ dimension, kernel: await browserKernel(), hnswThreshold: 1 });
    // From its first search on it wants a graph.
    index.search(new Float32Array(dimension).fill(1), 1);
    return index;
  },
  recall: 0.95,
  settle: async (index) => {
    const auto = index as ReturnType<typeof createAutoIndex>;
    await auto.settled();
    expect(auto.kind).toBe("hnsw");
  },
});

describe("loading the kernel", () => {
  it("does not mind the MIME type", async () => {
    const bytes = await (await fetch(kernelUrl())).arrayBuffer();
    const url = URL.createObjectURL(new Blob([bytes], { type: "text/plain" }));
    expect((await loadKernel(url)).kernel).toBeDefined();
    URL.revokeObjectURL(url);
  });

  it("gives a reason for a file that is not there or not a kernel", async () => {
    const page = URL.createObjectURL(new Blob(["<!doctype html>"], { type: "text/html" }));
    for (const url of [page, new URL("/no/such/kernel.wasm", location.href), "http://127.0.0.1:1/kernel.wasm"]) {
      const opened = await loadKernel(url);
      expect(opened.kernel).toBeUndefined();
      expect(opened).toHaveProperty("reason", expect.stringMatching(/kernel/));
    }
  });

  it("rejects with the signal's reason when aborted", async () => {
    const reason = new Error("left the page");
    await expect(loadKernel(kernelUrl(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("under a content security policy", () => {
  /** Runs policed.ts in a frame of its own under this `script-src`, and resolves with what it reports. */
  async function underPolicy(scriptSource: string): Promise<unknown> {
    const frame = document.createElement("iframe");
    const script = new URL("./policed.ts", import.meta.url).href;
    const report = new Promise((resolve) => {
      addEventListener("message", function listen(event) {
        if (event.source !== frame.contentWindow) return;
        removeEventListener("message", listen);
        resolve(event.data);
      });
    });
    frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="script-src ${scriptSource}"><script type="module" src="${script}"></script>`;
    document.body.append(frame);
    try {
      return await report;
    } finally {
      frame.remove();
    }
  }

  it("scans in plain JS where WebAssembly is refused, without an error", async () => {
    expect(await underPolicy("'self'")).toMatchObject({
      kernel: expect.stringContaining("wasm-unsafe-eval"),
      kind: "flat-js",
      found: 40,
      degraded: "unsupported",
    });
  });

  it("scans in WASM where that is allowed but 'unsafe-eval', which HNSW needs, is not", async () => {
    expect(await underPolicy("'self' 'wasm-unsafe-eval'")).toMatchObject({
      kernel: "open",
      kind: "flat-wasm",
      found: 40,
      degraded: "unsupported",
    });
  });

  it("uses HNSW where eval is allowed", async () => {
    expect(await underPolicy("'self' 'unsafe-eval'")).toMatchObject({ kernel: "open", kind: "hnsw", found: 40, degraded: "" });
  });
});

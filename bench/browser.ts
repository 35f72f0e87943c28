/** Runs a module worker of this repository in headless Chromium and brings its JSON answer back. */

import { fileURLToPath } from "node:url";
import { chromium } from "playwright";
import { createServer } from "vite";
import { CHROME_FLAGS, ensureChrome } from "../scripts/chrome.mjs";
import { builtAliases, PREBUNDLED, sourceAliases } from "../scripts/entries.mjs";

export interface BrowserRun {
  /** Sent to the worker as its only message. */
  readonly input?: unknown;
  /** Default 300,000. */
  readonly timeoutMs?: number;
  /** Whether `keepsake` means what was built into dist/, as an app loads it, instead of the sources. Default false. */
  readonly built?: boolean;
}

/** What a worker of the bench posts back, once. */
export type WorkerAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** Serves the repository with Vite (cross-origin isolated, so that clocks are fine), starts `worker` as a module worker
 * and posts it `input`; the worker answers with one {@link WorkerAnswer}.
 * @param worker its source, from the repository's root: "bench/vector.worker.ts"
 * @returns the answer's value, and the browser's version
 * @throws Error with the worker's error, or when it does not answer in time */
export async function runInChromium(
  worker: string,
  { input = null, timeoutMs = 300_000, built = false }: BrowserRun = {},
): Promise<{ value: unknown; browser: string }> {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const server = await createServer({
    root,
    configFile: false,
    logLevel: "error",
    cacheDir: "node_modules/.vite/bench",
    resolve: { alias: built ? builtAliases(root) : sourceAliases(root) },
    optimizeDeps: { include: PREBUNDLED, entries: [worker] },
    server: {
      hmr: false,
      watch: null,
      headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
    },
  });
  try {
    await server.listen();
    const origin = server.resolvedUrls?.local[0];
    if (origin === undefined) throw new Error("the bench's server has no address");
    const browser = await chromium.launch({ executablePath: ensureChrome(), args: CHROME_FLAGS });
    try {
      const page = await browser.newPage();
      await page.goto(new URL("bench/page.html", origin).href);
      const answer = await page.evaluate(askWorker, { url: new URL(worker, origin).href, input, timeoutMs });
      if (!answer.ok) throw new Error(`${worker} failed in Chromium: ${answer.error}`);
      return { value: answer.value, browser: `Chromium ${browser.version()}` };
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

/** Runs in the page. */
function askWorker({ url, input, timeoutMs }: { url: string; input: unknown; timeoutMs: number }): Promise<WorkerAnswer> {
  const worker = new Worker(url, { type: "module" });
  return new Promise<WorkerAnswer>((resolve) => {
    setTimeout(() => resolve({ ok: false, error: `no answer within ${timeoutMs} ms` }), timeoutMs);
    worker.onerror = (event) => resolve({ ok: false, error: event.message || "the worker could not start" });
    worker.onmessage = (event: MessageEvent<WorkerAnswer>) => resolve(event.data);
    worker.postMessage(input);
  }).finally(() => worker.terminate());
}

/** The installed tarball recalls in a browser, however the app is built and whatever its security policy. */

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import type { Browser } from "playwright";
import { build, createServer } from "vite";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Served, serve } from "./serve.js";
import { launch, type Visit, visit } from "./visit.js";

const { bare: app } = inject("apps");
const installed = join(app, "node_modules/keepsake/dist");
const STRICT = "default-src 'self'; img-src data:; script-src 'self'; worker-src 'self'";
const STRICT_WITH_WASM = STRICT.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Serves a folder for as long as one visit takes. */
async function visitFolder(folder: string, page = "", options: Parameters<typeof serve>[1] = {}): Promise<Visit> {
  const served: Served = await serve(folder, options);
  try {
    return await visit(browser, served.url + page);
  } finally {
    await served.close();
  }
}

function expectRecall(visited: Visit, vectorIndex: string): void {
  expect(visited.outcome.error).toBeUndefined();
  expect(visited.outcome.first).toContain("Lisbon");
  expect(visited.outcome.text).toContain("Lisbon");
  expect(visited.outcome).toMatchObject({ vectorIndex, worker: true });
  expect(visited.outcome.degraded?.includes("vector index")).toBe(vectorIndex === "flat-js");
  expect(visited.responses.filter((line) => !line.startsWith("200 /"))).toEqual([]);
}

describe("vite", () => {
  const sub = { base: "/sub/path/" };
  const built = join(app, "out/vite");
  const settings = { root: app, configFile: false, logLevel: "error" } as const;

  beforeAll(() => build({ ...settings, ...sub, build: { outDir: built } }));

  test("recalls under the dev server", async () => {
    const server = await createServer({ ...settings, server: { port: 0 } });
    await server.listen();
    try {
      const [url] = server.resolvedUrls?.local ?? [];
      if (!url) throw new Error("the dev server gave no URL");
      const { outcome } = await visit(browser, url);
      expect(outcome).toMatchObject({ vectorIndex: "flat-wasm", worker: true });
      expect(outcome.first).toContain("Lisbon");
    } finally {
      await server.close();
    }
  });

  test("recalls from a build at a sub-path", async () => {
    expectRecall(await visitFolder(built, "", sub), "flat-wasm");
  });

  test("recalls with the WASM kernel under a strict CSP that allows WASM", async () => {
    const visited = await visitFolder(built, "", { ...sub, csp: STRICT_WITH_WASM });
    expectRecall(visited, "flat-wasm");
    expect(visited.errors).toEqual([]);
  });

  test("recalls in plain JS under a strict CSP that refuses WASM", async () => {
    expectRecall(await visitFolder(built, "", { ...sub, csp: STRICT }), "flat-js");
  });
});

describe("esbuild", () => {
  test("recalls when the worker is an entry point and the assets are copied", async () => {
    const out = join(app, "out/esbuild");
    await esbuild.build({
      absWorkingDir: app,
      entryPoints: ["main.js", "keepsake/memory.worker.js"],
      bundle: true,
      format: "esm",
      splitting: true,
      entryNames: "[name]",
      outdir: out,
      logLevel: "error",
    });
    for (const asset of ["kernel.wasm", "embeddings.bin"]) cpSync(join(installed, asset), join(out, asset));
    cpSync(join(app, "index.html"), join(out, "index.html"));
    expectRecall(await visitFolder(out), "flat-wasm");
  });

  test("recalls as one classic script with createWorker and assetBase", async () => {
    const out = join(app, "out/classic");
    mkdirSync(join(out, "files/of/keepsake"), { recursive: true });
    const common = { absWorkingDir: app, bundle: true, logLevel: "error" } as const;
    await esbuild.build({ ...common, entryPoints: ["classic.js"], format: "iife", outdir: out });
    await esbuild.build({
      ...common,
      entryPoints: ["keepsake/memory.worker.js"],
      format: "esm",
      outfile: join(out, "workers/keepsake.js"),
    });
    for (const asset of ["kernel.wasm", "embeddings.bin"]) cpSync(join(installed, asset), join(out, "files/of/keepsake", asset));
    cpSync(join(app, "classic.html"), join(out, "index.html"));
    const visited = await visitFolder(out);
    expectRecall(visited, "flat-wasm");
    expect(visited.responses).toContain("200 /files/of/keepsake/kernel.wasm");
    expect(visited.responses).toContain("200 /workers/keepsake.js");
  });
});

describe("no bundler", () => {
  test("recalls on a plain page with an import map", async () => {
    expectRecall(await visitFolder(app, "plain.html"), "flat-wasm");
  });

  test("recalls with the WASM kernel from a server that does not know WASM's MIME type", async () => {
    const types = { ".wasm": "application/octet-stream" };
    expectRecall(await visitFolder(app, "plain.html", { types }), "flat-wasm");
  });
});

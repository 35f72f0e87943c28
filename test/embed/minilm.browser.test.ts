import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { minilm } from "../../src/embed/minilm.js";
import type { ConnectableEmbedder } from "../../src/ports.js";
import { remoteEmbedder } from "../../src/rpc/embedder.js";
import { spawnMiniLmWorker } from "../../workers/spawn-minilm.js";
import { cosine, embedderContract } from "./contract.js";
import { REFERENCE } from "./minilm-reference.js";

const BULK = Array<string>(40).fill("a sentence that is one of very many in a bulk");
const modelBase = "/models/";
// Vite answers an unknown path with its page, so the status alone does not tell.
const config = await fetch(`${modelBase}Xenova/all-MiniLM-L6-v2/config.json`);
const present = config.ok && (config.headers.get("content-type") ?? "").includes("json");
const why = present ? "" : " (skipped: `npm run models` has not put the weights in place)";

const provider = minilm({ modelBase });

describe.skipIf(!present)(`MiniLM in Chromium${why}`, { timeout: 120_000 }, () => {
  embedderContract("MiniLM in its worker", () => provider.open(), { least: 0.99 });

  const seen: { done: number; total: number }[] = [];
  let embedder: ConnectableEmbedder;
  beforeAll(async () => {
    embedder = await provider.open({ onProgress: (progress) => seen.push(progress) });
  }, 120_000);
  afterAll(() => embedder.close());

  it("gives the vectors that Node gives", async () => {
    expect([embedder.id, embedder.dimension]).toEqual(["minilm-l6-v2-q8", 384]);
    for (const { text, vector } of REFERENCE) expect(cosine(await embedder.embed([text]), vector)).toBeGreaterThan(0.99);
  });

  it("has told its progress in bytes, up to the last", () => {
    expect(seen.every(({ done, total }) => done <= total)).toBe(true);
    expect(seen.at(-1)!.done).toBe(seen.at(-1)!.total);
    expect(seen.at(-1)!.total).toBeGreaterThan(20_000_000);
  });

  it("serves another worker over a port of its own", async () => {
    const port = await embedder.connect!();
    const other = await remoteEmbedder(port, { release: () => port.close() });
    expect([other.id, other.dimension]).toEqual([embedder.id, embedder.dimension]);
    expect(await other.embed(["green tea"])).toEqual(await embedder.embed(["green tea"]));
    await other.close();
    expect(await embedder.embed(["green tea"])).toHaveLength(384);
  });

  it("lets a query pass a bulk", async () => {
    const done: string[] = [];
    const bulk = embedder.embed(BULK).then(() => done.push("bulk"));
    const query = embedder.embed(["a query"]).then(() => done.push("query"));
    await Promise.all([bulk, query]);
    expect(done).toEqual(["query", "bulk"]);
  });

  it("ends the download when it is aborted in the middle", async () => {
    const reason = new Error("left the page");
    const controller = new AbortController();
    const opening = provider.open({ signal: controller.signal, onProgress: () => controller.abort(reason) });
    await expect(opening).rejects.toBe(reason);
  });

  it("starts a new worker after its own died, and rejects what was in flight", async () => {
    const workers: Worker[] = [];
    const watched = minilm({
      modelBase,
      createWorker: () => {
        const worker = spawnMiniLmWorker();
        workers.push(worker);
        return worker;
      },
    });
    const own = await watched.open();
    const lost = expect(own.embed(BULK)).rejects.toMatchObject({ code: "worker-failed" });
    workers[0]!.terminate();
    await lost;
    expect(await own.embed(["green tea"])).toHaveLength(384);
    expect(workers).toHaveLength(2);
    const unfinished = expect(own.embed(BULK)).rejects.toMatchObject({ code: "closed" });
    await own.close();
    await unfinished;
  });
});

describe("MiniLM without what it needs", { timeout: 60_000 }, () => {
  it("names the missing peer", async () => {
    const opening = minilm({ peerUrl: "/no-such-peer.js" }).open();
    await expect(opening).rejects.toMatchObject({
      code: "peer-missing",
      message: expect.stringContaining("@huggingface/transformers"),
    });
  });

  it("says that the weights could not be had", async () => {
    const opening = minilm({ modelBase: "/no-such-folder/" }).open();
    await expect(opening).rejects.toMatchObject({
      code: "asset-unavailable",
      message: expect.stringContaining("no-such-folder"),
    });
  });

  it("asks nobody for weights that are not cached when it is told to stay local", async () => {
    const opening = minilm({ localOnly: true, revision: "never-fetched" }).open();
    await expect(opening).rejects.toMatchObject({ code: "asset-unavailable", message: expect.stringContaining("localOnly") });
  });

  it("says that its worker could not start", async () => {
    const opening = minilm({ createWorker: () => new Worker("/no-such-worker.js", { type: "module" }) }).open();
    await expect(opening).rejects.toMatchObject({ code: "worker-failed" });
  });

  it("refuses a device that there is not", () => {
    expect(() => minilm({ device: "cpu" as "wasm" })).toThrow(TypeError);
  });
});

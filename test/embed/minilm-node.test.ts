import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { minilmId } from "../../src/embed/minilm-model.js";
import { minilmNode } from "../../src/embed/minilm-node.js";
import type { Embedder } from "../../src/ports.js";
import { cosine, embedderContract } from "./contract.js";
import { REFERENCE } from "./minilm-reference.js";
import { model, models } from "./models.js";

const provider = minilmNode({ modelBase: models });

describe.skipIf(!model.folder)(`MiniLM in Node${model.why}`, { timeout: 120_000 }, () => {
  // Activations are quantised over a whole run, so a text's vector moves a little with the texts beside it.
  embedderContract("MiniLM in Node", () => provider.open(), { least: 0.99 });

  const seen: { done: number; total: number }[] = [];
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await provider.open({ onProgress: (progress) => seen.push(progress) });
  }, 120_000);
  afterAll(() => embedder.close());

  it("is the papers' model: 384 dimensions, and the vectors of the reference", async () => {
    expect([embedder.id, embedder.dimension]).toEqual(["minilm-l6-v2-q8", 384]);
    for (const { text, vector } of REFERENCE) expect(cosine(await embedder.embed([text]), vector)).toBeGreaterThan(0.99);
  });

  it("has told its progress in bytes, up to the last", () => {
    expect(seen.every(({ done, total }) => done <= total)).toBe(true);
    expect(seen.at(-1)!.done).toBe(seen.at(-1)!.total);
    expect(seen.at(-1)!.total).toBeGreaterThan(20_000_000);
  });

  it("cuts texts at 256 tokens, two of them its own", async () => {
    expect(await embedder.embed([`${"tea ".repeat(254)} coffee`])).toEqual(await embedder.embed(["tea ".repeat(254)]));
  });

  it("rejects with the signal's reason when it is aborted while it loads", async () => {
    const reason = new Error("left the page");
    await expect(provider.open({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const opening = provider.open({ signal: controller.signal, onProgress: () => controller.abort(reason) });
    await expect(opening).rejects.toBe(reason);
  });

  it("says what it could not load", async () => {
    const missing = minilmNode({ modelBase: "./no-such-folder" });
    await expect(missing.open()).rejects.toMatchObject({
      code: "asset-unavailable",
      message: expect.stringContaining("no-such-folder"),
    });
  });
});

it("asks for nothing before it is opened", () => {
  expect(() => minilmNode({ modelBase: "./no-such-folder" })).not.toThrow();
});

it("names vectors of another revision otherwise", () => {
  expect(minilmId("ours")).toBe("minilm-l6-v2-q8@ours");
});

import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/memory.js";
import { openaiConsolidator } from "../../src/slm/engines/openai-consolidator.js";

const consolidator = (answer: string) =>
  openaiConsolidator({
    baseURL: "http://model.example/v1",
    model: "m",
    createWorker: () =>
      new Worker(new URL("./rigged-consolidation.worker.ts", import.meta.url), { type: "module", name: answer }),
  });
const agreed = { optedIn: true } as const;
const BATCH = { fragments: [{ fragment: 1, text: "The user drinks rooibos.", kind: "state" }], nodes: [], edges: [] } as const;

describe("the consolidation worker", { timeout: 60_000 }, () => {
  it("sends what was scrubbed, and brings back what is to be done", async () => {
    const heard: { readonly url: string; readonly body: string }[] = [];
    const channel = new BroadcastChannel("rigged-consolidation");
    channel.onmessage = ({ data }) => heard.push(data);
    const memory = await openMemory({ name: `consolidation worker ${crypto.randomUUID()}`, userId: "me" });
    await memory.record({ user: "I drink rooibos every night, write to mira.obst@example.org for some." });
    await memory.record({ user: "We keep two rabbits in the garden." });
    const done = await memory.consolidate({ consolidator: consolidator("willing"), ...agreed });
    expect(done).toMatchObject({ batches: 1, operations: 2, left: 0, refused: {} });
    expect(heard.map(({ url }) => url)).toEqual(["http://model.example/v1/chat/completions"]);
    expect(heard[0]?.body).toMatch(/\[EMAIL_/);
    expect(heard[0]?.body).not.toContain("mira.obst");
    expect((await memory.knowledge.jobs()).map(({ consolidator: by }) => by)).toEqual(["openai-compatible/model.example/m"]);
    channel.close();
    await memory.close();
  });

  it.each([
    ["prose", { code: "model-failed", message: expect.stringMatching(/no operations/) }],
    ["half", { code: "model-failed", message: expect.stringMatching(/no operations/) }],
    ["busy", { code: "model-failed", details: { status: 429, retryAfterMs: 90_000 } }],
    ["foreign", { code: "model-failed", message: expect.stringMatching(/fetch|connection|reach/i) }],
  ])("tells what went wrong when the answer is: %s", async (answer, error) => {
    await expect(consolidator(answer).consolidate(BATCH)).rejects.toMatchObject(error);
  });

  it("is ended, and the call with it, by whoever asked", async () => {
    const signal = AbortSignal.timeout(1_000);
    await expect(consolidator("silent").consolidate(BATCH, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("says where its script cannot be started", async () => {
    const broken = openaiConsolidator({
      baseURL: "http://model.example/v1",
      model: "m",
      createWorker: () => {
        throw new Error("blocked");
      },
    });
    await expect(broken.consolidate(BATCH)).rejects.toMatchObject({ code: "worker-failed" });
  });
});

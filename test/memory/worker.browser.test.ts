import { afterEach, describe, expect, it } from "vitest";
import { type ConnectableEmbedder, isMemoryError, type Memory, type MemoryOptions, openMemory } from "../../src/index.js";
import { spawnMemoryWorker } from "../../workers/spawn-memory.js";
import { memoryContract } from "./contract.js";
import { letterEmbedder } from "./letters.js";

memoryContract("worker", { open: (options) => openMemory({ userId: "me", ...options }) });

describe("the memory worker", () => {
  const memories: Memory[] = [];
  const open = async (options: Partial<MemoryOptions>) => {
    const memory = await openMemory({ name: `worker ${Date.now()} ${Math.random()}`, userId: "me", ...options });
    memories.push(memory);
    return memory;
  };
  afterEach(async () => {
    for (const memory of memories.splice(0)) await memory.close();
  });

  it("is where the work is done", async () => {
    const memory = await open({});
    expect(await memory.stats()).toMatchObject({
      worker: true,
      storage: { backend: "indexeddb" },
      index: { vector: "flat-wasm" },
      degraded: [],
    });
  });

  it("fails calls in flight with a typed error when it dies, and a new one answers the next call with everything kept", async () => {
    const workers: Worker[] = [];
    const memory = await open({
      createWorker: () => {
        const worker = spawnMemoryWorker();
        workers.push(worker);
        return worker;
      },
    });
    await memory.record({ user: "I hid the spare key under the third flowerpot." });
    const call = memory.record({
      messages: Array.from({ length: 3_000 }, (_, index) => ({
        role: "user" as const,
        text: `I counted ${index} sheep last night.`,
      })),
    });
    const failed = expect(call).rejects.toSatisfy((error: unknown) => isMemoryError(error, "worker-failed"));
    workers[0]?.terminate();
    await failed;
    expect((await memory.recall("Where is the spare key?")).items[0]?.text).toContain("flowerpot");
    expect(workers).toHaveLength(2);
    expect((await memory.stats()).turns).toBe(1);
  });

  it("goes on with an import where it was when the worker died", { timeout: 90_000 }, async () => {
    const workers: Worker[] = [];
    const memory = await open({
      createWorker: () => {
        const worker = spawnMemoryWorker();
        workers.push(worker);
        return worker;
      },
    });
    const lines = Array.from({ length: 600 }, (_, at) =>
      JSON.stringify({ id: at, role: "user", content: `I counted ${at} sheep.`, at: 1e12 + at }),
    );
    const file = new Blob([lines.join("\n")]);
    const importing = memory.import(file, { onProgress: ({ messages }) => messages > 0 && workers[0]?.terminate() });
    await expect(importing).rejects.toSatisfy((error: unknown) => isMemoryError(error, "worker-failed"));
    const { recorded, skipped } = await memory.import(file);
    expect(recorded).toBeGreaterThan(0);
    expect(skipped["already-recorded"]).toBeGreaterThan(0);
    expect((await memory.stats()).turns).toBe(600);
  });

  it("gets a new port when the embedder's worker dies, and records and recalls on", async () => {
    const workers: Worker[] = [];
    const memory = await open({
      embedder: {
        ...letterEmbedder,
        connect: async () => {
          const worker = new Worker(new URL("./letters.worker.ts", import.meta.url), { type: "module" });
          const { port1, port2 } = new MessageChannel();
          worker.postMessage(port1, [port1]);
          workers.push(worker);
          return port2;
        },
      } satisfies ConnectableEmbedder,
    });
    const degraded: string[] = [];
    memory.addEventListener("degraded", ({ detail }) => degraded.push(detail.part));
    await memory.record({ user: "I lent my ladder to Oskar." });
    workers[0]?.terminate();
    await expect.poll(() => workers.length).toBe(2);
    expect(degraded).toEqual(["embedder"]);
    // The new port may not be in place yet: such a call fails with a typed error, it does not hang.
    await expect
      .poll(() =>
        memory.record({ messages: [{ id: "oil", role: "user", text: "I oiled the ladder's hinges." }] }).then(
          () => "kept",
          (error) => error.code,
        ),
      )
      .toBe("kept");
    const recall = await memory.recall("Who has my ladder?");
    expect(recall.items.map(({ text }) => text).join()).toContain("Oskar");
    expect(recall.trace.fallbacks).toEqual([]);
  });

  it("says so when its script cannot be loaded", async () => {
    const opening = openMemory({
      name: "missing",
      userId: "me",
      createWorker: () => new Worker("/there-is-no-such-worker.js", { type: "module" }),
    });
    await expect(opening).rejects.toSatisfy((error: unknown) => isMemoryError(error, "worker-failed"));
  });

  it("says which file is missing under a wrong assetBase", async () => {
    const opening = openMemory({ name: "no assets", userId: "me", assetBase: "/nowhere/" });
    await expect(opening).rejects.toSatisfy(
      (error: unknown) => isMemoryError(error, "asset-unavailable") && error.message.includes("/nowhere/embeddings.bin"),
    );
  });

  it("refuses a tokenizer, which is a function, with what to do", async () => {
    await expect(open({ tokenizer: { count: (text) => text.length } })).rejects.toThrow(/worker: false/);
  });

  it("rejects an opening that is aborted with the signal's reason", async () => {
    await expect(open({ signal: AbortSignal.abort("changed my mind") })).rejects.toBe("changed my mind");
  });
});

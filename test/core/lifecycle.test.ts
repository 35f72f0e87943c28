import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { ConversationRef } from "../../src/backend.js";
import { LocalMemory } from "../../src/core/local-memory.js";
import type { LocalMemoryParts } from "../../src/core/local-memory-parts.js";
import { isMemoryError, MemoryError } from "../../src/errors.js";
import { settle } from "../../src/options.js";
import type { ConnectableEmbedder, Store } from "../../src/ports.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import type { ConversationId, UserId } from "../../src/types.js";
import { createAutoIndex } from "../../src/vector/auto.js";
import { letterEmbedder } from "../memory/letters.js";
import { openedMemories } from "./opened.js";

const directory = mkdtempSync(join(tmpdir(), "keepsake-lifecycle-"));
afterAll(() => rmSync(directory, { recursive: true }));
const ref: ConversationRef = { id: "default" as ConversationId, incognito: false };
const clock = { now: () => Date.now() };
const opened: LocalMemory[] = [];
let run = 0;
afterEach(async () => {
  run++;
  for (const memory of opened.splice(0)) await memory.close().catch(() => undefined);
});

const openStore = () => sqliteStores({ directory, clock }).open(`local ${run}`, "me" as UserId);

async function openLocal(store: Store, parts: Partial<LocalMemoryParts> = {}): Promise<LocalMemory> {
  let ids = 0;
  const memory = await LocalMemory.open({
    options: settle({ name: `local ${run}`, userId: "me", timeZone: "Europe/Berlin" }),
    store,
    embedder: letterEmbedder,
    wordVectors: { dimension: 2, vectors: (words) => new Float32Array(words.length * 2) },
    createVectorIndex: (dimension) => createAutoIndex({ dimension, hnswThreshold: 1_000 }),
    clock,
    stopwatch: { now: () => performance.now() },
    newId: () => `id-${run}-${ids++}`,
    emit: () => undefined,
    degraded: [],
    worker: false,
    ...parts,
  });
  opened.push(memory);
  return memory;
}

describe("a memory in this thread", () => {
  it("lists in its stats what was lacking when it opened, once", async () => {
    const lack = { part: "vector index", reason: "WASM is refused" };
    const memory = await openLocal(await openStore(), { degraded: [lack, lack] });
    expect((await memory.stats()).degraded).toEqual([lack]);
  });

  it("recalls what it has while catching up with another handle hangs, and says so", async () => {
    const store = await openStore();
    let hangs = false;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: Store = new Proxy(store, {
      get(target, key) {
        const method = Reflect.get(target, key) as unknown;
        if (typeof method !== "function") return method;
        const bound = method.bind(target) as (...args: unknown[]) => unknown;
        return key === "standing" || key === "listTurns"
          ? async (...args: unknown[]) => {
              if (hangs) await released;
              return bound(...args);
            }
          : bound;
      },
    });
    const memory = await openLocal(slow);
    await memory.record(ref, { user: "I keep bees on the roof." });
    hangs = true;
    const elsewhere: ConversationRef = { ...ref, id: "another" as ConversationId };
    const recall = await memory.recall(elsewhere, "bees", { deadlineMs: 60 });
    expect(recall.items[0]?.text).toContain("bees");
    expect(recall.trace.steps[0]?.name).toBe("prepare");
    expect((await memory.stats()).degraded.map(({ part }) => part)).toEqual(["other tabs", "short-term memory"]);
    release();
  });

  it("ends all calls in flight as closed", async () => {
    const memory = await openLocal(await openStore(), {
      embedder: { ...letterEmbedder, embed: (_, options) => rejectedWith(options?.signal) },
    });
    const calls = [memory.record(ref, { user: "I like figs." }), memory.record(ref, { user: "I like tea." })];
    const settled = Promise.allSettled(calls);
    await memory.close();
    for (const result of await settled)
      expect(result).toMatchObject({ status: "rejected", reason: expect.objectContaining({ code: "closed" }) });
  });

  it("is closed for every caller of close at the same moment", async () => {
    const memory = await openLocal(await openStore());
    const first = memory.close();
    expect(memory.close()).toBe(first);
    await first;
  });

  it("releases what it was given although its store fails to close", async () => {
    const store = await openStore();
    let released = false;
    const memory = await openLocal(
      new Proxy(store, {
        get(target, key) {
          const method = Reflect.get(target, key) as unknown;
          if (key === "close")
            return async () => {
              await target.close();
              throw new MemoryError("storage-failed", "the disk is gone");
            };
          return typeof method === "function" ? method.bind(target) : method;
        },
      }),
      {
        release: async () => {
          released = true;
        },
      },
    );
    await expect(memory.close()).rejects.toSatisfy((error: unknown) => isMemoryError(error, "storage-failed"));
    expect(released).toBe(true);
  });
});

describe("a memory", () => {
  const { open } = openedMemories();

  it("rejects an aborted listing and context with the signal's own reason", async () => {
    const memory = await open();
    await memory.record({ user: "I like figs." });
    await memory.record({ user: "I grow lemons on the balcony." });
    const reason = new Error("the person left");
    const signal = AbortSignal.abort(reason);
    await expect(memory.entries({}, { signal }).next()).rejects.toBe(reason);
    const controller = new AbortController();
    const listing = memory.entries({}, { signal: controller.signal });
    expect((await listing.next()).value?.text).toContain("lemons");
    controller.abort(reason);
    await expect(listing.next()).rejects.toBe(reason);
    await expect(memory.context({ signal })).rejects.toBe(reason);
    await expect(memory.forget({ everything: true }, { preview: true, signal })).rejects.toBe(reason);
  });

  it("rejects a record that waits behind a long one as soon as its caller leaves", async () => {
    const memory = await open();
    let isLongDone = false;
    const long = memory
      .record({
        messages: Array.from({ length: 2_000 }, (_, index) => ({ role: "user" as const, text: `I planted tree ${index}.` })),
      })
      .then(() => {
        isLongDone = true;
      });
    const controller = new AbortController();
    const waiting = memory.record({ user: "I like figs." }, { signal: controller.signal });
    const reason = new Error("the person left");
    setTimeout(() => controller.abort(reason), 1);
    await expect(waiting).rejects.toBe(reason);
    expect(isLongDone).toBe(false);
    await long;
    expect((await memory.stats()).turns).toBe(2_000);
  });

  it("closes once: a second close waits for the first, and the embedder that it opened goes too", async () => {
    let closes = 0;
    const embedder: ConnectableEmbedder = {
      ...letterEmbedder,
      close: async () => {
        closes++;
      },
    };
    const memory = await open({ embedder: { open: async () => embedder } });
    let isFirstDone = false;
    const first = memory.close().then(() => {
      isFirstDone = true;
    });
    await memory.close();
    await first;
    expect([isFirstDone, closes]).toEqual([true, 1]);
  });

  it("warns of no leak when many calls run side by side", async () => {
    const memory = await open();
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => [memory.record({ user: `I own ${index} hens.` }), memory.recall("hens")]).flat(),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });
});

function rejectedWith(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

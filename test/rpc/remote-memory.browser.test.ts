/** What may go wrong between the page and its workers, over real ones. */

import { afterEach, describe, expect, it, vi } from "vitest";
import { type ConnectableEmbedder, isMemoryError, type Memory, type MemoryOptions, openMemory } from "../../src/index.js";
import { remoteEmbedder, serveEmbedder } from "../../src/rpc/embedder.js";
import { holdLifeLock, newLifeLockName } from "../../src/rpc/life-lock.js";
import { spawnMemoryWorker } from "../../workers/spawn-memory.js";
import { letterEmbedder } from "../memory/letters.js";

const reason = new Error("the person left");
const memories: Memory[] = [];
const open = async (options: Partial<MemoryOptions> = {}) => {
  const memory = await openMemory({ name: `rpc ${Date.now()} ${Math.random()}`, userId: "me", ...options });
  memories.push(memory);
  return memory;
};
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const memory of memories.splice(0)) await memory.close();
});

/** A worker whose script does nothing at all. */
function muteWorker(): Worker {
  return new Worker(URL.createObjectURL(new Blob([""], { type: "text/javascript" })), { type: "module" });
}

/** An embedder in a worker of its own, which ends with it. */
function workerEmbedder(id: string, workers: Worker[]): ConnectableEmbedder {
  return {
    ...letterEmbedder,
    id,
    connect: async () => {
      const worker = new Worker(new URL("./named-letters.worker.ts", import.meta.url), { type: "module" });
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ id, port: port1 }, [port1]);
      workers.push(worker);
      return port2;
    },
    close: async () => {
      for (const worker of workers) worker.terminate();
    },
  };
}

/** Life locks that this page holds, and not another test's. */
async function locksHeldHere(): Promise<number> {
  const me = newLifeLockName();
  return navigator.locks.request(me, async () => {
    const { held = [] } = await navigator.locks.query();
    const { clientId } = held.find(({ name }) => name === me) as LockInfo;
    return held.filter((lock) => lock.clientId === clientId && lock.name !== me && lock.name?.startsWith("keepsake:life:"))
      .length;
  });
}

/** As a reactive framework shows data: every object that is read comes as a proxy. */
function reactive<T extends object>(value: T): T {
  return new Proxy(value, {
    get(target, key, receiver) {
      const field: unknown = Reflect.get(target, key, receiver);
      return typeof field === "object" && field !== null ? reactive(field) : field;
    },
  });
}

describe("a record that is aborted", () => {
  it("has stored its turn if it resolves, and nothing if it rejects, whenever the abort comes", async () => {
    const memory = await open();
    const texts = Array.from({ length: 60 }, (_, index) => `I planted tree number ${index} by the pond.`);
    const kept = await Promise.all(
      texts.map(async (user, index) => {
        const controller = new AbortController();
        const call = memory.record({ user }, { signal: controller.signal });
        setTimeout(() => controller.abort(reason), index * 5);
        return call.then(
          () => [user],
          (error) => {
            expect(error).toBe(reason);
            return [];
          },
        );
      }),
    );
    const stored = (await memory.conversation("default").history()).map(({ text }) => text);
    expect(stored).toEqual(kept.flat());
  });
});

describe("a worker that never answers", () => {
  it("fails the opening after its time, and says what to look at", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const opening = open({ createWorker: muteWorker });
    const failed = expect(opening).rejects.toSatisfy(
      (error: unknown) => isMemoryError(error, "worker-failed") && error.message.includes("createWorker"),
    );
    await vi.advanceTimersByTimeAsync(20_000);
    await failed;
  });

  it("keeps neither an aborted call nor closing waiting when it is a restart", async () => {
    const first = spawnMemoryWorker();
    const workers = [first];
    const memory = await open({ createWorker: () => workers.pop() ?? muteWorker() });
    first.terminate();
    await expect(memory.stats()).rejects.toSatisfy((error: unknown) => isMemoryError(error, "worker-failed"));
    const controller = new AbortController();
    const aborted = memory.recall("figs", { signal: controller.signal });
    const waiting = memory.stats();
    const closed = expect(waiting).rejects.toSatisfy((error: unknown) => isMemoryError(error, "closed"));
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await memory.close();
    await closed;
  });
});

describe("an embedder that gives way to another", () => {
  it("is let go without a word of its death, and is not asked for again", async () => {
    const workers: Worker[] = [];
    const others: Worker[] = [];
    const memory = await open({ embedder: { open: async () => workerEmbedder("letters one", workers) } });
    const degraded: string[] = [];
    memory.addEventListener("degraded", ({ detail }) => degraded.push(detail.reason));
    await memory.record({ user: "I lent my ladder to Oskar." });
    await memory.attach({ embedder: { open: async () => workerEmbedder("letters two", others) } });
    // The first one's worker has ended with it; a call more, so that word of that would have come.
    await memory.recall("Who has my ladder?");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(degraded).toEqual([]);
    expect([workers.length, others.length]).toEqual([1, 1]);
    expect((await memory.stats()).embedder.id).toBe("letters two");
  });

  it("leaves no lock on the page, nor does a close or a failed start", async () => {
    const before = await locksHeldHere();
    const memory = await open({ embedder: letterEmbedder });
    expect(await locksHeldHere()).toBe(before + 1);
    await memory.attach({ embedder: { ...letterEmbedder, id: "other letters" } });
    await expect.poll(locksHeldHere).toBe(before + 1);
    await memory.close();
    await expect.poll(locksHeldHere).toBe(before);
    const failing = open({ embedder: letterEmbedder, assetBase: "/nowhere/" });
    await expect(failing).rejects.toSatisfy((error: unknown) => isMemoryError(error, "asset-unavailable"));
    await expect.poll(locksHeldHere).toBe(before);
  });
});

describe("a page that may not use locks", () => {
  it("goes on without them, and takes no embedder for dead", async () => {
    vi.spyOn(navigator.locks, "request").mockRejectedValue(new DOMException("access is denied", "SecurityError"));
    expect(await holdLifeLock(newLifeLockName()).isHeld).toBe(false);
    const { port1, port2 } = new MessageChannel();
    const stop = serveEmbedder(letterEmbedder, port1);
    const embedder = await remoteEmbedder(port2, { onLost: (error) => expect.unreachable(error.message) });
    expect((await embedder.embed(["abc"])).length).toBe(26);
    await embedder.close();
    stop();
  });

  it("opens a memory, also where crypto.randomUUID is missing", async () => {
    vi.spyOn(navigator.locks, "request").mockRejectedValue(new DOMException("access is denied", "SecurityError"));
    vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
      throw new TypeError("crypto.randomUUID is not a function");
    });
    const memory = await open({ embedder: letterEmbedder });
    await memory.record({ user: "I keep bees." });
    expect((await memory.recall("bees")).items[0]?.text).toContain("bees");
  });
});

describe("reactive data", () => {
  it("is taken as what it shows", async () => {
    const memory = await open();
    await memory.record(reactive({ messages: [{ role: "user" as const, text: "My canoe is called Tern." }] }));
    const recall = reactive(
      await memory.recall(
        "What is my canoe called?",
        reactive({ filter: { kinds: ["fact", "preference", "state", "event"] } } as const),
      ),
    );
    expect(recall.items[0]?.text).toContain("Tern");
    expect((await memory.context({ recall })).messages[0]).toEqual({ role: "system", text: recall.text });
    const written = await memory.record({ user: "What was it?", assistant: "Your canoe is called Tern.", recalled: recall });
    expect(written.turnIds).toHaveLength(2);
    const id = recall.items[0]?.entryId;
    if (!id) throw new Error("the canoe is not recalled");
    expect((await memory.update(id, reactive({ tags: ["boats"] }))).tags).toEqual(["boats"]);
    expect((await memory.forget(reactive({ entryIds: [id] }))).entryIds).toEqual([id]);
  });
});

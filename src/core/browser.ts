/** Opens a memory over IndexedDB, in this thread: what the memory worker does, and the page under `worker: false`. */

import { monotonicFactory } from "ulid";
import { embeddingsUrl, kernelUrl, namesUrl } from "../../workers/assets.js";
import type { BackendOptions, MemoryBackend, MemoryEvent } from "../backend.js";
import { openStaticEmbedder } from "../embed/static.js";
import { MemoryError } from "../errors.js";
import type { ConnectableEmbedder, Tokenizer, Trainer } from "../ports.js";
import { indexedDbStores } from "../store/indexeddb.js";
import type { MemoryStats } from "../types.js";
import { createAutoIndex } from "../vector/auto.js";
import { loadKernel } from "../vector/kernel.js";
import { LocalMemory } from "./local-memory.js";
import { eventOf } from "./store-notice.js";

export interface OpenParts {
  /** Searches in this embedder's space; the package's static one by default. */
  readonly embedder?: ConnectableEmbedder;
  readonly emit: (event: MemoryEvent) => void;
  readonly tokenizer?: Tokenizer;
  /** Learns in a worker of its own. */
  readonly trainer?: Trainer;
  readonly signal?: AbortSignal;
}

/** @throws MemoryError "storage-unavailable" | "storage-newer" | "storage-blocked" | "asset-unavailable"; the signal's reason */
export async function openBrowserBackend(options: BackendOptions, parts: OpenParts): Promise<MemoryBackend> {
  const { signal } = parts;
  const [opened, staticEmbedder, store] = await settled(
    [
      loadKernel(kernelUrl(options.assetBase), { signal }),
      fetched("embeddings", embeddingsUrl(options.assetBase), signal).then((bytes) => openStaticEmbedder(bytes)),
      indexedDbStores({ notify: (notice) => parts.emit(eventOf(notice)) }).open(options.name, options.userId, { signal }),
    ],
    (store) => store.close(),
  );
  return LocalMemory.open(
    {
      options,
      store,
      embedder: parts.embedder ?? staticEmbedder,
      spareEmbedders: [staticEmbedder],
      wordVectors: staticEmbedder,
      createVectorIndex: (dimension) =>
        createAutoIndex({ dimension, kernel: opened.kernel, hnswThreshold: options.hnswThreshold }),
      clock: { now: () => Date.now() },
      stopwatch: { now: () => performance.now() },
      newId: monotonicFactory(),
      emit: parts.emit,
      ...(parts.tokenizer && { tokenizer: parts.tokenizer }),
      ...(parts.trainer && { trainer: parts.trainer }),
      nameModel: () => fetched("names", namesUrl(options.assetBase)),
      degraded: opened.kernel ? [] : [{ part: "vector index", reason: opened.reason }],
      worker: !("document" in globalThis),
      storageState,
    },
    { signal },
  );
}

async function fetched(label: string, url: URL, signal?: AbortSignal): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url, signal ? { signal } : {});
    if (!response.ok)
      throw new MemoryError(
        "asset-unavailable",
        `the ${label} file ${url} answers ${response.status}; host the package's files and name their folder as assetBase`,
      );
    return await response.arrayBuffer();
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof MemoryError) throw cause;
    throw new MemoryError(
      "asset-unavailable",
      `the ${label} file ${url} cannot be fetched; host the package's files and name their folder as assetBase`,
      { cause },
    );
  }
}

async function storageState(): Promise<Omit<MemoryStats["storage"], "backend">> {
  const { storage } = navigator;
  if (!storage) return {};
  const [estimate, persisted] = await Promise.all([storage.estimate(), storage.persisted()]);
  return {
    persisted,
    ...(estimate.usage !== undefined && { usageBytes: estimate.usage }),
    ...(estimate.quota !== undefined && { quotaBytes: estimate.quota }),
  };
}

/** Like `Promise.all`, but the last one is undone when another fails (an open database blocks upgrades), and its own
 * failure is the one that is told: without a store there is no memory, whatever else is missing. */
async function settled<A, B, C>(
  all: readonly [Promise<A>, Promise<B>, Promise<C>],
  undo: (last: C) => Promise<void>,
): Promise<[A, B, C]> {
  try {
    return await Promise.all(all);
  } catch (error) {
    await undo(await all[2]);
    throw error;
  }
}

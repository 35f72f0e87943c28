/** `openMemory`, and what can be done to a database from outside a handle. */

import { spawnLreWorker } from "../workers/spawn-lre.js";
import { spawnMemoryWorker } from "../workers/spawn-memory.js";
import type { BackendOptions, MemoryBackend, MemoryEvent } from "./backend.js";
import { tellErased } from "./core/change-channel.js";
import { Persistence } from "./core/persistence.js";
import { Memory } from "./memory-handle.js";
import { openEmbedder } from "./opened-embedder.js";
import { type MemoryOptions, settle, text } from "./options.js";
import type { ConnectableEmbedder, RepairReport, SalvagedRow } from "./ports.js";
import { remoteTrainer } from "./rpc/lre-client.js";
import { RemoteMemory } from "./rpc/memory-client.js";
import type { UserId } from "./types.js";

/** Opens a memory in the browser, over IndexedDB. Nothing is downloaded but the package's own files.
 * @throws TypeError | RangeError for wrong options; MemoryError "storage-unavailable" where there is no IndexedDB,
 * "worker-failed", "asset-unavailable"; the signal's reason */
export async function openMemory(options: MemoryOptions): Promise<Memory> {
  const settled = settle(options);
  const inWorker = options.worker ?? typeof Worker !== "undefined";
  if (options.tokenizer && inWorker)
    throw new TypeError("a tokenizer is a function and cannot cross into the worker: pass worker: false with it");
  const persistence = new Persistence();
  const openBackend = async (given: Parameters<Parameters<typeof joinMemory>[2]>[0]): Promise<MemoryBackend> => {
    const emit = (event: MemoryEvent) => {
      if (event.type === "change" && options.persist !== false) void persistence.ask();
      given.emit(event);
    };
    const parts = { ...given, emit };
    if (inWorker)
      return RemoteMemory.open(
        { ...parts, options: settled, spawn: options.createWorker ?? spawnMemoryWorker },
        { signal: options.signal },
      );
    const { openBrowserBackend } = await import("./core/browser.js");
    return openBrowserBackend(settled, {
      ...parts,
      ...(options.tokenizer && { tokenizer: options.tokenizer }),
      ...(typeof Worker !== "undefined" && { trainer: remoteTrainer(spawnLreWorker) }),
      ...(options.signal && { signal: options.signal }),
    });
  };
  return joinMemory(options, settled, async (given) => {
    const backend = await openBackend(given);
    // Without it the memory consolidates after some turns alone.
    if (typeof document !== "undefined")
      void import("./idle-hints.js").then(({ consolidateWhenHidden }) => consolidateWhenHidden(backend)).catch(() => undefined);
    return backend;
  });
}

/** Removes everything of one user from the database of this name, and from what a repair that was killed had left. Handles that are
 * open on it go on empty.
 * @throws MemoryError */
export async function eraseUser(name: string, userId: string): Promise<void> {
  const { indexedDbStores } = await import("./store/indexeddb.js");
  await indexedDbStores().eraseUser(text("name", name), text("userId", userId) as UserId);
  tellErased(name, userId as UserId);
}

/** Users that have rows in the database of this name. */
export async function listUsers(name: string): Promise<UserId[]> {
  const { indexedDbStores } = await import("./store/indexeddb.js");
  return indexedDbStores().listUsers(text("name", name));
}

/** What can still be read of one user's memory, turns first, also where `openMemory` rejects with "storage-corrupt" or
 * "storage-failed"; changes nothing.
 * @throws MemoryError "not-found" where there is no such database, "storage-corrupt" where it is another program's */
export async function salvage(name: string, userId: string): Promise<readonly SalvagedRow[]> {
  const { indexedDbStores } = await import("./store/indexeddb.js");
  return indexedDbStores().salvage(text("name", name), text("userId", userId) as UserId);
}

/** Makes a damaged database anew from what can be read of it, for all users; what cannot is named in the report. The old one
 * is gone then, so whoever wants to look at it calls {@link salvage} first. Killed on the way, it has happened or not.
 * @throws MemoryError as {@link salvage}, and "storage-blocked" where a tab or worker still holds the database open after 5 s */
export async function repair(name: string): Promise<RepairReport> {
  const { indexedDbStores } = await import("./store/indexeddb.js");
  return indexedDbStores().repair(text("name", name));
}

/** What every way of opening shares: the embedder, the model, the events, and closing what was opened when a later step fails. */
export async function joinMemory(
  options: MemoryOptions,
  settled: BackendOptions,
  openBackend: (parts: {
    readonly embedder?: ConnectableEmbedder;
    readonly emit: (event: MemoryEvent) => void;
  }) => Promise<MemoryBackend>,
): Promise<Memory> {
  options.signal?.throwIfAborted();
  const model = options.slm && (await import("./attached-slm.js"));
  const giving = model?.roleGiving(options.slmRoles);
  const events = new EventTarget();
  const emit = ({ type, detail }: MemoryEvent) => {
    if (type === "progress") options.onProgress?.(detail);
    events.dispatchEvent(new CustomEvent(type, { detail }));
  };
  const embedder = await openEmbedder(options.embedder, { signal: options.signal, onProgress: options.onProgress });
  try {
    const backend = await openBackend({ emit, ...(embedder && { embedder: embedder.embedder }) });
    const slm = model && new model.AttachedSlm(backend, emit);
    if (slm && options.slm && giving) slm.begin(options.slm, giving, { signal: options.signal });
    return new Memory(settled, { backend, events, emit, ...(embedder && { embedder }), ...(slm && { slm }) });
  } catch (error) {
    if (embedder?.owned) await embedder.embedder.close();
    throw error;
  }
}

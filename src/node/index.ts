/** Keepsake in Node: the same memory on SQLite (better-sqlite3, an optional peer), in the caller's thread. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { monotonicFactory } from "ulid";
import { embeddingsUrl, kernelUrl, namesUrl } from "../../workers/assets.js";
import { tellErased } from "../core/change-channel.js";
import { LocalMemory } from "../core/local-memory.js";
import { eventOf } from "../core/store-notice.js";
import { openStaticEmbedder } from "../embed/static.js";
import { MemoryError } from "../errors.js";
import { joinMemory } from "../memory.js";
import type { Memory } from "../memory-handle.js";
import { type MemoryOptions, settle, text } from "../options.js";
import type { Clock, RepairReport, SalvagedRow } from "../ports.js";
import { databaseFile } from "../store/sqlite/file.js";
import { spaceOf } from "../store/sqlite/space.js";
import { sqliteStores } from "../store/sqlite/stores.js";
import type { UserId } from "../types.js";
import { createAutoIndex } from "../vector/auto.js";
import { openKernel } from "../vector/kernel.js";
import { fileLocks } from "./file-locks.js";

export type { AttachedConsolidation, ConsolidateOptions } from "../consolidation-run.js";
export { Conversation } from "../conversation.js";
export { type MiniLmNodeOptions, minilmNode } from "../embed/minilm-node.js";
export { isMemoryError, MemoryError, type MemoryErrorCode } from "../errors.js";
export { Memory } from "../memory-handle.js";
export { modelConsolidator } from "../model-consolidator.js";
export type { MemoryOptions } from "../options.js";
export type * from "../ports.js";
export type * from "../types.js";

export interface NodeMemoryOptions extends Omit<MemoryOptions, "worker" | "createWorker" | "assetBase"> {
  /** Folder of the database files, made when it is not there; ":memory:" keeps nothing. */
  readonly directory: string;
  /** The time of calls that name none; the system's by default. */
  readonly clock?: Clock;
}

/** Opens a memory on SQLite.
 * @throws TypeError | RangeError for wrong options; MemoryError "peer-missing" without better-sqlite3,
 * "storage-unavailable", "storage-newer", "storage-corrupt"; the signal's reason */
export async function openMemory(options: NodeMemoryOptions): Promise<Memory> {
  const settled = settle(options);
  const directory = text("directory", options.directory);
  const clock = options.clock ?? { now: () => Date.now() };
  return joinMemory(options, settled, async ({ embedder, emit }) => {
    const [opened, bytes] = await Promise.all([openKernel(await asset(kernelUrl())), asset(embeddingsUrl())]);
    const staticEmbedder = openStaticEmbedder(bytes);
    const stores = sqliteStores({ directory, clock, notify: (notice) => emit(eventOf(notice)) });
    const store = await stores.open(settled.name, settled.userId, { signal: options.signal });
    const locks = directory === ":memory:" ? undefined : await fileLocks(databaseFile(directory, settled.name));
    return LocalMemory.open(
      {
        options: settled,
        store,
        embedder: embedder ?? staticEmbedder,
        spareEmbedders: [staticEmbedder],
        wordVectors: staticEmbedder,
        createVectorIndex: (dimension) =>
          createAutoIndex({ dimension, kernel: opened.kernel, hnswThreshold: settled.hnswThreshold }),
        clock,
        stopwatch: { now: () => performance.now() },
        newId: monotonicFactory(),
        emit,
        ...(options.tokenizer && { tokenizer: options.tokenizer }),
        nameModel: () => asset(namesUrl()),
        degraded: opened.kernel ? [] : [{ part: "vector index", reason: opened.reason }],
        worker: false,
        ...(locks && { locks }),
        storageState: () => spaceOf(directory, settled.name),
      },
      { signal: options.signal },
    );
  });
}

/** Removes everything of one user from the database of this name. Handles that are open on it go on empty: those of this
 * process at once, those of others when they next look at the store. Damaged files that a repair has left beside it go whole, whoever is erased. */
export async function eraseUser(directory: string, name: string, userId: string): Promise<void> {
  await sqliteStores({ directory: text("directory", directory) }).eraseUser(text("name", name), text("userId", userId) as UserId);
  tellErased(name, userId as UserId);
}

/** Users that have rows in the database of this name. */
export async function listUsers(directory: string, name: string): Promise<UserId[]> {
  return sqliteStores({ directory: text("directory", directory) }).listUsers(text("name", name));
}

/** What can still be read of one user's memory, turns first, also where `openMemory` rejects with "storage-corrupt"; changes
 * nothing.
 * @throws MemoryError "not-found" where there is no such database, "storage-corrupt" where it is another program's */
export async function salvage(directory: string, name: string, userId: string): Promise<readonly SalvagedRow[]> {
  return sqliteStores({ directory: text("directory", directory) }).salvage(text("name", name), text("userId", userId) as UserId);
}

/** Makes a damaged file anew from what can be read of it, for all users; what cannot is named in the report, which also says
 * where the damaged file lies now. Killed on the way, it has happened or not.
 * @throws MemoryError as {@link salvage}, and "storage-blocked" where a handle, here or in another process, still holds it after 5 s */
export async function repair(directory: string, name: string): Promise<RepairReport> {
  return sqliteStores({ directory: text("directory", directory) }).repair(text("name", name));
}

async function asset(url: URL): Promise<ArrayBuffer> {
  const path = fileURLToPath(url);
  try {
    const bytes = await readFile(path);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  } catch (cause) {
    throw new MemoryError("asset-unavailable", `the package's file ${path} cannot be read; install the package again`, { cause });
  }
}

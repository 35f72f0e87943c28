/** Locks between all handles on a SQLite file, of whichever process: for each name an empty file beside it, on which SQLite's own lock
 * is held. The system ends that with its process, so a process that is killed passes it on at once, and no clock is asked. */

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type HandleLocks, handleLocks } from "../core/handle-locks.js";
import { loadSqlite, type OpenSqlite } from "../store/sqlite/peer.js";

/** Between two looks whether another process has let go: at first, and at most. */
const FIRST_LOOK_MS = 10;
const LOOK_MS = 500;

const SHARED = "BEGIN; SELECT 1 FROM sqlite_master";
const EXCLUSIVE = "BEGIN EXCLUSIVE";
type Mode = typeof SHARED | typeof EXCLUSIVE;
/** Ends with its connection. */
type Lock = ReturnType<OpenSqlite>;

/** @param file of the database
 * @returns for a scope, which stands before all names, its locks */
export async function fileLocks(file: string): Promise<(scope: string) => HandleLocks> {
  const open = await loadSqlite();
  return (scope) => new FileLocks(open, file, scope);
}

class FileLocks implements HandleLocks {
  readonly #open: OpenSqlite;
  readonly #file: string;
  readonly #scope: string;
  /** Handles of this process wait for each other without looking again and again. */
  readonly #here: HandleLocks;

  constructor(open: OpenSqlite, file: string, scope: string) {
    this.#open = open;
    this.#file = file;
    this.#scope = scope;
    this.#here = handleLocks(scope);
  }

  hold<T>(name: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#here.hold(
      name,
      async () => {
        const lock = await this.#taken(name, EXCLUSIVE, signal);
        try {
          return await task();
        } finally {
          lock.close();
        }
      },
      signal,
    );
  }

  share(name: string): () => Promise<void> {
    const endHere = this.#here.share(name);
    const ended = new AbortController();
    // Ended before it was granted, or the folder takes no more files: nobody is kept from anything then.
    const shared = this.#taken(name, SHARED, ended.signal).catch(() => undefined);
    return async () => {
      ended.abort();
      (await shared)?.close();
      await endHere();
    };
  }

  async ifFree(name: string, task: () => Promise<void>): Promise<boolean> {
    let isFree = false;
    await this.#here.ifFree(name, async () => {
      const lock = this.#take(name, EXCLUSIVE);
      if (!lock) return;
      isFree = true;
      try {
        await task();
      } finally {
        lock.close();
      }
    });
    return isFree;
  }

  /** The first look is made before this returns. */
  async #taken(name: string, mode: Mode, signal: AbortSignal): Promise<Lock> {
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LOOK_MS, 2 * waitMs)) {
      signal.throwIfAborted();
      const lock = this.#take(name, mode);
      if (lock) return lock;
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  /** Undefined where another has it. */
  #take(name: string, mode: Mode): Lock | undefined {
    const hash = createHash("sha256").update(`${this.#scope}${name}`).digest("hex");
    const lock = this.#open(`${this.#file}-lock-${hash.slice(0, 16)}`, { timeout: 0 });
    try {
      lock.pragma("journal_mode = OFF");
      lock.exec(mode);
      return lock;
    } catch (error) {
      lock.close();
      if ((error as { readonly code?: unknown }).code === "SQLITE_BUSY") return undefined;
      throw error;
    }
  }
}

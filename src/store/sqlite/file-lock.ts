/** Who uses a database file: every handle shares its lock, and a repair, which puts another file in its place, has it alone.
 *
 * It is SQLite's own lock, on an empty file beside the database: so it also holds where the database is damaged, between handles of
 * one process as between processes, and ends with the process that holds it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallOptions } from "../../ports.js";
import type { OpenSqlite } from "./peer.js";

const SHARED = "BEGIN; SELECT 1 FROM sqlite_master";
const ALONE = "BEGIN EXCLUSIVE";

/** Between two looks whether it is free: at first, and at most. */
const FIRST_LOOK_MS = 10;
const LOOK_MS = 200;

export interface LockOptions extends CallOptions {
  /** How long to wait for it. */
  readonly timeoutMs: number;
}

/** @returns what lets go of it; `undefined` where it was not free in time
 * @throws the signal's reason; SQLite's errors where the folder takes no file */
export async function lockFile(
  open: OpenSqlite,
  file: string,
  mode: "shared" | "alone",
  { timeoutMs, signal }: LockOptions,
): Promise<(() => void) | undefined> {
  let waitedMs = 0;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LOOK_MS, 2 * waitMs)) {
    signal?.throwIfAborted();
    const release = take(open, `${file}-lock`, mode === "alone" ? ALONE : SHARED);
    if (release || waitedMs >= timeoutMs) return release;
    await sleep(waitMs, undefined, { ...(signal && { signal }) }).catch(() => signal?.throwIfAborted());
    waitedMs += waitMs;
  }
}

function take(open: OpenSqlite, file: string, begin: string): (() => void) | undefined {
  const lock = open(file, { timeout: 0 });
  try {
    lock.pragma("journal_mode = OFF");
    lock.exec(begin);
    return () => void lock.close();
  } catch (error) {
    lock.close();
    if ((error as { readonly code?: unknown }).code === "SQLITE_BUSY") return undefined;
    throw error;
  }
}

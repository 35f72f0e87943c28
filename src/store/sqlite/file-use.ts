/** Uses of a database file that know of each other: many handles at once, or one repair. Whoever comes first after a repair that was
 * killed finishes it. */
import { MemoryError } from "../../errors.js";
import type { CallOptions } from "../../ports.js";
import { lockFile } from "./file-lock.js";
import type { OpenSqlite } from "./peer.js";
import { finishReplacement, isHalfReplaced } from "./replacement.js";

export interface UsedFile {
  readonly name: string;
  readonly file: string;
  readonly open: OpenSqlite;
  /** How long one use waits for another. */
  readonly timeoutMs: number;
}

/** @returns what ends the use; until then no repair puts another file in its place
 * @throws MemoryError "storage-blocked" while a repair runs; the signal's reason */
export async function shareFile(used: UsedFile, { signal }: CallOptions = {}): Promise<() => void> {
  const { open, file, name, timeoutMs } = used;
  for (;;) {
    const release = await lockFile(open, file, "shared", { timeoutMs, signal });
    if (!release)
      throw new MemoryError("storage-blocked", `the database "${name}" is being repaired; open it again when that is done`);
    if (!isHalfReplaced(file)) return release;
    release();
    await haveFileAlone(used, async () => undefined);
  }
}

/** Runs the task while no handle has the file open.
 * @throws MemoryError "storage-blocked" while one has, and nothing has changed then; what the task throws */
export async function haveFileAlone<T>({ open, file, name, timeoutMs }: UsedFile, task: () => Promise<T>): Promise<T> {
  const release = await lockFile(open, file, "alone", { timeoutMs });
  if (!release)
    throw new MemoryError(
      "storage-blocked",
      `the database "${name}" is open, and what a handle records during a repair would be lost; close every memory that uses it, in every process, and call repair again`,
    );
  try {
    if (isHalfReplaced(file)) finishReplacement(file);
    return await task();
  } finally {
    release();
  }
}

/** Room for what is written: asked of the disk before a large write, and made by letting go of what can be made again. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";
import { LARGE_BYTES, megabytes, OVERHEAD } from "../size.js";

/** Runs a write of about this size; what fails for want of room is tried once more without the derived values.
 * @throws MemoryError "quota-exceeded" with `details`, and nothing is written then */
export function withRoom<T>(database: Database, name: string, sizeBytes: number, write: () => T): T {
  const isKnownFull = sizeBytes >= LARGE_BYTES && freeBytes(database) < sizeBytes * OVERHEAD;
  let cause: unknown;
  if (!isKnownFull) {
    try {
      return write();
    } catch (error) {
      if (!isFull(error)) throw error;
      cause = error;
    }
  }
  clearDerived(database);
  if (isKnownFull && freeBytes(database) < sizeBytes * OVERHEAD) throw tooLittle(database, name, sizeBytes);
  try {
    return write();
  } catch (error) {
    throw isFull(error) ? tooLittle(database, name, sizeBytes, cause) : error;
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_FULL");
}

/** Of every user: the disk is one. What is too full to delete is too full for the write as well. */
function clearDerived(database: Database): void {
  try {
    database.prepare("DELETE FROM derived").run();
    database.pragma("wal_checkpoint(PASSIVE)");
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

/** Bytes that the file may still grow by, its own free pages included. */
function freeBytes(database: Database): number {
  const pages = (pragma: string) => Number(database.pragma(pragma, { simple: true }));
  const free = (pages("max_page_count") - pages("page_count") + pages("freelist_count")) * pages("page_size");
  if (database.memory) return free;
  try {
    const { bavail, bsize } = statfsSync(dirname(database.name));
    return Math.min(free, bavail * bsize);
  } catch {
    // Some network file systems do not say; the write itself will.
    return free;
  }
}

function tooLittle(database: Database, name: string, neededBytes: number, cause?: unknown): MemoryError {
  const usageBytes =
    Number(database.pragma("page_count", { simple: true })) * Number(database.pragma("page_size", { simple: true }));
  const free = freeBytes(database);
  const message = `the disk has no room for ${megabytes(neededBytes)} MB more in the database "${name}" (it takes ${megabytes(usageBytes)} MB, ${megabytes(free)} MB are free); nothing of this write was stored`;
  const details = { neededBytes, usageBytes, quotaBytes: usageBytes + free };
  return new MemoryError("quota-exceeded", message, { details, ...(cause !== undefined && { cause }) });
}

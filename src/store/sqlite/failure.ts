/** SQLite's errors as ours. */
import { isMemoryError, MemoryError, type MemoryErrorCode } from "../../errors.js";

/** Result codes of SQLite (https://www.sqlite.org/rescode.html) by their prefix. */
const CODES: readonly (readonly [prefix: string, code: MemoryErrorCode, advice: string])[] = [
  ["SQLITE_FULL", "quota-exceeded", "the disk is full; nothing of this write was stored"],
  ["SQLITE_CORRUPT", "storage-corrupt", "the file is damaged; call repair to keep what can be read of it"],
  [
    "SQLITE_NOTADB",
    "storage-corrupt",
    "the file is not an SQLite database; call repair to set it aside, or name another directory",
  ],
  ["SQLITE_CANTOPEN", "storage-unavailable", "the file cannot be opened; check the directory and its permissions"],
  ["SQLITE_BUSY", "storage-failed", "another process has held the database for too long; try again"],
  ["SQLITE_READONLY", "storage-failed", "the file may not be written; check its permissions"],
  // Of the file system, where a repair changes names and an erasure removes what it has left.
  ...["EACCES", "EBUSY", "EPERM"].map(
    (code) =>
      [code, "storage-failed", "a file may not be changed; check its permissions, and whether another program uses it"] as const,
  ),
];

/** @returns `error` as it is when it is ours or a wrong argument, else a MemoryError that keeps it as its cause */
export function sqliteFailure(error: unknown, database: string): unknown {
  if (isMemoryError(error) || error instanceof TypeError || error instanceof RangeError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const [, ours, advice] = CODES.find(([prefix]) => code.startsWith(prefix)) ?? ["", "storage-failed" as const, "SQLite failed"];
  const detail = error instanceof Error ? error.message : String(error);
  return new MemoryError(ours, `the database "${database}": ${advice} (${code || "no code"}: ${detail})`, { cause: error });
}

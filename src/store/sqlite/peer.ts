/** better-sqlite3, an optional peer, loaded when it is first needed. */
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";

export type OpenSqlite = (file: string, options?: { readonly readonly?: boolean; readonly timeout?: number }) => Database;

/** @throws MemoryError "peer-missing" | "storage-unavailable" (from what it resolves with) */
export async function loadSqlite(): Promise<OpenSqlite> {
  const { default: Sqlite } = await import("better-sqlite3").catch((cause: unknown) => {
    throw new MemoryError(
      "peer-missing",
      "storing in Node needs the package better-sqlite3, which is not here: npm install better-sqlite3",
      { cause },
    );
  });
  return (file, options) => {
    try {
      return new Sqlite(file, options);
    } catch (cause) {
      if (cause instanceof Sqlite.SqliteError) throw cause;
      throw new MemoryError(
        "storage-unavailable",
        "better-sqlite3 is installed but its native part cannot be loaded: npm rebuild better-sqlite3",
        { cause },
      );
    }
  };
}

/** Connections to database files: settings, schema, and the use of the file that each of them is. */
import type { Database } from "better-sqlite3";
import type { CallOptions, StoreNotice } from "../../ports.js";
import { shareFile, type UsedFile } from "./file-use.js";
import { removeHalfFilled } from "./replacement.js";
import { migrate } from "./schema.js";

/** How long a call waits for another process before it fails. */
const BUSY_TIMEOUT_MS = 10_000;

type Notify = ((notice: StoreNotice) => void) | undefined;

export interface OpenFile {
  readonly database: Database;
  readonly release: () => void;
}

/** @throws MemoryError as {@link shareFile} and {@link migrate}; SQLite's errors; the signal's reason */
export async function openFile(used: UsedFile, { signal, notify }: CallOptions & { readonly notify: Notify }): Promise<OpenFile> {
  const endUse = await shareFile(used, { signal });
  let database: Database | undefined;
  const release = () => {
    database?.close();
    endUse();
  };
  try {
    database = prepare(used.open(used.file), used.name, notify);
    removeHalfFilled(used.file);
    return { database, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Settings and schema of a fresh connection; closes it when they fail. */
export function prepare(database: Database, name: string, notify: Notify): Database {
  try {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Only a file that is still empty takes it: then compaction can give free pages back to the disk.
    database.pragma("auto_vacuum = INCREMENTAL");
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    // Overwrites what is deleted, so that a forgotten text does not stay in free pages.
    database.pragma("secure_delete = ON");
    migrate(database, name, { notify });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens stores on SQLite: one file for each database name, or none at all in memory. */
import { existsSync, mkdirSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";
import type { CallOptions, Clock, RepairReport, SalvagedRow, Store, StoreFactory, StoreNotice } from "../../ports.js";
import type { UserId } from "../../types.js";
import { checkNames } from "../checks.js";
import { refill, rowsOfUser } from "../salvage.js";
import { sqliteFailure } from "./failure.js";
import { databaseFile } from "./file.js";
import { fromKey, toKey } from "./key.js";
import { loadSqlite } from "./peer.js";
import { finishRepair, replaceFile } from "./repair.js";
import { salvageFile } from "./salvage.js";
import { migrate } from "./schema.js";
import { SqliteStore } from "./store.js";

/** How long a call waits for another process before it fails. */
const BUSY_TIMEOUT_MS = 10_000;

export interface SqliteStoresOptions {
  /** Where the files go; made when it is not there. ":memory:" keeps each database in memory for as long as the
   * factory lives: closing and opening a store again finds its rows. */
  readonly directory: string;
  /** Dates journal records; the system's clock by default. */
  readonly clock?: Clock;
  /** Told of the steps of a migration. */
  readonly notify?: (notice: StoreNotice) => void;
}

/** Stores on better-sqlite3 (an optional peer, loaded at the first call).
 * @throws MemoryError (from its methods) "peer-missing" | "storage-unavailable" | "storage-newer" | "storage-corrupt" */
export function sqliteStores(options: SqliteStoresOptions): StoreFactory {
  const { directory, clock = { now: () => Date.now() }, notify } = options;
  if (typeof directory !== "string" || directory === "") throw new TypeError('directory must name a folder, or be ":memory:"');
  const kept = new Map<string, Database>();
  const inMemory = directory === ":memory:";

  const exists = (name: string): boolean => {
    if (inMemory) return kept.has(name);
    finishRepair(databaseFile(directory, name));
    return existsSync(databaseFile(directory, name));
  };

  const connect = async (name: string): Promise<{ readonly database: Database; readonly release: () => void }> => {
    const open = await loadSqlite();
    const found = kept.get(name);
    if (found) return { database: found, release: () => undefined };
    try {
      if (!inMemory) {
        mkdirSync(directory, { recursive: true });
        finishRepair(databaseFile(directory, name));
      }
      const database = prepare(open(inMemory ? ":memory:" : databaseFile(directory, name)), name, notify);
      if (!inMemory) return { database, release: () => void database.close() };
      kept.set(name, database);
      return { database, release: () => undefined };
    } catch (error) {
      throw sqliteFailure(error, name);
    }
  };

  const withDatabase = async <T>(name: string, none: T, body: (database: Database) => T): Promise<T> => {
    if (!exists(name)) return none;
    const { database, release } = await connect(name);
    try {
      return body(database);
    } catch (error) {
      throw sqliteFailure(error, name);
    } finally {
      release();
    }
  };

  const read = async (name: string) => {
    if (inMemory) throw new MemoryError("unsupported", "a database in memory is not damaged by a disk");
    const open = await loadSqlite();
    return salvageFile(name, databaseFile(directory, name), (file) => open(file, { readonly: true }));
  };

  return {
    async open(name: string, userId: UserId, { signal }: CallOptions = {}): Promise<Store> {
      checkNames(name, userId);
      signal?.throwIfAborted();
      const { database, release } = await connect(name);
      if (signal?.aborted) release();
      signal?.throwIfAborted();
      return new SqliteStore({ name, userId, database, clock, release });
    },

    async listUsers(name: string): Promise<UserId[]> {
      checkNames(name);
      const select = "SELECT name FROM users ORDER BY name";
      return withDatabase(name, [], (database) =>
        database
          .prepare<[], { name: Buffer }>(select)
          .all()
          .map((row) => fromKey(row.name) as UserId),
      );
    },

    async eraseUser(name: string, userId: UserId): Promise<void> {
      checkNames(name, userId);
      await withDatabase(name, undefined, (database) => {
        database.prepare("DELETE FROM users WHERE name = ?").run(toKey(userId));
        database.pragma("wal_checkpoint(TRUNCATE)");
      });
    },

    async salvage(name: string, userId: UserId): Promise<readonly SalvagedRow[]> {
      checkNames(name, userId);
      return rowsOfUser(await read(name), userId);
    },

    async repair(name: string): Promise<RepairReport> {
      checkNames(name);
      const salvaged = await read(name);
      const open = await loadSqlite();
      const file = databaseFile(directory, name);
      const fill = async (path: string) => {
        const database = prepare(open(path), name, notify);
        const storeOf = async (userId: UserId) => new SqliteStore({ name, userId, database, clock, release: () => undefined });
        try {
          await refill(storeOf, salvaged);
        } finally {
          database.close();
        }
      };
      return replaceFile(file, salvaged, { fill, keepAs: `${file}.damaged-${clock.now()}` });
    },
  };
}

/** Settings and schema of a fresh connection; closes it when they fail. */
function prepare(database: Database, name: string, notify: SqliteStoresOptions["notify"]): Database {
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

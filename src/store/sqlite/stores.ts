/** Opens stores on SQLite: one file for each database name, or none at all in memory. */
import { existsSync, mkdirSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";
import type { CallOptions, Clock, RepairReport, SalvagedRow, Store, StoreFactory, StoreNotice } from "../../ports.js";
import type { UserId } from "../../types.js";
import { checkNames } from "../checks.js";
import { rowsOfUser } from "../salvage.js";
import { type OpenFile, openFile, prepare } from "./connect.js";
import { sqliteFailure } from "./failure.js";
import { databaseFile } from "./file.js";
import { haveFileAlone, shareFile, type UsedFile } from "./file-use.js";
import { fromKey, toKey } from "./key.js";
import { loadSqlite, type OpenSqlite } from "./peer.js";
import { repairFile } from "./repair.js";
import { isHalfReplaced, removeLeftovers } from "./replacement.js";
import { salvageFile } from "./salvage.js";
import { SqliteStore } from "./store.js";

/** How long a repair waits for handles to be closed, and an opening for a repair, unless told otherwise. */
const BLOCKED_TIMEOUT_MS = 5_000;

export interface SqliteStoresOptions {
  /** Where the files go; made when it is not there. ":memory:" keeps each database in memory for as long as the
   * factory lives: closing and opening a store again finds its rows. */
  readonly directory: string;
  /** Dates journal records; the system's clock by default. */
  readonly clock?: Clock;
  /** How long a repair waits until nobody has the database open, and an opening for a repair to end; 5 s by default. */
  readonly blockedTimeoutMs?: number;
  /** Told of the steps of a migration. */
  readonly notify?: (notice: StoreNotice) => void;
}

/** Stores on better-sqlite3 (an optional peer, loaded at the first call).
 * @throws MemoryError (from its methods) "peer-missing" | "storage-unavailable" | "storage-newer" | "storage-blocked" |
 * "storage-corrupt" */
export function sqliteStores(options: SqliteStoresOptions): StoreFactory {
  const { directory, clock = { now: () => Date.now() }, blockedTimeoutMs = BLOCKED_TIMEOUT_MS, notify } = options;
  if (typeof directory !== "string" || directory === "") throw new TypeError('directory must name a folder, or be ":memory:"');
  const kept = new Map<string, Database>();
  const inMemory = directory === ":memory:";

  const exists = (name: string): boolean => {
    if (inMemory) return kept.has(name);
    const file = databaseFile(directory, name);
    return existsSync(file) || isHalfReplaced(file);
  };

  const used = (name: string, open: OpenSqlite): UsedFile => ({
    name,
    file: databaseFile(directory, name),
    open,
    timeoutMs: blockedTimeoutMs,
  });

  const connect = async (name: string, { signal }: CallOptions = {}): Promise<OpenFile> => {
    const open = await loadSqlite();
    const found = kept.get(name);
    if (found) return { database: found, release: () => undefined };
    try {
      if (inMemory) {
        const database = prepare(open(":memory:"), name, notify);
        kept.set(name, database);
        return { database, release: () => undefined };
      }
      mkdirSync(directory, { recursive: true });
      return await openFile(used(name, open), { signal, notify });
    } catch (error) {
      if (signal?.aborted && error === signal.reason) throw error;
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

  /** @throws MemoryError where there is no file that could be damaged */
  const expectFile = (name: string) => {
    if (inMemory) throw new MemoryError("unsupported", "a database in memory is not damaged by a disk");
    if (!exists(name)) throw new MemoryError("not-found", `there is no database "${name}"`);
  };

  return {
    async open(name: string, userId: UserId, { signal }: CallOptions = {}): Promise<Store> {
      checkNames(name, userId);
      signal?.throwIfAborted();
      const { database, release } = await connect(name, { signal });
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
        removeLeftovers(databaseFile(directory, name));
      });
      // A repair that runs now has a file.
      if (!exists(name)) removeLeftovers(databaseFile(directory, name));
    },

    async salvage(name: string, userId: UserId): Promise<readonly SalvagedRow[]> {
      checkNames(name, userId);
      expectFile(name);
      const file = used(name, await loadSqlite());
      try {
        const endUse = await shareFile(file);
        try {
          return rowsOfUser(salvageFile(file), userId);
        } finally {
          endUse();
        }
      } catch (error) {
        throw sqliteFailure(error, name);
      }
    },

    async repair(name: string): Promise<RepairReport> {
      checkNames(name);
      expectFile(name);
      const file = used(name, await loadSqlite());
      try {
        return await haveFileAlone(file, () => repairFile(file, { clock, notify }));
      } catch (error) {
        throw sqliteFailure(error, name);
      }
    },
  };
}

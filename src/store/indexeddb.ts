/** Opens stores on IndexedDB: one database for each name. */
import { unwrap } from "idb";
import type { CallOptions, Clock, RepairReport, SalvagedRow, Store, StoreFactory, StoreNotice } from "../ports.js";
import type { UserId } from "../types.js";
import { checkNames } from "./checks.js";
import { Connection } from "./indexeddb/connection.js";
import { indexedDbFailure } from "./indexeddb/failure.js";
import { beginFreshLog } from "./indexeddb/fresh-log.js";
import { factoryOf } from "./indexeddb/open.js";
import { markWritten } from "./indexeddb/presence.js";
import { withPrefix } from "./indexeddb/ranges.js";
import { openBeside, openReplaced } from "./indexeddb/replacement.js";
import { type EstimateStorage, estimateStorage } from "./indexeddb/room.js";
import { IndexedDbStore } from "./indexeddb/store.js";
import { type DatabaseUse, shareDatabase } from "./indexeddb/use.js";
import { type Database, STORE_NAMES } from "./schema.js";

export interface IndexedDbStoresOptions {
  /** The platform's own by default. */
  readonly indexedDB?: IDBFactory;
  /** Dates journal records; the system's clock by default. */
  readonly clock?: Clock;
  /** How long an upgrade waits for tabs that hold an older version open, and a repair for every handle; 5 s by default. */
  readonly blockedTimeoutMs?: number;
  /** Told of an upgrade that waits for another tab, and of the steps of a migration. */
  readonly notify?: (notice: StoreNotice) => void;
  /** How much room is used and granted; what the browser says of the page's own storage by default. */
  readonly estimate?: EstimateStorage;
}

/** Stores on IndexedDB. Nothing is touched before a method is called.
 * @throws MemoryError (from its methods) "storage-unavailable" | "storage-newer" | "storage-blocked" | "storage-corrupt" */
export function indexedDbStores(options: IndexedDbStoresOptions = {}): StoreFactory {
  const { clock = { now: () => Date.now() }, estimate = estimateStorage, indexedDB, blockedTimeoutMs, notify } = options;
  const connecting = { indexedDB, blockedTimeoutMs, notify };

  /** Between uses of other handles; a repair waits for its end. */
  const withUse = async <T>(name: string, body: (use: DatabaseUse) => Promise<T>): Promise<T> => {
    const use = await shareDatabase(name);
    try {
      return await body(use);
    } catch (error) {
      throw await indexedDbFailure(error, name);
    } finally {
      use.end();
    }
  };

  const withDatabase = <T>(name: string, none: T, body: (database: Database) => Promise<T>): Promise<T> =>
    withUse(name, async ({ isKnown }) => {
      const database = await openReplaced(name, { ...connecting, create: false }, { isShared: isKnown });
      return database ? closing(database, body) : none;
    });

  return {
    async open(name: string, userId: UserId, { signal }: CallOptions = {}): Promise<Store> {
      checkNames(name, userId);
      const use = await shareDatabase(name, signal);
      const open = ({ create }: { readonly create: boolean }) => {
        void beginFreshLog(factoryOf(connecting));
        return openReplaced(name, { ...connecting, create }, { isShared: use.isKnown });
      };
      const connection = new Connection(name, open, () => use.end());
      try {
        await connection.open({ signal });
      } catch (error) {
        // Not awaited: an aborted call need not wait for a database that is slow to open.
        void connection.close();
        throw error;
      }
      return new IndexedDbStore(connection, userId, { clock, estimate, onWritten: () => void markWritten(name) });
    },

    async listUsers(name: string): Promise<UserId[]> {
      checkNames(name);
      return withDatabase(name, [], async (database) => (await database.getAllKeys("users")) as UserId[]);
    },

    async eraseUser(name: string, userId: UserId): Promise<void> {
      checkNames(name, userId);
      const erase = async (database: Database) => {
        const transaction = database.transaction([...STORE_NAMES], "readwrite", { durability: "strict" });
        for (const store of STORE_NAMES)
          unwrap(transaction.objectStore(store)).delete(store === "users" ? userId : withPrefix(userId));
        await transaction.done;
      };
      await withDatabase(name, undefined, erase);
      // What a repair that was killed has left and nobody could delete.
      await withUse(name, async () => {
        const beside = await openBeside(name, { ...connecting, create: false });
        if (beside) await closing(beside, erase);
      });
    },

    async salvage(name: string, userId: UserId): Promise<readonly SalvagedRow[]> {
      checkNames(name, userId);
      const { salvageRows } = await import("./indexeddb/repair.js");
      return withUse(name, () => salvageRows(name, userId, connecting));
    },

    async repair(name: string): Promise<RepairReport> {
      checkNames(name);
      const { repairDatabase } = await import("./indexeddb/repair.js");
      try {
        return await repairDatabase(name, connecting);
      } catch (error) {
        throw await indexedDbFailure(error, name);
      }
    },
  };
}

async function closing<T>(database: Database, body: (database: Database) => Promise<T>): Promise<T> {
  try {
    return await body(database);
  } finally {
    database.close();
  }
}

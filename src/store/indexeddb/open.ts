/** Opens an IndexedDB database in the newest version of the schema, with everything that can go wrong named. */
import { type IDBPDatabase, wrap } from "idb";
import { MemoryError } from "../../errors.js";
import type { StoreNotice } from "../../ports.js";
import { DATABASE_PREFIX, type Database, STORE_NAMES, type UpgradeTransaction } from "../schema.js";
import { indexedDbFailure } from "./failure.js";
import { MIGRATIONS, type Migration } from "./migrations.js";

/** How long an upgrade waits for other tabs to let go of the database, unless told otherwise. */
const BLOCKED_TIMEOUT_MS = 5_000;

export interface OpenDatabaseOptions {
  /** The platform's own by default. */
  readonly indexedDB?: IDBFactory | undefined;
  readonly migrations?: readonly Migration[] | undefined;
  readonly blockedTimeoutMs?: number | undefined;
  /** Told of an upgrade that waits for another tab, and of the steps of a migration. */
  readonly notify?: ((notice: StoreNotice) => void) | undefined;
  /** False: a database that is not there is not made, and `undefined` comes back. */
  readonly create: boolean;
  /** Stands before the name; {@link DATABASE_PREFIX} by default. */
  readonly prefix?: string | undefined;
  /** Told what a browser says of data that it has lost (Chromium does), when a database is not there. */
  readonly onDataLoss?: ((words: string) => void) | undefined;
}

/** Chromium's own part of the event. */
type LossEvent = IDBVersionChangeEvent & { readonly dataLoss?: string; readonly dataLossMessage?: string };

/** A row with the object store and the key that it lies under. */
export interface PlacedRow {
  readonly store: string;
  readonly key: IDBValidKey;
  readonly value: unknown;
}

/** @throws MemoryError "storage-unavailable" | "storage-newer" | "storage-blocked" | "storage-corrupt" | "storage-failed" | "quota-exceeded" */
export async function openDatabase(
  name: string,
  options: OpenDatabaseOptions,
  /** Put into the database when it is made, in the same transaction. */
  rows: readonly PlacedRow[] = [],
): Promise<Database | undefined> {
  const { migrations = MIGRATIONS, blockedTimeoutMs = BLOCKED_TIMEOUT_MS, create, prefix = DATABASE_PREFIX } = options;
  const factory = factoryOf(options);
  /** Why an upgrade was given up; the request itself says only that it was aborted. */
  let failure: unknown;
  let isMissing = false;
  const opening = new Promise<Database>((resolve, reject) => {
    const request = factory.open(prefix + name, migrations.length);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    request.onupgradeneeded = (event) => {
      const { oldVersion, dataLoss = "none", dataLossMessage = "" } = event as LossEvent;
      const transaction = request.transaction!;
      if (oldVersion === 0 && dataLoss !== "none") options.onDataLoss?.(dataLossMessage);
      if (oldVersion === 0 && !create) {
        isMissing = true;
        transaction.abort();
        return;
      }
      const upgrade = wrap(transaction) as unknown as UpgradeTransaction;
      upgrade.done.catch((error: unknown) => {
        failure ??= error;
      });
      if (oldVersion > 0 && !FIRST_STORES.every((store) => request.result.objectStoreNames.contains(store))) {
        failure = notOurs(
          name,
          FIRST_STORES.filter((store) => !request.result.objectStoreNames.contains(store)),
        );
        transaction.abort();
        return;
      }
      const upgrading = async () => {
        await migrate(wrap(request.result), upgrade, migrations.slice(oldVersion), options.notify);
        if (oldVersion === 0) for (const { store, key, value } of rows) transaction.objectStore(store).put(value, key);
      };
      upgrading().catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        failure = new MemoryError(
          "storage-failed",
          `the database "${name}" could not be brought from version ${oldVersion} to ${migrations.length} and is as it was: ${reason}`,
          { cause },
        );
        transaction.abort();
      });
    };
    request.onblocked = () => {
      options.notify?.({ type: "progress", task: "wait for another tab", done: 0, total: 1 });
      options.notify?.({
        type: "degraded",
        part: "storage",
        reason: `another tab holds an older version of the database "${name}" open; close the other tabs of this page, or reload them`,
      });
      timer = setTimeout(() => {
        // The request cannot be withdrawn: when the other tab goes it upgrades the database and is closed.
        isLate = true;
        reject(
          new MemoryError(
            "storage-blocked",
            `another tab holds an older version of the database "${name}" open; close the other tabs of this page, or reload them, and try again`,
          ),
        );
      }, blockedTimeoutMs);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      if (isLate) request.result.close();
      else resolve(wrap(request.result) as unknown as Database);
    };
    request.onerror = (event) => {
      clearTimeout(timer);
      // An open that fails is told by the promise; without this Firefox also reports it on the window.
      event.preventDefault();
      reject(failure ?? request.error);
    };
  });
  try {
    return checkStores(await opening, name);
  } catch (error) {
    if (isMissing) return undefined;
    throw await indexedDbFailure(error, name);
  }
}

async function migrate(
  database: IDBPDatabase,
  transaction: UpgradeTransaction,
  steps: readonly Migration[],
  notify: OpenDatabaseOptions["notify"],
): Promise<void> {
  const tell = (done: number, total: number) => notify?.({ type: "progress", task: "migrate", done, total });
  for (const step of steps) await step(database, transaction, tell);
}

function checkStores(database: Database, name: string): Database {
  const missing = STORE_NAMES.filter((store) => !database.objectStoreNames.contains(store));
  if (missing.length === 0) return database;
  database.close();
  throw notOurs(name, missing);
}

/** Those that version 1 had; what lacks one of them was not made by any version. */
const FIRST_STORES = STORE_NAMES.filter((store) => !["derived", "nodes", "edges", "supports"].includes(store));

function notOurs(name: string, missing: readonly string[]): MemoryError {
  return new MemoryError(
    "storage-corrupt",
    `the database "${name}" lacks ${missing.join(", ")}, so it is half made or another program's; call repair to keep what can be read of it, or choose another name`,
  );
}

/** @throws MemoryError "storage-unavailable" */
export function factoryOf({ indexedDB = globalThis.indexedDB }: Pick<OpenDatabaseOptions, "indexedDB">): IDBFactory {
  if (indexedDB !== undefined && indexedDB !== null) return indexedDB;
  throw new MemoryError(
    "storage-unavailable",
    "there is no IndexedDB here; a private window or an opaque origin has none, and in Node SQLite takes its place",
  );
}

/** Makes a damaged database anew from what reads of it: into one beside it first, which takes its place in one transaction.
 *
 * Killed at any moment there is the old database, or the whole of the new one beside it, and then the next opening finishes. */
import { MemoryError } from "../../errors.js";
import type { RepairReport } from "../../ports.js";
import { refill, reportOf, type Salvaged } from "../salvage.js";
import { DATABASE_PREFIX, type Database, STORE_NAMES } from "../schema.js";
import { Connection } from "./connection.js";
import { factoryOf, type OpenDatabaseOptions, openDatabase, type PlacedRow } from "./open.js";
import { wasWritten } from "./presence.js";
import { estimateStorage } from "./room.js";
import { IndexedDbStore } from "./store.js";

/** Stands before the names of databases that a repair fills. */
const REPAIR_PREFIX = "keepsake-repair:";
/** Under a user id that nobody can have: everything is in. */
const COMPLETE: [string, string] = ["", "complete"];

type Options = Omit<OpenDatabaseOptions, "create" | "prefix">;

/** As {@link openDatabase}, and finishes a repair that was killed when its place was empty. A database that was written to before
 * and is not there any more is made anew, and told as lost. */
export async function openRepaired(name: string, options: OpenDatabaseOptions): Promise<Database | undefined> {
  let words = "";
  const onDataLoss = (said: string) => {
    words = said;
  };
  const found = await openDatabase(name, { ...options, onDataLoss, create: false });
  if (found) return found;
  const rows = await completeRows(name, options);
  if (!rows) {
    if (!options.create) return undefined;
    if (await wasWritten(name)) options.notify?.({ type: "degraded", part: "storage", reason: lostReason(name, words) });
    return openDatabase(name, options);
  }
  const database = await openDatabase(name, { ...options, create: true }, rows);
  await deleteDatabase(name, REPAIR_PREFIX, options);
  return database;
}

function lostReason(name: string, words: string): string {
  const why = words === "" ? "it was deleted, or the browser has lost it" : `the browser has removed it: ${words}`;
  return `the database "${name}" held memories and is not there any more (${why}); this memory begins empty: import a backup`;
}

/** @throws MemoryError "storage-blocked" while another tab holds the database open */
export async function replaceDatabase(name: string, salvaged: Salvaged, options: Options): Promise<RepairReport> {
  const beside = { ...options, prefix: REPAIR_PREFIX };
  await deleteDatabase(name, REPAIR_PREFIX, options);
  await refill(async (userId) => {
    const connection = new Connection(name, ({ create }) => openDatabase(name, { ...beside, create }));
    await connection.open();
    return new IndexedDbStore(connection, userId, { clock: { now: () => Date.now() }, estimate: estimateStorage });
  }, salvaged);
  const filled = await openDatabase(name, { ...beside, create: true });
  await filled?.put("derived", { value: true }, COMPLETE);
  filled?.close();
  await deleteDatabase(name, DATABASE_PREFIX, options);
  (await openRepaired(name, { ...options, create: true }))?.close();
  return reportOf(salvaged);
}

/** Every row of a database that a repair has filled to the end. */
async function completeRows(name: string, options: Options): Promise<readonly PlacedRow[] | undefined> {
  const database = await openDatabase(name, { ...options, create: false, prefix: REPAIR_PREFIX });
  if (!database) return undefined;
  try {
    if ((await database.get("derived", COMPLETE)) === undefined) return undefined;
    const rows: PlacedRow[] = [];
    for (const store of STORE_NAMES) {
      if (store === "derived") continue;
      const [keys, values] = await Promise.all([database.getAllKeys(store), database.getAll(store)]);
      rows.push(...values.map((value, at) => ({ store, key: keys[at] as IDBValidKey, value })));
    }
    return rows;
  } finally {
    database.close();
  }
}

function deleteDatabase(name: string, prefix: string, options: Options): Promise<void> {
  const { blockedTimeoutMs = 5_000 } = options;
  return new Promise((resolve, reject) => {
    const request = factoryOf(options).deleteDatabase(prefix + name);
    let timer: ReturnType<typeof setTimeout> | undefined;
    request.onblocked = () => {
      timer = setTimeout(
        () =>
          reject(
            new MemoryError(
              "storage-blocked",
              `another tab holds the database "${name}" open; close the other tabs of this page and open it again: what could be read is kept beside it`,
            ),
          ),
        blockedTimeoutMs,
      );
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      resolve();
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
  });
}

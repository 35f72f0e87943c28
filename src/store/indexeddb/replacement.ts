/** How a new database takes the place of a damaged one: it is filled beside it, and moves over in one transaction.
 *
 * Killed at any moment there is the old database, or the whole of the new one beside it, and then the next opening finishes. */
import { MemoryError } from "../../errors.js";
import { type Database, STORE_NAMES } from "../schema.js";
import { factoryOf, type OpenDatabaseOptions, openDatabase, type PlacedRow } from "./open.js";
import { wasWritten } from "./presence.js";

/** Stands before the names of databases that a repair fills. */
export const BESIDE_PREFIX = "keepsake-repair:";
/** Under a user id that nobody can have: everything is in. */
export const COMPLETE: [string, string] = ["", "complete"];

/** As {@link openDatabase}, and finishes a repair that was killed when its place was empty. A database that was written to before
 * and is not there any more is made anew, and told as lost. */
export async function openReplaced(
  name: string,
  options: OpenDatabaseOptions,
  /** Whether no repair can run now: then what lies beside the database was left by one that was killed. */
  { isShared }: { readonly isShared: boolean },
): Promise<Database | undefined> {
  let words = "";
  const onDataLoss = (said: string) => {
    words = said;
  };
  const found = await openDatabase(name, { ...options, onDataLoss, create: false });
  const rows = found ? undefined : await completeRows(name, options);
  const database = rows ? await openDatabase(name, { ...options, create: true }, rows) : found;
  // It would bring back what is forgotten from now on. Not waited for: whoever wants to upgrade the database is not heard
  // meanwhile. What cannot be deleted now is tried again by the next opening.
  if (isShared || rows) void deleteDatabase(name, BESIDE_PREFIX, options).catch(() => undefined);
  if (database || !options.create) return database;
  if (await wasWritten(name)) options.notify?.({ type: "degraded", part: "storage", reason: lostReason(name, words) });
  return openDatabase(name, options);
}

function lostReason(name: string, words: string): string {
  const why = words === "" ? "it was deleted, or the browser has lost it" : `the browser has removed it: ${words}`;
  return `the database "${name}" held memories and is not there any more (${why}); this memory begins empty: import a backup`;
}

/** What a repair has filled, or was filling when it was killed. */
export function openBeside(name: string, options: OpenDatabaseOptions): Promise<Database | undefined> {
  return openDatabase(name, { ...options, prefix: BESIDE_PREFIX });
}

/** Every row of a database that a repair has filled to the end. */
async function completeRows(name: string, options: OpenDatabaseOptions): Promise<readonly PlacedRow[] | undefined> {
  const database = await openBeside(name, { ...options, create: false });
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

/** @throws MemoryError "storage-blocked" while somebody holds it open */
export function deleteDatabase(name: string, prefix: string, options: Omit<OpenDatabaseOptions, "create">): Promise<void> {
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

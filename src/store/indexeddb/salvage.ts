/** Reads a database as far as it reads: row by row where a page of rows fails, and whatever of its object stores are there. */
import { type IDBPDatabase, wrap } from "idb";
import { MemoryError } from "../../errors.js";
import type { Entry, EntryId, UserId } from "../../types.js";
import { DamageLog } from "../damage.js";
import { isEntry, isRecord, isTurn, isUsage } from "../row-shapes.js";
import { Salvage, type Salvaged } from "../salvage.js";
import { DATABASE_PREFIX, STORE_NAMES, type StoreName } from "../schema.js";
import { indexedDbFailure } from "./failure.js";
import { MIGRATIONS } from "./migrations.js";
import { factoryOf, type OpenDatabaseOptions } from "./open.js";
import { blockRows, soundTurn } from "./rows.js";

/** Rows read at once. */
const PAGE = 200;

/** @throws MemoryError "not-found" | "storage-corrupt" (another program's) | "storage-newer" */
export async function salvageDatabase(name: string, options: Pick<OpenDatabaseOptions, "indexedDB">): Promise<Salvaged> {
  const database = await openAsItIs(name, options);
  const salvage = new Salvage();
  const log = new DamageLog();
  // Version 1 knew no checksums: there the shape has to do.
  const hasChecksums = database.version > 1;
  try {
    if (database.version > MIGRATIONS.length)
      throw new MemoryError(
        "storage-newer",
        `the database "${name}" has schema version ${database.version}, this Keepsake knows ${MIGRATIONS.length}; update the package`,
      );
    if (!STORE_NAMES.some((store) => database.objectStoreNames.contains(store)))
      throw new MemoryError("storage-corrupt", `the database "${name}" is another program's; choose another name`);
    /** One row that is no more what was stored must not keep the others from being read. */
    const each = async (store: StoreName, read: (row: UserRow) => void) => {
      for await (const row of rowsOf(database, store, salvage)) {
        try {
          read(row);
        } catch (error) {
          salvage.lose(`the row ${String(row.key)} of ${store} cannot be read: ${String(error)}`);
        }
      }
    };
    await each("turns", ({ user, value }) => {
      const turn = hasChecksums ? soundTurn(value as never, log) : shapedTurn(value);
      if (turn) salvage.keepTurn(user, turn);
      else if (!hasChecksums) salvage.lose("a turn is not of the shape that was stored");
    });
    await each("entries", ({ user, key, value }) => {
      const entries = hasChecksums
        ? blockRows(value as never, String(key), log).sound.map(({ entry }) => entry)
        : shapedEntries(value, salvage);
      for (const entry of entries) salvage.keepEntry(user, entry);
    });
    await each("usage", ({ user, key, value }) => {
      if (isUsage(value)) salvage.keepUsage(user, key as EntryId, value);
    });
    await each("meta", ({ user, key, value }) => {
      if (isRecord(value)) salvage.keepMeta(user, String(key), value.value);
    });
    for (const rows of log.rows) salvage.lose(rows.reason);
    return salvage.result;
  } catch (error) {
    throw await indexedDbFailure(error, name);
  } finally {
    database.close();
  }
}

function shapedTurn(value: unknown) {
  return isRecord(value) && isTurn(value.turn) ? value.turn : undefined;
}

function shapedEntries(block: unknown, salvage: Salvage): readonly Entry[] {
  const rows: readonly unknown[] = isRecord(block) && Array.isArray(block.rows) ? block.rows : [undefined];
  const entries = rows.map((row) => (isRecord(row) ? row.entry : undefined)).filter(isEntry);
  if (entries.length < rows.length) salvage.lose("an entry is not of the shape that was stored");
  return entries;
}

interface UserRow {
  readonly user: UserId;
  readonly key: unknown;
  readonly value: unknown;
}

async function* rowsOf(database: IDBPDatabase, store: string, salvage: Salvage): AsyncGenerator<UserRow> {
  if (!database.objectStoreNames.contains(store)) return salvage.lose(`the object store ${store} is missing`);
  let keys: IDBValidKey[];
  try {
    keys = await database.getAllKeys(store);
  } catch (error) {
    return salvage.lose(`${store} cannot be read: ${String(error)}`);
  }
  for (let from = 0; from < keys.length; from += PAGE) {
    const page = keys.slice(from, from + PAGE);
    const values = await database
      .getAll(store, IDBKeyRange.bound(page[0], page.at(-1)))
      .catch(() => Promise.all(page.map((key) => database.get(store, key).catch(() => undefined))));
    for (const [at, key] of page.entries()) {
      const [user, own] = Array.isArray(key) ? key : [];
      if (typeof user !== "string") salvage.lose(`${store} holds a row of another program`);
      else if (values[at] === undefined) salvage.lose(`the row ${String(own)} of ${store} cannot be read`);
      else yield { user: user as UserId, key: own, value: values[at] };
    }
  }
}

/** In whatever version it is. */
function openAsItIs(name: string, options: Pick<OpenDatabaseOptions, "indexedDB">): Promise<IDBPDatabase> {
  return new Promise((resolve, reject) => {
    const request = factoryOf(options).open(DATABASE_PREFIX + name);
    let isMissing = false;
    request.onupgradeneeded = () => {
      isMissing = true;
      request.transaction?.abort();
    };
    request.onsuccess = () => resolve(wrap(request.result));
    request.onerror = (event) => {
      event.preventDefault();
      reject(isMissing ? new MemoryError("not-found", `there is no database "${name}"`) : request.error);
    };
  });
}

/** What is counted of each user, in whatever shape: it changes with every write.
 * @returns "" where it cannot be read */
export async function countersOf(name: string, options: Pick<OpenDatabaseOptions, "indexedDB">): Promise<string> {
  const database = await openAsItIs(name, options);
  try {
    return JSON.stringify(await Promise.all([database.getAllKeys("users"), database.getAll("users")]));
  } catch {
    // Nobody could write to such a database either.
    return "";
  } finally {
    database.close();
  }
}

/** Reads a database as far as it reads: row by row where a page of rows fails, and whatever of its object stores are there. */
import { type IDBPDatabase, wrap } from "idb";
import { MemoryError } from "../../errors.js";
import type { EntryId, UserId } from "../../types.js";
import { DamageLog } from "../damage.js";
import { isEntry, isRecord, isTurn, isUsage } from "../row-shapes.js";
import { Salvage, type Salvaged } from "../salvage.js";
import { DATABASE_PREFIX, STORE_NAMES } from "../schema.js";
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
    for await (const { user, value } of rowsOf(database, "turns", salvage)) {
      const turn = hasChecksums ? soundTurn(value as never, log) : shapedTurn(value);
      if (turn) salvage.user(user).turns.push(turn);
      else if (!hasChecksums) salvage.lose("a turn is not of the shape that was stored");
    }
    for await (const { user, key, value } of rowsOf(database, "entries", salvage)) {
      if (hasChecksums)
        for (const { entry } of blockRows(value as never, String(key), log).sound) salvage.user(user).entries.push(entry);
      else if (isRecord(value) && Array.isArray(value.rows))
        for (const row of value.rows) if (isRecord(row) && isEntry(row.entry)) salvage.user(user).entries.push(row.entry);
    }
    for await (const { user, key, value } of rowsOf(database, "usage", salvage))
      if (isUsage(value)) salvage.user(user).usage.push({ entryId: key as EntryId, usage: value });
    for await (const { user, key, value } of rowsOf(database, "meta", salvage))
      if (isRecord(value)) salvage.user(user).meta.set(String(key), value.value);
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

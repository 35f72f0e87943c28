/** A database of the first version of the IndexedDB schema, with many rows. */

import { makeVersion1 } from "../../store/fixtures/indexeddb-version1.js";
import type { OldRows } from "./old-rows.js";

const USER = "me";
const ENTRIES_PER_BLOCK = 32;

export async function makeOldDatabase(name: string, { turns, entries, journal }: OldRows): Promise<void> {
  await makeVersion1(name);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(`keepsake:${name}`, 1);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const stores = [...database.objectStoreNames];
  const transaction = database.transaction(stores, "readwrite");
  const put = (store: string, value: unknown, key: IDBValidKey) => transaction.objectStore(store).put(value, key);
  for (const store of stores) transaction.objectStore(store).clear();
  const counts = { turns: turns.length, entries: entries.length, nextSequence: turns.length };
  put("users", { revision: 1, ...counts, spaces: [], nextSpace: 0 }, USER);
  for (const turn of turns) put("turns", { user: USER, turn }, [USER, turn.id]);
  for (let from = 0; from < entries.length; from += ENTRIES_PER_BLOCK) {
    const first = from === 0 ? "" : (entries[from]?.id ?? "");
    const rows = entries.slice(from, from + ENTRIES_PER_BLOCK).map((entry) => ({ entry, ranges: [] }));
    put("entries", { first, rows }, [USER, first]);
  }
  put("journal", journal, [USER, 1]);
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
}

/** A database as the first version of Keepsake left it, held open as its tab would. */

/** Object stores of version 1, with their indexes. */
const FIRST_STORES: Readonly<Record<string, Readonly<Record<string, { readonly path: string[]; readonly unique: boolean }>>>> = {
  users: {},
  turns: {
    bySequence: { path: ["user", "turn.sequence"], unique: true },
    byConversation: { path: ["user", "turn.conversationId", "turn.sequence"], unique: false },
  },
  entries: {},
  usage: {},
  vectorTail: {},
  vectorSegments: {},
  journal: {},
  meta: {},
};

const PREFIX = "keepsake:";

/** Full names of the databases of Keepsake in this origin. */
export async function made(): Promise<string[]> {
  return (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name] : []));
}

export function openRaw(name: string, version?: number, upgrade?: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => upgrade?.(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error(`${name} is held open`));
  });
}

export async function entriesOf(database: IDBDatabase, store: string): Promise<{ key: IDBValidKey; value: unknown }[]> {
  const rows = database.transaction(store).objectStore(store);
  const [keys, values] = await Promise.all([answered(rows.getAllKeys()), answered(rows.getAll())]);
  return keys.map((key, at) => ({ key, value: values[at] as unknown }));
}

/** Puts a database back to version 1 of its schema, and keeps it open. No handle may be open on it.
 * @param name as `openMemory` is given it */
export async function age(name: string): Promise<IDBDatabase> {
  const newest = await openRaw(PREFIX + name);
  const rows = new Map<string, { key: IDBValidKey; value: unknown }[]>();
  for (const store of Object.keys(FIRST_STORES)) rows.set(store, await entriesOf(newest, store));
  newest.close();
  await answered(indexedDB.deleteDatabase(PREFIX + name));
  const oldest = await openRaw(PREFIX + name, 1, (database) => {
    for (const [store, indexes] of Object.entries(FIRST_STORES)) {
      const created = database.createObjectStore(store);
      for (const [index, { path, unique }] of Object.entries(indexes)) created.createIndex(index, path, { unique });
    }
  });
  const transaction = oldest.transaction([...rows.keys()], "readwrite");
  for (const [store, all] of rows) for (const { key, value } of all) transaction.objectStore(store).put(value, key);
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  return oldest;
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

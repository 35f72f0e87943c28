/** IndexedDB without Keepsake: how another tab, or a failing disk, changes what lies there. */

export function rawOpen(
  name: string,
  version?: number,
  upgrade: (database: IDBDatabase) => void = () => undefined,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(`keepsake:${name}`, version);
    request.onupgradeneeded = () => upgrade(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function rawDelete(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(`keepsake:${name}`);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** Changes, or with `undefined` removes, every row of an object store whose key and value are taken. */
export async function rawChange<Row>(
  name: string,
  store: string,
  change: (row: Row, key: IDBValidKey) => unknown,
): Promise<number> {
  const database = await rawOpen(name);
  const transaction = database.transaction(store, "readwrite");
  let changed = 0;
  const request = transaction.objectStore(store).openCursor();
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) return;
    const after = change(structuredClone(cursor.value) as Row, cursor.key);
    if (after === undefined) cursor.delete();
    else if (JSON.stringify(after) !== JSON.stringify(cursor.value)) {
      cursor.update(after);
      changed += 1;
    }
    cursor.continue();
  };
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
  return changed;
}

export async function rawPut(name: string, store: string, value: unknown, key: IDBValidKey): Promise<void> {
  const database = await rawOpen(name);
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(store, "readwrite");
    transaction.objectStore(store).put(value, key);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
}

/** Cases in a worker of Chromium: IndexedDB, each case in databases of its own. */

import { openMemory } from "keepsake";
import type { StageHost } from "./host.js";
import { age, entriesOf, made, openRaw } from "./old-tab.js";

let isDiskFull = false;
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...args: Parameters<typeof put>) {
  if (isDiskFull) throw new DOMException("there is no room left", "QuotaExceededError");
  return put.apply(this, args);
};

/** Bytes may be text; what JSON has no form for is written as its words. */
function readable(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}

export function openBrowserHost(): StageHost {
  return {
    // The clock is the browser's; whatever hangs on time in a case is asked with its own.
    openMemory: ({ now: _, ...options }) => openMemory({ ...options, worker: false }),
    fill(isFull) {
      isDiskFull = isFull;
    },
    async dump() {
      const rows: unknown[] = [];
      for (const name of await made()) {
        const database = await openRaw(name);
        for (const store of database.objectStoreNames) rows.push(...(await entriesOf(database, store)));
        database.close();
      }
      return JSON.stringify(rows, readable);
    },
    async holdOld(name, isPolite) {
      const database = await age(name);
      if (isPolite) database.addEventListener("versionchange", () => database.close());
      return () => database.close();
    },
    async close() {
      isDiskFull = false;
      for (const name of await made())
        await new Promise((resolve) => {
          const request = indexedDB.deleteDatabase(name);
          request.onsuccess = request.onerror = request.onblocked = resolve;
        });
    },
  };
}

/** Has Chromium begin a new log for the databases of this origin.
 *
 * Its LevelDB goes on in the log of the browser before, at its very end. Where that browser was killed in the middle of a write, half a
 * record lies there: as the last of the log it is left out, but with others behind it the log fails its checksums, and at the
 * opening after that the browser removes every database of the origin (seen after one kill in some fifty on a busy machine).
 * Deleting a database has what the log holds written out and a new one begun (some 50 ms, while nobody waits), so that half a
 * record is never read again. */

/** An empty database that lies ready to be deleted: making one first would write behind the half record for longer. */
const NAME = "keepsake-log:";

let running: Promise<void> | undefined;

/** Call it before the databases are opened, and do not wait for it: what is written after it stands in the new log. Never rejects: a
 * log that stays as it is can still be written to. */
export function beginFreshLog(factory: IDBFactory): Promise<void> {
  if (!isChromium()) return Promise.resolve();
  running ??= begin(factory)
    .catch(() => undefined)
    .finally(() => {
      running = undefined;
    });
  return running;
}

/** Only it tells in its events what it has removed. */
function isChromium(): boolean {
  return "IDBVersionChangeEvent" in globalThis && "dataLoss" in IDBVersionChangeEvent.prototype;
}

async function begin(factory: IDBFactory): Promise<void> {
  if (!(await remove(factory))) {
    await make(factory);
    await remove(factory);
  }
  await make(factory);
}

/** @returns whether there was one */
async function remove(factory: IDBFactory): Promise<boolean> {
  const request = factory.deleteDatabase(NAME);
  let wasThere = false;
  request.addEventListener("success", (event) => {
    wasThere = (event as IDBVersionChangeEvent).oldVersion > 0;
  });
  await settled(request);
  return wasThere;
}

async function make(factory: IDBFactory): Promise<void> {
  const database = await settled(factory.open(NAME));
  database.close();
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = (event) => {
      // Without this Firefox also reports it on the window.
      event.preventDefault();
      reject(request.error);
    };
  });
}

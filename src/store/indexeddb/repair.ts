/** Makes a damaged database anew from what reads of it. */
import { isMemoryError, MemoryError } from "../../errors.js";
import type { RepairReport, SalvagedRow } from "../../ports.js";
import type { UserId } from "../../types.js";
import { refill, reportOf, rowsOfUser, type Salvaged } from "../salvage.js";
import { DATABASE_PREFIX } from "../schema.js";
import { Connection } from "./connection.js";
import type { OpenDatabaseOptions } from "./open.js";
import { BESIDE_PREFIX, COMPLETE, deleteDatabase, openBeside, openReplaced } from "./replacement.js";
import { estimateStorage } from "./room.js";
import { countersOf, salvageDatabase } from "./salvage.js";
import { IndexedDbStore } from "./store.js";
import { type DatabaseUse, NOT_KNOWN, requestUse } from "./use.js";

type Options = Omit<OpenDatabaseOptions, "create" | "prefix">;

/** How often it begins anew when others write meanwhile. */
const TRIES = 3;
/** Between two looks whether all handles are closed. */
const LOOK_MS = 50;

/** While no handle has the database open, in whatever tab, as far as that can be told.
 * @throws MemoryError "storage-blocked", and nothing is lost then; as {@link salvageDatabase} */
export async function repairDatabase(name: string, options: Options): Promise<RepairReport> {
  const use = await useAlone(name, options);
  try {
    await finishRepair(name, options);
    for (let tries = 1; tries <= TRIES; tries++) {
      const counters = await countersOf(name, options);
      const salvaged = await salvageDatabase(name, options);
      await fillBeside(name, salvaged, options);
      // A handle that nobody knows of, where there are no Web Locks, has recorded something: it would be lost.
      if ((await countersOf(name, options)) !== counters) continue;
      await deleteDatabase(name, DATABASE_PREFIX, options);
      (await openReplaced(name, { ...options, create: true }, { isShared: true }))?.close();
      return reportOf(salvaged);
    }
    await deleteDatabase(name, BESIDE_PREFIX, options);
    throw openElsewhere(name);
  } finally {
    use.end();
  }
}

/** What can be read of one user's rows. The caller keeps repairs off.
 * @throws MemoryError as {@link salvageDatabase} */
export async function salvageRows(name: string, userId: UserId, options: Options): Promise<readonly SalvagedRow[]> {
  await finishRepair(name, options);
  return rowsOfUser(await salvageDatabase(name, options), userId);
}

/** Gives its place to what a repair has made that was killed after the damaged database went. */
async function finishRepair(name: string, options: Options): Promise<void> {
  try {
    await countersOf(name, options);
  } catch (error) {
    if (!isMemoryError(error, "not-found")) throw error;
    (await openReplaced(name, { ...options, create: false }, { isShared: false }))?.close();
  }
}

async function fillBeside(name: string, salvaged: Salvaged, options: Options): Promise<void> {
  await deleteDatabase(name, BESIDE_PREFIX, options);
  const open = async (userId: UserId) => {
    const connection = new Connection(name, ({ create }) => openBeside(name, { ...options, create }));
    await connection.open();
    return new IndexedDbStore(connection, userId, { clock: { now: () => Date.now() }, estimate: estimateStorage });
  };
  try {
    await refill(open, salvaged);
  } catch (error) {
    // It takes room, which may be what there was too little of.
    await deleteDatabase(name, BESIDE_PREFIX, options);
    throw error;
  }
  const filled = await openBeside(name, { ...options, create: true });
  await filled?.put("derived", { value: true }, COMPLETE);
  filled?.close();
}

/** Looks again and again: whoever wants to share would have to wait behind a request that waits, and in Chromium goes on waiting
 * when that is aborted. */
async function useAlone(name: string, { blockedTimeoutMs = 5_000 }: Options): Promise<DatabaseUse> {
  const lastMs = performance.now() + blockedTimeoutMs;
  for (;;) {
    // Where locks are not for this frame, nobody has one.
    const use = await requestUse(name, { ifAvailable: true }).catch(() => NOT_KNOWN);
    if (use) return use;
    if (performance.now() > lastMs) throw openElsewhere(name);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function openElsewhere(name: string): MemoryError {
  return new MemoryError(
    "storage-blocked",
    `the database "${name}" is open, and what a handle records during a repair would be lost; close every memory that uses it and the other tabs of this page, and call repair again`,
  );
}

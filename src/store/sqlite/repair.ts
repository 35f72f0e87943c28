/** Makes a damaged file anew from what reads of it. */
import type { Clock, RepairReport, StoreNotice } from "../../ports.js";
import type { UserId } from "../../types.js";
import { refill, reportOf } from "../salvage.js";
import { prepare } from "./connect.js";
import type { UsedFile } from "./file-use.js";
import { replaceFile } from "./replacement.js";
import { salvageFile } from "./salvage.js";
import { SqliteStore } from "./store.js";

/** While nobody has the file open.
 * @throws MemoryError as {@link salvageFile}, and "quota-exceeded"; the file is as it was then */
export async function repairFile(
  { name, file, open }: UsedFile,
  { clock, notify }: { readonly clock: Clock; readonly notify: ((notice: StoreNotice) => void) | undefined },
): Promise<RepairReport> {
  const salvaged = salvageFile({ name, file, open });
  const keptAs = await replaceFile(file, async (path) => {
    const database = prepare(open(path), name, notify);
    const storeOf = async (userId: UserId) => new SqliteStore({ name, userId, database, clock, release: () => undefined });
    try {
      await refill(storeOf, salvaged);
      // Closing does so too, but does not say when the disk is full.
      database.pragma("wal_checkpoint(TRUNCATE)");
    } finally {
      database.close();
    }
  });
  return { ...reportOf(salvaged), keptAs };
}

/** Reads many turns by their ids: a browser takes longer over a hundred requests than over a hundred rows. */

import type { TurnId, UserId } from "../../types.js";
import type { ReadTransaction, TurnRow, WriteTransaction } from "../schema.js";

/** Ids from which one request for all that lies between them is tried first. */
const MANY = 16;

/** @returns the rows that are there, in the order of the ids */
export async function readTurnRows(
  transaction: ReadTransaction | WriteTransaction,
  userId: UserId,
  ids: readonly TurnId[],
): Promise<(TurnRow | undefined)[]> {
  // A write without turns does not have them in its scope.
  if (ids.length === 0) return [];
  // One store of either transaction; the union of both is more than the compiler can follow.
  const store = (transaction as ReadTransaction).objectStore("turns");
  if (ids.length >= MANY) {
    const sorted = [...ids].sort();
    const range = IDBKeyRange.bound([userId, sorted[0]], [userId, sorted.at(-1)]);
    // New ones, and those that were stored together, have hardly others between them.
    const [keys, rows] = await Promise.all([store.getAllKeys(range, ids.length + 1), store.getAll(range, ids.length + 1)]);
    if (keys.length <= ids.length) {
      const found = new Map(keys.map(([, id], at) => [id, rows[at]]));
      return ids.map((id) => found.get(id));
    }
  }
  return Promise.all(ids.map((id) => store.get([userId, id])));
}

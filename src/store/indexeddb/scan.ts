/** Goes through everything that is stored of a user, in every object store that there is, also those of a newer version. */

import type { ScannedRow } from "../../ports.js";
import type { UserId } from "../../types.js";
import type { ReadTransaction, StoreName } from "../schema.js";
import { stringsIn } from "../strings.js";
import type { Connection } from "./connection.js";

/** Rows read in one transaction. */
const PAGE = 128;

export async function* scanRows(connection: Connection, userId: UserId): AsyncGenerator<ScannedRow> {
  for (const table of await connection.storeNames()) {
    for (let after: IDBValidKey | undefined; ; ) {
      const { keys, values } = await connection.run("readonly", [table], (transaction) =>
        readPage(transaction, table, userId, after),
      );
      for (const [at, key] of keys.entries()) yield* rowsOf(table, key, values[at]);
      after = keys.at(-1);
      if (keys.length < PAGE) break;
    }
  }
}

async function readPage(
  transaction: ReadTransaction,
  table: StoreName,
  userId: UserId,
  after: IDBValidKey | undefined,
): Promise<{ readonly keys: readonly IDBValidKey[]; readonly values: readonly unknown[] }> {
  const store = transaction.objectStore(table);
  // One row of `users` is all that is not under a key that begins with the user.
  const range =
    table === "users" ? IDBKeyRange.only(userId) : IDBKeyRange.bound(after ?? [userId], [userId, []], after !== undefined, true);
  if (table === "users" && after !== undefined) return { keys: [], values: [] };
  const [keys, values] = await Promise.all([store.getAllKeys(range as never, PAGE), store.getAll(range as never, PAGE)]);
  return { keys: keys as IDBValidKey[], values };
}

/** Blocks hold many rows, which are told one by one. */
function* rowsOf(table: string, key: IDBValidKey, value: unknown): Generator<ScannedRow> {
  const name = Array.isArray(key) ? key.slice(1).join() : "";
  const { rows } = (typeof value === "object" && value !== null ? value : {}) as { readonly rows?: unknown };
  if (Array.isArray(rows)) for (const row of rows) yield { table, key: name, strings: stringsIn(row) };
  else yield { table, key: name, strings: [...(Array.isArray(key) ? stringsIn(key.slice(1)) : []), ...stringsIn(value)] };
}

/** The steps from each version of the IndexedDB schema to the next. */
import type { IDBPDatabase } from "idb";
import { checksumOf } from "../checksum.js";
import { isRecord } from "../row-shapes.js";
import type { UpgradeTransaction } from "../schema.js";

/** Told how far a step is; a kill in between leaves the database at its old version, and the next opening begins anew. */
export type TellProgress = (done: number, total: number) => void;

/** A step from one version to the next, inside the upgrade transaction: it awaits nothing but that. Of rows it keeps what it
 * does not know. */
export type Migration = (database: IDBPDatabase, transaction: UpgradeTransaction, tell: TellProgress) => void | Promise<void>;

/** Rows that a step rewrites at a time. */
const ROWS_PER_STEP = 500;

/** Step n (from 0) leads from version n to n + 1; the schema's version is their number. A released step never changes:
 * a new version gets a new step, and a fixture of the version before it in test/store/fixtures. */
export const MIGRATIONS: readonly Migration[] = [
  (database) => {
    database.createObjectStore("users");
    const turns = database.createObjectStore("turns");
    turns.createIndex("bySequence", ["user", "turn.sequence"], { unique: true });
    turns.createIndex("byConversation", ["user", "turn.conversationId", "turn.sequence"]);
    for (const name of ["entries", "usage", "vectorTail", "vectorSegments", "journal", "meta"]) database.createObjectStore(name);
  },
  async (database, transaction, tell) => {
    database.createObjectStore("derived");
    await rewrite(transaction, "entries", withRowChecksums, tell);
    await rewrite(transaction, "turns", withTurnChecksum, tell);
  },
  (database) => {
    const nodes = database.createObjectStore("nodes");
    nodes.createIndex("byTerm", "terms", { multiEntry: true });
    nodes.createIndex("byShared", ["shared", "user"]);
    database.createObjectStore("edges").createIndex("byTarget", ["user", "edge.to"]);
    database.createObjectStore("supports").createIndex("byEntry", ["user", "support.entryId"]);
  },
];

function withRowChecksums(block: Readonly<Record<string, unknown>>): object {
  if (!Array.isArray(block.rows)) return block;
  const rows = block.rows.map((row: unknown) => {
    if (!isRecord(row) || !isRecord(row.entry)) return row;
    return { ...row, id: row.entry.id, checksum: checksumOf([row.entry, row.ranges]) };
  });
  return { ...block, rows };
}

function withTurnChecksum(row: Readonly<Record<string, unknown>>): object {
  return { ...row, checksum: checksumOf(row.turn) };
}

/** Rewrites every row of an object store that is an object; what else lies there stays as it is. */
async function rewrite(
  transaction: UpgradeTransaction,
  name: string,
  change: (row: Readonly<Record<string, unknown>>) => object,
  tell: TellProgress,
): Promise<void> {
  const store = transaction.objectStore(name);
  const total = await store.count();
  let range: IDBKeyRange | undefined;
  for (let done = 0; done < total; ) {
    const [keys, rows] = await Promise.all([store.getAllKeys(range, ROWS_PER_STEP), store.getAll(range, ROWS_PER_STEP)]);
    const puts = rows.map((row: unknown, at) => isRecord(row) && store.put(change(row), keys[at]));
    await Promise.all(puts);
    const last = keys.at(-1);
    if (last === undefined) return;
    range = IDBKeyRange.lowerBound(last, true);
    done += rows.length;
    tell(done, total);
  }
}

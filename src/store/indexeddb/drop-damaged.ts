/** Takes away what is damaged of one user's entries and turns, and vectors that belong to no entry. */
import { unwrap } from "idb";
import type { EntryId, Timestamp, TurnId, UserId } from "../../types.js";
import type { DamageLog } from "../damage.js";
import { operationsOf } from "../journal.js";
import type { StoreName, WriteTransaction } from "../schema.js";
import { withPrefix } from "./ranges.js";
import { blockRows, readState, soundTurn } from "./rows.js";
import { changeVectors, findRanges } from "./vectors.js";

export const DROP_SCOPE: readonly StoreName[] = [
  "users",
  "turns",
  "entries",
  "usage",
  "vectorTail",
  "vectorSegments",
  "journal",
  "derived",
];

/** Turns looked at in one go. */
const TURNS_PER_PAGE = 1_000;

/** Counts anew what stays. */
export async function dropDamaged(
  transaction: WriteTransaction,
  userId: UserId,
  { now, log }: { readonly now: Timestamp; readonly log: DamageLog },
): Promise<void> {
  const state = await readState(transaction, userId);
  const removedEntries = new Set<EntryId>();
  const kept = new Set<EntryId>();
  const entries = transaction.objectStore("entries");
  for (const key of await entries.getAllKeys(withPrefix(userId))) {
    const { sound, damaged } = blockRows(await entries.get(key), key[1], log);
    for (const { id } of sound) kept.add(id);
    for (const row of damaged) if (typeof row?.id === "string") removedEntries.add(row.id);
    if (sound.length === 0) unwrap(entries).delete(key);
    else if (damaged.length > 0) unwrap(entries).put({ first: key[1], rows: sound }, key);
  }
  const removedTurns = new Set<TurnId>();
  const turns = transaction.objectStore("turns");
  let turnCount = 0;
  let range: IDBKeyRange | undefined = withPrefix(userId);
  while (range) {
    const keys: [string, string][] = await turns.getAllKeys(range, TURNS_PER_PAGE);
    const rows = await turns.getAll(range, TURNS_PER_PAGE);
    for (const [at, key] of keys.entries()) {
      if (soundTurn(rows[at], log, key[1] as TurnId)) turnCount += 1;
      else {
        unwrap(turns).delete(key);
        removedTurns.add(key[1] as TurnId);
      }
    }
    const last = keys.at(-1);
    range = last && keys.length === TURNS_PER_PAGE ? IDBKeyRange.bound(last, [userId, []], true, true) : undefined;
  }
  for (const id of removedEntries) if (!kept.has(id)) unwrap(transaction.objectStore("usage")).delete([userId, id]);
  const leaving = await findRanges(transaction, userId, state.spaces, (id) => !kept.has(id));
  const { spaces } = await changeVectors(transaction, userId, state.spaces, leaving, { space: -1, of: [] });
  const operations = operationsOf({ putEntries: new Set(), removedEntries, putTurns: new Set(), removedTurns, metaKeys: [] });
  const isSame = operations.length === 0 && kept.size === state.entries && turnCount === state.turns && leaving.length === 0;
  if (isSame) return;
  unwrap(transaction.objectStore("derived")).delete(withPrefix(userId));
  const revision = state.revision + 1;
  unwrap(transaction.objectStore("journal")).put({ revision, at: now, operations }, [userId, revision]);
  unwrap(transaction.objectStore("users")).put({ ...state, revision, turns: turnCount, entries: kept.size, spaces }, userId);
}

/** One write of the IndexedDB store, inside a transaction of its caller; it awaits nothing but that transaction. */
import { unwrap } from "idb";
import type { Committed, StoreWrite } from "../../ports.js";
import type { Entry, EntryId, Timestamp, Turn, TurnId, UserId } from "../../types.js";
import type { DamageLog } from "../damage.js";
import { expectEntryOfVectors, expectNewTurn, expectRevision, expectStore, expectTurn } from "../expectations.js";
import { withoutConsolidation } from "../graph-rows.js";
import { operationsOf } from "../journal.js";
import type { EntryRow, RangeRow, StoreName, WriteTransaction } from "../schema.js";
import { EntryBlocks } from "./entries.js";
import { GRAPH_STORES, GraphRows } from "./graph.js";
import { withPrefix } from "./ranges.js";
import { entryRow, readState, soundTurn, turnRow } from "./rows.js";
import { readTurnRows } from "./turn-reads.js";
import { changeVectors, findRanges, withoutSpaces, withSpace } from "./vectors.js";

/** The object stores that a write needs, so that reads of the others need not wait for it. */
export function scopeOf(batch: StoreWrite): StoreName[] {
  const scope: StoreName[] = ["users", "journal"];
  const has = (list: readonly unknown[] | undefined) => list !== undefined && list.length > 0;
  if (has(batch.turns) || has(batch.removeTurns) || has(batch.expectTurns) || has(batch.expectNewTurns)) scope.push("turns");
  const removes = has(batch.removeEntries);
  const needsEntries = [batch.entries, batch.expect, batch.usage, batch.vectors?.of, batch.graph?.support].some(has);
  if (removes || needsEntries) scope.push("entries");
  if (removes || has(batch.entries) || batch.graph) scope.push(...GRAPH_STORES);
  if (removes || has(batch.usage)) scope.push("usage");
  if (removes || has(batch.entries) || has(batch.vectors?.of) || has(batch.dropSpaces))
    scope.push("vectorTail", "vectorSegments");
  if (Object.keys(batch.meta ?? {}).length > 0) scope.push("meta");
  if (removes || has(batch.removeTurns) || has(batch.entries)) scope.push("derived");
  return scope;
}

/** Checks the expectations, then removes, puts and journals. Whatever it throws must abort the transaction. */
export async function applyWrite(
  transaction: WriteTransaction,
  userId: UserId,
  batch: StoreWrite,
  { now, log }: { readonly now: Timestamp; readonly log: DamageLog },
): Promise<Committed> {
  const vectorIds = batch.vectors?.of.map(({ entryId }) => entryId) ?? [];
  const entryIds = [
    ...(batch.expect ?? []).map(({ entryId }) => entryId),
    ...(batch.removeEntries ?? []),
    ...(batch.entries ?? []).map(({ id }) => id),
    ...(batch.usage ?? []).map(({ entryId }) => entryId),
    ...vectorIds,
    ...(batch.graph?.support ?? []).map(({ entryId }) => entryId),
  ];
  const turnIds = [
    ...(batch.expectTurns ?? []),
    ...(batch.expectNewTurns ?? []),
    ...(batch.removeTurns ?? []),
    ...(batch.turns ?? []).map(({ id }) => id),
  ];
  const blocks = new EntryBlocks(transaction, userId, log);
  const [state, storedEntries, storedTurns] = await Promise.all([
    readState(transaction, userId),
    blocks.find(entryIds),
    readTurns(transaction, userId, turnIds, log),
  ]);
  // Damaged ones are as good as not there, but for their place.
  const damagedTurns = new Set(turnIds.filter((id) => storedTurns.has(id) && !storedTurns.get(id)));
  const damagedEntries = new Set(entryIds.filter((id) => blocks.damaged.has(id)));
  const revisionOf = (id: EntryId) => storedEntries.get(id)?.entry.revision ?? 0;
  if (batch.expectStore !== undefined) expectStore(batch.expectStore, state.revision);
  for (const { entryId, revision } of batch.expect ?? []) expectRevision(entryId, revision, revisionOf(entryId));
  for (const turnId of batch.expectTurns ?? []) expectTurn(turnId, storedTurns.get(turnId) !== undefined);
  for (const turnId of batch.expectNewTurns ?? []) expectNewTurn(turnId, storedTurns.get(turnId) !== undefined);

  const removedEntries = new Set((batch.removeEntries ?? []).filter((id) => storedEntries.has(id) || damagedEntries.has(id)));
  const removedTurns = new Set((batch.removeTurns ?? []).filter((id) => storedTurns.has(id)));
  const entries = (batch.entries ?? []).map((entry): Entry => {
    const revision = Math.max(revisionOf(entry.id) + 1, entry.revision ?? 0);
    return withoutConsolidation({ ...entry, revision }, storedEntries.get(entry.id)?.entry);
  });
  const putEntries = new Set(entries.map(({ id }) => id));
  for (const id of vectorIds) {
    expectEntryOfVectors(id, putEntries.has(id) || (storedEntries.has(id) && !removedEntries.has(id)));
    putEntries.add(id);
  }

  const turns = new Map<TurnId, Turn>();
  const newTurns: Turn[] = [];
  for (const given of batch.turns ?? []) {
    if (turns.has(given.id)) continue;
    const stored = storedTurns.get(given.id);
    const turn: Turn = stored ?? { ...given, sequence: state.nextSequence + newTurns.length };
    turns.set(given.id, turn);
    if (!stored) newTurns.push(turn);
  }

  const rows = new RowWriter(transaction, userId);
  for (const id of removedEntries) rows.delete("usage", id);
  for (const id of removedTurns) rows.delete("turns", id);
  for (const turn of newTurns) rows.put("turns", turn.id, turnRow(userId, turn));
  for (const { entryId, usage } of batch.usage ?? []) {
    // Statistics come in batches, and an entry may have been forgotten meanwhile.
    const exists = putEntries.has(entryId) || (storedEntries.has(entryId) && !removedEntries.has(entryId));
    if (exists) rows.put("usage", entryId, { accessCount: usage.accessCount, lastAccessedAt: usage.lastAccessedAt });
  }
  for (const [key, value] of Object.entries(batch.meta ?? {})) {
    if (value === undefined) rows.delete("meta", key);
    else rows.put("meta", key, { value });
  }
  // Vectors of another text would be searched as if they were this one's, in whichever space they are.
  const isRetold = (entry: Entry) => (storedEntries.get(entry.id)?.entry.indexText ?? entry.indexText) !== entry.indexText;
  const retold = new Set(entries.filter(isRetold).map(({ id }) => id));
  const exists = (id: EntryId) => putEntries.has(id) || (storedEntries.has(id) && !removedEntries.has(id));
  if (batch.graph || removedEntries.size + retold.size > 0) {
    const graph = new GraphRows(transaction, userId);
    await graph.unsupport([...removedEntries, ...retold]);
    if (batch.graph) await graph.write(batch.graph, exists);
  }
  if (removedEntries.size + removedTurns.size + retold.size > 0)
    unwrap(transaction.objectStore("derived")).delete(withPrefix(userId));
  const put = new Map(
    entries.map((entry): [EntryId, EntryRow] => [
      entry.id,
      entryRow(entry, retold.has(entry.id) ? [] : (storedEntries.get(entry.id)?.ranges ?? [])),
    ]),
  );
  let { spaces, nextSpace } = withoutSpaces(transaction, userId, state, batch.dropSpaces ?? []);
  const lost = new Set([...damagedEntries].filter((id) => removedEntries.has(id) || put.has(id)));
  if (removedEntries.size > 0 || vectorIds.length > 0 || retold.size > 0 || lost.size > 0) {
    const left = { spaces, nextSpace };
    const target = batch.vectors && vectorIds.length > 0 ? withSpace(left, batch.vectors.space) : { ...left, number: -1 };
    const isReplaced = (range: RangeRow) => range.space === target.number;
    const leaving = [
      ...[...removedEntries, ...retold].flatMap((id) => storedEntries.get(id)?.ranges ?? []),
      ...vectorIds.flatMap((id) => (retold.has(id) ? [] : (storedEntries.get(id)?.ranges.filter(isReplaced) ?? []))),
      ...(lost.size > 0 ? await findRanges(transaction, userId, spaces, (id) => lost.has(id)) : []),
    ];
    const changed = await changeVectors(transaction, userId, target.spaces, leaving, {
      space: target.number,
      of: batch.vectors?.of ?? [],
    });
    ({ spaces } = changed);
    ({ nextSpace } = target);
    for (const [id, range] of changed.ranges) {
      const row = put.get(id) ?? storedEntries.get(id)!;
      const isLive = (old: RangeRow) => !isReplaced(old) && target.spaces.some(({ number }) => number === old.space);
      put.set(id, entryRow(row.entry, [...row.ranges.filter(isLive), range]));
    }
  }
  blocks.write(put, removedEntries);

  const operations = operationsOf({
    putEntries,
    removedEntries,
    putTurns: new Set(newTurns.map(({ id }) => id)),
    removedTurns,
    metaKeys: Object.keys(batch.meta ?? {}),
    graph: batch.graph,
  });
  if (operations.length === 0) {
    if (spaces !== state.spaces) unwrap(transaction.objectStore("users")).put({ ...state, spaces }, userId);
    return { revision: state.revision, epoch: state.epoch ?? "", turns: [...turns.values()], entries };
  }
  const revision = state.revision + 1;
  const epoch = state.epoch ?? (state.revision === 0 ? newEpoch() : "");
  const added = entries.filter(({ id }) => !storedEntries.has(id) && !damagedEntries.has(id)).length;
  const addedTurns = newTurns.filter(({ id }) => !damagedTurns.has(id)).length;
  rows.put("journal", revision, { revision, at: now, operations });
  unwrap(transaction.objectStore("users")).put(
    {
      revision,
      ...(epoch !== "" && { epoch }),
      turns: state.turns + addedTurns - removedTurns.size,
      entries: state.entries + added - removedEntries.size,
      nextSequence: state.nextSequence + newTurns.length,
      spaces,
      nextSpace,
    },
    userId,
  );
  return { revision, epoch, turns: [...turns.values()], entries };
}

/** The turns that are there, by id; `undefined` for a damaged one. */
async function readTurns(
  transaction: WriteTransaction,
  userId: UserId,
  ids: readonly TurnId[],
  log: DamageLog,
): Promise<ReadonlyMap<TurnId, Turn | undefined>> {
  const distinct = [...new Set(ids)];
  const rows = await readTurnRows(transaction, userId, distinct);
  const found = new Map<TurnId, Turn | undefined>();
  for (const [at, id] of distinct.entries()) if (rows[at] !== undefined) found.set(id, soundTurn(rows[at], log, id));
  return found;
}

function newEpoch(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("-");
}

/** Puts and deletes by plain requests: their promises are not needed, since a request that fails aborts the
 * transaction and the transaction says why, and ten thousand promises that nobody awaits would all go unhandled. */
class RowWriter {
  readonly #transaction: WriteTransaction;
  readonly #user: UserId;

  constructor(transaction: WriteTransaction, userId: UserId) {
    this.#transaction = transaction;
    this.#user = userId;
  }

  put(store: StoreName, id: string | number, row: object): void {
    unwrap(this.#transaction.objectStore(store)).put(row, [this.#user, id]);
  }

  delete(store: StoreName, id: string): void {
    unwrap(this.#transaction.objectStore(store)).delete([this.#user, id]);
  }
}

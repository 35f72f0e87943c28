/** One write of the SQLite store, inside a transaction that its caller has begun. */
import { serialize } from "node:v8";
import type { Database } from "better-sqlite3";
import { crc32 } from "../../bytes/crc32.js";
import type { Committed, StoreWrite } from "../../ports.js";
import type { Entry, EntryId, Timestamp, Turn, TurnId } from "../../types.js";
import { checksumOf } from "../checksum.js";
import type { DamageLog } from "../damage.js";
import { expectEntryOfVectors, expectNewTurn, expectRevision, expectStore, expectTurn } from "../expectations.js";
import { withoutConsolidation } from "../graph-rows.js";
import { operationsOf } from "../journal.js";
import { type BodyRow, soundEntry, soundTurn } from "./bodies.js";
import { GraphRows } from "./graph.js";
import { toKey } from "./key.js";

/** What a write did, and whether it took something away that must not linger in the log file. */
export interface Applied extends Committed {
  readonly removed: boolean;
}

interface UserRow {
  readonly id: number;
  readonly revision: number;
  readonly turns: number;
  readonly entries: number;
  readonly next_sequence: number;
}

/** Checks the expectations, then removes, puts and journals. Whatever it throws must roll the transaction back. */
export function applyWrite(
  database: Database,
  userName: Buffer,
  batch: StoreWrite,
  { now, log }: { readonly now: Timestamp; readonly log: DamageLog },
): Applied {
  database.prepare("INSERT OR IGNORE INTO users (name) VALUES (?)").run(userName);
  const user = database.prepare<[Buffer], UserRow>("SELECT * FROM users WHERE name = ?").get(userName)!;
  const rows = new UserRows(database, user.id, log);
  if (batch.expectStore !== undefined) expectStore(batch.expectStore, user.revision);
  for (const { entryId, revision } of batch.expect ?? []) expectRevision(entryId, revision, rows.entryRevision(entryId));
  for (const turnId of batch.expectTurns ?? []) expectTurn(turnId, rows.turn(turnId) !== undefined);
  for (const turnId of batch.expectNewTurns ?? []) expectNewTurn(turnId, rows.turn(turnId) !== undefined);

  const removedEntries = new Set((batch.removeEntries ?? []).filter((id) => rows.removeEntry(id)));
  const removedTurns = new Set((batch.removeTurns ?? []).filter((id) => rows.removeTurn(id)));

  const turns = new Map<TurnId, Turn>();
  const putTurns = new Set<TurnId>();
  let newTurns = 0;
  for (const given of batch.turns ?? []) {
    if (turns.has(given.id)) continue;
    const stored = rows.turn(given.id);
    const turn: Turn = stored ?? { ...given, sequence: user.next_sequence + putTurns.size };
    turns.set(given.id, turn);
    if (stored) continue;
    // A damaged one makes way.
    if (!rows.removeTurn(given.id)) newTurns += 1;
    rows.putTurn(turn);
    putTurns.add(given.id);
  }

  for (const space of batch.dropSpaces ?? []) rows.dropSpace(space.id, space.dimension);

  const entries: Entry[] = [];
  const putEntries = new Set<EntryId>();
  let newEntries = 0;
  const retold = new Set<EntryId>();
  for (const given of batch.entries ?? []) {
    const before = rows.entry(given.id);
    if (before !== undefined && before.indexText !== given.indexText) retold.add(given.id);
    const revision = Math.max((before?.revision ?? 0) + 1, given.revision ?? 0);
    const entry = withoutConsolidation({ ...given, revision }, before);
    if (rows.putEntry(entry, before)) newEntries += 1;
    entries.push(entry);
    putEntries.add(given.id);
  }

  if (batch.vectors && batch.vectors.of.length > 0) {
    const space = rows.space(batch.vectors.space.id, batch.vectors.space.dimension);
    for (const { entryId, rows: vectors } of batch.vectors.of) {
      expectEntryOfVectors(entryId, putEntries.has(entryId) || rows.entryRevision(entryId) > 0);
      rows.putVectors(space, entryId, vectors);
      putEntries.add(entryId);
    }
  }
  const graph = new GraphRows(database, user.id);
  graph.unsupport([...removedEntries, ...retold]);
  if (batch.graph) graph.write(batch.graph, (id) => putEntries.has(id) || rows.entryRevision(id) > 0);
  if (retold.size + removedEntries.size + removedTurns.size > 0)
    database.prepare("DELETE FROM derived WHERE user = ?").run(user.id);
  for (const { entryId, usage } of batch.usage ?? []) rows.putUsage(entryId, usage.accessCount, usage.lastAccessedAt);
  for (const [key, value] of Object.entries(batch.meta ?? {})) rows.putMeta(key, value);

  const operations = operationsOf({
    putEntries,
    removedEntries,
    putTurns,
    removedTurns,
    metaKeys: Object.keys(batch.meta ?? {}),
    graph: batch.graph,
  });
  const revision = operations.length > 0 ? user.revision + 1 : user.revision;
  if (revision === 0) database.prepare("DELETE FROM users WHERE id = ?").run(user.id);
  if (operations.length > 0) {
    database
      .prepare("INSERT INTO journal (user, revision, at, operations) VALUES (?, ?, ?, ?)")
      .run(user.id, revision, now, JSON.stringify(operations));
    database
      .prepare(
        "UPDATE users SET revision = ?, turns = turns + ?, entries = entries + ?, next_sequence = next_sequence + ? WHERE id = ?",
      )
      .run(revision, newTurns - removedTurns.size, newEntries - removedEntries.size, putTurns.size, user.id);
  }
  const epoch = revision === 0 ? "" : String(user.id);
  // Values that went from meta may have held words too, as evicted entries that waited there do.
  const removesWords = removedEntries.size + removedTurns.size > 0 || Object.values(batch.meta ?? {}).includes(undefined);
  return { revision, epoch, turns: [...turns.values()], entries, removed: removesWords };
}

/** The rows of one user, by statements that are prepared once for a write. */
class UserRows {
  readonly #user: number;
  readonly #statements;
  readonly #database: Database;
  readonly #log: DamageLog;

  constructor(database: Database, user: number, log: DamageLog) {
    this.#database = database;
    this.#user = user;
    this.#log = log;
    this.#statements = {
      turn: database.prepare<[number, Buffer], BodyRow>("SELECT id, body, checksum FROM turns WHERE user = ? AND id = ?"),
      putTurn: database.prepare("INSERT INTO turns (user, id, sequence, conversation, body, checksum) VALUES (?, ?, ?, ?, ?, ?)"),
      removeTurn: database.prepare("DELETE FROM turns WHERE user = ? AND id = ?"),
      entry: database.prepare<[number, Buffer], BodyRow>("SELECT id, body, checksum FROM entries WHERE user = ? AND id = ?"),
      insertEntry: database.prepare("INSERT INTO entries (revision, body, checksum, user, id) VALUES (?, ?, ?, ?, ?)"),
      updateEntry: database.prepare("UPDATE entries SET revision = ?, body = ?, checksum = ? WHERE user = ? AND id = ?"),
      removeEntry: database.prepare("DELETE FROM entries WHERE user = ? AND id = ?"),
      removeUsage: database.prepare("DELETE FROM usage WHERE user = ? AND entry = ?"),
      removeVectors: database.prepare("DELETE FROM vectors WHERE space IN (SELECT id FROM spaces WHERE user = ?) AND entry = ?"),
      // REPLACE deletes and inserts, so the new row goes to the end, as an appended segment row does.
      putVectors: database.prepare("INSERT OR REPLACE INTO vectors (space, entry, rows, crc) VALUES (?, ?, ?, ?)"),
      putUsage: database.prepare(
        "INSERT OR REPLACE INTO usage (user, entry, access_count, last_accessed_at) SELECT user, id, ?, ? FROM entries WHERE user = ? AND id = ?",
      ),
    };
  }

  /** `undefined` where it is not there, or damaged. */
  turn(id: TurnId): Turn | undefined {
    const row = this.#statements.turn.get(this.#user, toKey(id));
    return row && soundTurn(row, this.#log);
  }

  putTurn(turn: Turn): void {
    const body = JSON.stringify(turn);
    const [id, conversation] = [toKey(turn.id), toKey(turn.conversationId)];
    this.#statements.putTurn.run(this.#user, id, turn.sequence, conversation, body, checksumOf(body));
  }

  removeTurn(id: TurnId): boolean {
    return this.#statements.removeTurn.run(this.#user, toKey(id)).changes > 0;
  }

  /** `undefined` where it is not there, or damaged. */
  entry(id: EntryId): Entry | undefined {
    const row = this.#statements.entry.get(this.#user, toKey(id));
    return row && soundEntry(row, this.#log);
  }

  /** 0 where there is no such entry. */
  entryRevision(id: EntryId): number {
    return this.entry(id)?.revision ?? 0;
  }

  /** @param before what is stored and sound
   * @returns whether nothing was stored in its place */
  putEntry(entry: Entry, before: Entry | undefined): boolean {
    const key = toKey(entry.id);
    const body = JSON.stringify(entry);
    // Vectors of another text would be searched as if they were this one's, in whichever space they are.
    if (before?.indexText !== entry.indexText) this.#statements.removeVectors.run(this.#user, key);
    const values = [entry.revision, body, checksumOf(body), this.#user, key];
    if (this.#statements.updateEntry.run(...values).changes > 0) return false;
    this.#statements.insertEntry.run(...values);
    return true;
  }

  removeEntry(id: EntryId): boolean {
    const key = toKey(id);
    if (this.#statements.removeEntry.run(this.#user, key).changes === 0) return false;
    this.#statements.removeUsage.run(this.#user, key);
    this.#statements.removeVectors.run(this.#user, key);
    return true;
  }

  space(name: string, dimension: number): number {
    const key = toKey(name);
    this.#database
      .prepare("INSERT OR IGNORE INTO spaces (user, name, dimension) VALUES (?, ?, ?)")
      .run(this.#user, key, dimension);
    const find = this.#database.prepare<[number, Buffer, number], { id: number }>(
      "SELECT id FROM spaces WHERE user = ? AND name = ? AND dimension = ?",
    );
    return find.get(this.#user, key, dimension)!.id;
  }

  dropSpace(name: string, dimension: number): void {
    const find = "SELECT id FROM spaces WHERE user = ? AND name = ? AND dimension = ?";
    const key = [this.#user, toKey(name), dimension];
    this.#database.prepare(`DELETE FROM vectors WHERE space = (${find})`).run(...key);
    this.#database.prepare(`DELETE FROM spaces WHERE id = (${find})`).run(...key);
  }

  putVectors(space: number, entryId: EntryId, rows: Float32Array): void {
    const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
    this.#statements.putVectors.run(space, toKey(entryId), bytes, crc32(rows));
  }

  /** Nothing where the entry is gone: statistics come in batches, and an entry may have been forgotten meanwhile. */
  putUsage(entryId: EntryId, accessCount: number, lastAccessedAt: Timestamp): void {
    this.#statements.putUsage.run(accessCount, lastAccessedAt, this.#user, toKey(entryId));
  }

  putMeta(key: string, value: unknown): void {
    if (value === undefined) this.#database.prepare("DELETE FROM meta WHERE user = ? AND key = ?").run(this.#user, toKey(key));
    else
      this.#database
        .prepare("INSERT OR REPLACE INTO meta (user, key, value) VALUES (?, ?, ?)")
        .run(this.#user, toKey(key), serialize(value));
  }
}

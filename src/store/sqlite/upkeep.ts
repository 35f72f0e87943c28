/** Keeps a SQLite file small, one short transaction at a time, takes away what is damaged, and keeps what is derived. */
import { serialize } from "node:v8";
import type { Database } from "better-sqlite3";
import type { StoreCaps } from "../../ports.js";
import type { EntryId, Timestamp, TurnId } from "../../types.js";
import type { DamageLog } from "../damage.js";
import { operationsOf } from "../journal.js";
import { type BodyRow, soundEntry, soundTurn } from "./bodies.js";
import { fromKey } from "./key.js";

/** Journal records that go in one step, and pages given back to the disk. */
const RECORDS_PER_STEP = 1_000;
const PAGES_PER_STEP = 500;

/** One step.
 * @returns whether there is nothing left to do now */
export function tidy(database: Database, user: number, { journalRecords }: StoreCaps): boolean {
  const bounds = database
    .prepare<[number, number], { revision: number; oldest: number | null }>(
      "SELECT revision, (SELECT MIN(revision) FROM journal WHERE user = ?) AS oldest FROM users WHERE id = ?",
    )
    .get(user, user);
  const last = (bounds?.revision ?? 0) - journalRecords;
  const oldest = bounds?.oldest ?? Number.POSITIVE_INFINITY;
  if (oldest <= last) {
    const to = Math.min(last, oldest + RECORDS_PER_STEP - 1);
    database.prepare("DELETE FROM journal WHERE user = ? AND revision <= ?").run(user, to);
    return to === last && !hasFreePages(database);
  }
  // Files of version 1 were made without it: there free pages are filled again, but not given back.
  if (Number(database.pragma("auto_vacuum", { simple: true })) !== INCREMENTAL || !hasFreePages(database)) return true;
  database.pragma(`incremental_vacuum(${PAGES_PER_STEP})`);
  return !hasFreePages(database);
}

/** `PRAGMA auto_vacuum`, as SQLite numbers it. */
const INCREMENTAL = 2;

function hasFreePages(database: Database): boolean {
  return Number(database.pragma("freelist_count", { simple: true })) > PAGES_PER_STEP;
}

/** Takes away what is damaged of one user's entries and turns, and counts anew what stays; inside a transaction of the caller. */
export function dropDamaged(
  database: Database,
  user: number,
  { now, log }: { readonly now: Timestamp; readonly log: DamageLog },
): void {
  const rowsOf = (table: string) =>
    database.prepare<[number], BodyRow>(`SELECT id, body, checksum FROM ${table} WHERE user = ?`).iterate(user);
  const entries: Buffer[] = [];
  const turns: Buffer[] = [];
  for (const row of rowsOf("entries")) if (!soundEntry(row, log)) entries.push(row.id);
  for (const row of rowsOf("turns")) if (!soundTurn(row, log)) turns.push(row.id);
  for (const id of entries) {
    database.prepare("DELETE FROM entries WHERE user = ? AND id = ?").run(user, id);
    database.prepare("DELETE FROM usage WHERE user = ? AND entry = ?").run(user, id);
    database.prepare("DELETE FROM vectors WHERE space IN (SELECT id FROM spaces WHERE user = ?) AND entry = ?").run(user, id);
  }
  for (const id of turns) database.prepare("DELETE FROM turns WHERE user = ? AND id = ?").run(user, id);
  const operations = operationsOf({
    putEntries: new Set(),
    removedEntries: new Set(entries.map((id) => fromKey(id) as EntryId)),
    putTurns: new Set(),
    removedTurns: new Set(turns.map((id) => fromKey(id) as TurnId)),
    metaKeys: [],
  });
  if (operations.length === 0) return;
  database.prepare("DELETE FROM derived WHERE user = ?").run(user);
  database
    .prepare(
      `UPDATE users SET revision = revision + 1, turns = (SELECT COUNT(*) FROM turns WHERE user = users.id),
        entries = (SELECT COUNT(*) FROM entries WHERE user = users.id) WHERE id = ?`,
    )
    .run(user);
  database
    .prepare("INSERT INTO journal (user, revision, at, operations) SELECT id, revision, ?, ? FROM users WHERE id = ?")
    .run(now, JSON.stringify(operations), user);
}

/** Keeps a derived value, or with `undefined` removes it, where the user's rows still stand at a revision.
 * @returns whether they do */
export function keepDerived(
  database: Database,
  user: number,
  { key, value, revision }: { readonly key: Buffer; readonly value: unknown; readonly revision: number },
): boolean {
  const statement =
    value === undefined
      ? database
          .prepare("DELETE FROM derived WHERE key = ? AND user = (SELECT id FROM users WHERE id = ? AND revision = ?)")
          .bind(key, user, revision)
      : database
          .prepare("INSERT OR REPLACE INTO derived (user, key, value) SELECT id, ?, ? FROM users WHERE id = ? AND revision = ?")
          .bind(key, serialize(value), user, revision);
  return statement.run().changes > 0;
}

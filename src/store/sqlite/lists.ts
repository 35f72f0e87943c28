/** Pages of one user's entries, turns and journal records. */
import type { Database } from "better-sqlite3";
import type { JournalOperation, JournalRecord, Store } from "../../ports.js";
import type { Entry, Turn } from "../../types.js";
import type { DamageLog } from "../damage.js";
import { type BodyRow, soundEntry, soundTurn } from "./bodies.js";
import { toKey } from "./key.js";

export interface ListParts {
  readonly database: Database;
  /** Number of the user. */
  readonly user: number;
  readonly limit: number;
}

type EntryPage = NonNullable<Parameters<Store["listEntries"]>[0]>;
type TurnPage = NonNullable<Parameters<Store["listTurns"]>[0]>;

/** What is damaged is passed over, and noted. */
export function listEntries({ database, user, limit }: ListParts, page: EntryPage, log: DamageLog): Entry[] {
  const [compared, order] = page.reverse ? ["<", "DESC"] : [">", "ASC"];
  const next = (after: Buffer | undefined, count: number) =>
    database
      .prepare<unknown[], BodyRow>(
        `SELECT id, body, checksum FROM entries WHERE user = ? ${after ? `AND id ${compared} ?` : ""} ORDER BY id ${order} LIMIT ?`,
      )
      .all(user, ...(after ? [after] : []), count);
  const entries: Entry[] = [];
  for (let after = page.after === undefined ? undefined : toKey(page.after); entries.length < limit; ) {
    const count = limit - entries.length;
    const rows = next(after, count);
    entries.push(...rows.flatMap((row) => soundEntry(row, log) ?? []));
    if (rows.length < count) break;
    after = rows.at(-1)?.id;
  }
  return entries;
}

/** As {@link listEntries}. */
export function listTurns({ database, user, limit }: ListParts, page: TurnPage, log: DamageLog): Turn[] {
  const inConversation = page.conversationId === undefined ? "" : "AND conversation = ?";
  const [compared, order] = page.reverse ? ["<", "DESC"] : [">", "ASC"];
  const select = database.prepare<unknown[], BodyRow & { sequence: number }>(
    `SELECT id, body, checksum, sequence FROM turns WHERE user = ? ${inConversation} AND sequence ${compared} ? ORDER BY sequence ${order} LIMIT ?`,
  );
  const conversation = page.conversationId === undefined ? [] : [toKey(page.conversationId)];
  const turns: Turn[] = [];
  for (let after = page.after ?? (page.reverse ? Number.MAX_SAFE_INTEGER : -1); turns.length < limit; ) {
    const count = limit - turns.length;
    const rows = select.all(user, ...conversation, after, count);
    turns.push(...rows.flatMap((row) => soundTurn(row, log) ?? []));
    if (rows.length < count) break;
    after = rows.at(-1)?.sequence ?? after;
  }
  return turns;
}

/** Records after a revision. */
export function listJournal({ database, user, limit }: ListParts, after: number): JournalRecord[] {
  const select = database.prepare<unknown[], { revision: number; at: number; operations: string }>(
    "SELECT revision, at, operations FROM journal WHERE user = ? AND revision > ? ORDER BY revision LIMIT ?",
  );
  return select.all(user, after, limit).map((row) => ({ ...row, operations: JSON.parse(row.operations) as JournalOperation[] }));
}

/** Reads an SQLite file as far as it reads: around damaged pages, from either end of each table. */
import { deserialize } from "node:v8";
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";
import type { EntryId, UserId } from "../../types.js";
import { DamageLog } from "../damage.js";
import { isRecord, isUsage } from "../row-shapes.js";
import { Salvage, type Salvaged } from "../salvage.js";
import { type BodyRow, soundEntry, soundTurn } from "./bodies.js";
import type { UsedFile } from "./file-use.js";
import { fromKey } from "./key.js";
import { APPLICATION_ID } from "./schema.js";

type Row = Readonly<Record<string, unknown>>;

/** Changes nothing in the file.
 * @throws MemoryError "storage-corrupt" (another program's) */
export function salvageFile({ name, file, open }: Pick<UsedFile, "name" | "file" | "open">): Salvaged {
  const salvage = new Salvage();
  let database: Database | undefined;
  try {
    database = open(file, { readonly: true });
    readAll(database, name, salvage);
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    salvage.lose(`the file cannot be read on: ${String(error)}`);
  } finally {
    database?.close();
  }
  return salvage.result;
}

function readAll(database: Database, name: string, salvage: Salvage): void {
  if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID)
    throw new MemoryError("storage-corrupt", `the file of the database "${name}" is another program's; name another directory`);
  // Version 1 knew no checksums: its bodies are taken as they parse.
  const hasChecksums = Number(database.pragma("user_version", { simple: true })) > 1;
  const log = new DamageLog();
  const users = new Map<number, UserId>();
  const bodyOf = (row: Row): BodyRow => ({ ...(row as unknown as BodyRow), ...(!hasChecksums && { checksum: undefined }) });
  /** One row that is no more what was stored must not keep the others from being read. */
  const each = (table: string, read: (row: Row) => void) => {
    for (const row of rowsOf(database, table, salvage)) {
      try {
        read(row);
      } catch (error) {
        salvage.lose(`a row of ${table} cannot be read: ${String(error)}`);
      }
    }
  };
  const eachOfUser = (table: string, read: (row: Row, user: UserId) => void) =>
    each(table, (row) => {
      const user = users.get(Number(row.user));
      if (user !== undefined) read(row, user);
      else salvage.lose(`a row belongs to the user number ${String(row.user)}, whose name cannot be read`);
    });
  each("users", ({ id, name: key }) => users.set(Number(id), fromKey(key as Buffer) as UserId));
  eachOfUser("turns", (row, user) => {
    const turn = soundTurn(bodyOf(row), log);
    if (turn) salvage.keepTurn(user, turn);
  });
  eachOfUser("entries", (row, user) => {
    const entry = soundEntry(bodyOf(row), log);
    if (entry) salvage.keepEntry(user, entry);
  });
  eachOfUser("usage", (row, user) => {
    const usage = { accessCount: row.access_count, lastAccessedAt: row.last_accessed_at };
    if (isUsage(usage)) salvage.keepUsage(user, fromKey(row.entry as Buffer) as EntryId, usage);
  });
  eachOfUser("meta", (row, user) => salvage.keepMeta(user, fromKey(row.key as Buffer), deserialize(row.value as Buffer)));
  for (const rows of log.rows) salvage.lose(rows.reason);
}

/** Rows of a table upwards to the first damaged page, then downwards from the end to the last. */
function* rowsOf(database: Database, table: string, salvage: Salvage): Generator<Row> {
  const seen = new Set<string>();
  for (const order of ["ASC", "DESC"]) {
    try {
      const hasRowId = table !== "usage";
      const [columns, by] = hasRowId ? ["rowid AS place, *", "rowid"] : ["*", `user ${order}, entry`];
      const rows = database.prepare<[], Row>(`SELECT ${columns} FROM ${table} ORDER BY ${by} ${order}`).iterate();
      for (const row of rows) {
        const place = hasRowId
          ? String(row.place)
          : `${String(row.user)} ${Buffer.isBuffer(row.entry) ? row.entry.toString("hex") : String(row.entry)}`;
        if (seen.has(place)) continue;
        seen.add(place);
        if (isRecord(row)) yield row;
      }
      return;
    } catch (error) {
      if (order === "DESC") salvage.lose(`${table} cannot be read whole: ${String(error)}`);
    }
  }
}

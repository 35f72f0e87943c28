/** Reads an SQLite file as far as it reads: around damaged pages, from either end of each table. */
import { existsSync } from "node:fs";
import { deserialize } from "node:v8";
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";
import type { EntryId, UserId } from "../../types.js";
import { DamageLog } from "../damage.js";
import { isRecord } from "../row-shapes.js";
import { Salvage, type Salvaged } from "../salvage.js";
import { type BodyRow, soundEntry, soundTurn } from "./bodies.js";
import { fromKey } from "./key.js";
import { APPLICATION_ID } from "./schema.js";

type Row = Readonly<Record<string, unknown>>;

/** @param open makes a connection to the file without touching it
 * @throws MemoryError "not-found" | "storage-corrupt" (another program's) */
export function salvageFile(name: string, file: string, open: (file: string) => Database): Salvaged {
  if (!existsSync(file)) throw new MemoryError("not-found", `there is no database "${name}"`);
  const salvage = new Salvage();
  let database: Database | undefined;
  try {
    database = open(file);
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
  for (const { id, name: key } of rowsOf(database, "users", salvage)) users.set(Number(id), fromKey(key as Buffer) as UserId);
  const userOf = ({ user }: Row) => {
    const found = users.get(Number(user));
    if (found === undefined) salvage.lose(`a row belongs to the user number ${String(user)}, whose name cannot be read`);
    return found;
  };
  const bodyOf = (row: Row): BodyRow => ({ ...(row as unknown as BodyRow), ...(!hasChecksums && { checksum: undefined }) });
  for (const row of rowsOf(database, "turns", salvage)) {
    const user = userOf(row);
    const turn = user === undefined ? undefined : soundTurn(bodyOf(row), log);
    if (user !== undefined && turn) salvage.user(user).turns.push(turn);
  }
  for (const row of rowsOf(database, "entries", salvage)) {
    const user = userOf(row);
    const entry = user === undefined ? undefined : soundEntry(bodyOf(row), log);
    if (user !== undefined && entry) salvage.user(user).entries.push(entry);
  }
  for (const row of rowsOf(database, "usage", salvage)) {
    const user = userOf(row);
    const usage = { accessCount: Number(row.access_count), lastAccessedAt: Number(row.last_accessed_at) };
    if (user !== undefined && Object.values(usage).every(Number.isFinite))
      salvage.user(user).usage.push({ entryId: fromKey(row.entry as Buffer) as EntryId, usage });
  }
  for (const row of rowsOf(database, "meta", salvage)) {
    const user = userOf(row);
    if (user === undefined) continue;
    try {
      salvage.user(user).meta.set(fromKey(row.key as Buffer), deserialize(row.value as Buffer));
    } catch (error) {
      salvage.lose(`a setting cannot be read: ${String(error)}`);
    }
  }
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
        const place = hasRowId ? String(row.place) : `${String(row.user)} ${(row.entry as Buffer).toString("hex")}`;
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

/** Goes through everything that is stored of a user, in every table that there is, also those of a newer version. */
import { deserialize } from "node:v8";
import type { Database } from "better-sqlite3";
import type { ScannedRow } from "../../ports.js";
import { stringsIn } from "../strings.js";
import { fromKey } from "./key.js";

/** Rows read at a time, between which others may write. */
const PAGE = 256;

/** One page after another: a statement that is still open would keep others from writing. */
export function* scanPages(database: Database, user: number): Generator<readonly ScannedRow[]> {
  const tables = database
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  for (const { name } of tables) {
    const { where, isOurs } = ownedBy(database, name);
    for (let from = 0; ; from += PAGE) {
      const select = database.prepare<unknown[], Record<string, unknown>>(`SELECT * FROM "${name}" ${where} LIMIT ? OFFSET ?`);
      const rows = isOurs ? select.all(user, PAGE, from) : select.all(PAGE, from);
      yield rows.map((row) => ({ table: name, key: keyOf(row), strings: Object.values(row).flatMap(readable) }));
      if (rows.length < PAGE) break;
    }
  }
}

/** The rows of a table that are this user's; of a table that does not say whose they are, all. */
function ownedBy(database: Database, table: string): { readonly where: string; readonly isOurs: boolean } {
  const columns = new Set(
    database
      .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name),
  );
  if (table === "users") return { where: "WHERE id = ?", isOurs: true };
  if (columns.has("user")) return { where: "WHERE user = ?", isOurs: true };
  if (columns.has("space")) return { where: "WHERE space IN (SELECT id FROM spaces WHERE user = ?)", isOurs: true };
  return { where: "", isOurs: false };
}

function keyOf(row: Readonly<Record<string, unknown>>): string {
  const key = row.id ?? row.entry ?? row.key;
  return Buffer.isBuffer(key) ? fromKey(key) : String(key ?? "");
}

/** Blobs are ids in UTF-16, values of V8's own form, or bytes. */
function readable(value: unknown): string[] {
  if (!Buffer.isBuffer(value)) return stringsIn(value);
  const texts = value.length % 2 === 0 ? [fromKey(value)] : [];
  if (value[0] !== 0xff) return [...texts, value.toString("utf8")];
  try {
    return [...texts, ...stringsIn(deserialize(value))];
  } catch {
    return [...texts, value.toString("utf8")];
  }
}

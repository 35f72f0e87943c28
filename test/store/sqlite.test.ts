import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll } from "vitest";
import { checksumOf } from "../../src/store/checksum.js";
import { databaseFile } from "../../src/store/sqlite/file.js";
import { toKey } from "../../src/store/sqlite/key.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import { describeStore } from "./contract.js";

const directory = mkdtempSync(join(tmpdir(), "keepsake-store-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a statement on the file of a database, with the key of a row. */
async function spoil(name: string, statement: string, id: string): Promise<void> {
  const file = new Sqlite(databaseFile(directory, name));
  const { changes } = file.prepare(statement).run(toKey(id));
  file.close();
  if (changes !== 1) throw new Error(`${changes} rows were spoilt`);
}

/** Inserts a row of the user "me". */
async function put(name: string, table: "turns" | "entries", row: Readonly<Record<string, unknown>>): Promise<void> {
  const file = new Sqlite(databaseFile(directory, name));
  const columns = { user: 1, ...row };
  const names = Object.keys(columns);
  file
    .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .run(...Object.values(columns));
  file.close();
}

const bodyOf = (value: unknown) => {
  const body = JSON.stringify(value);
  return { body, checksum: checksumOf(body) };
};

describeStore("SQLite in files", {
  stores: (options) => sqliteStores({ directory, ...options }),
  disk: {
    spoilEntry: (name, id) => spoil(name, `UPDATE entries SET body = replace(body, 'holds', 'folds') WHERE id = ?`, id),
    spoilTurn: (name, id) => spoil(name, `UPDATE turns SET body = replace(body, 'said', 'sald') WHERE id = ?`, id),
    putTurn: (name, turn) =>
      put(name, "turns", { id: toKey(turn.id), sequence: turn.sequence, conversation: toKey("c"), ...bodyOf(turn) }),
    putEntry: (name, entry, key = entry.id) => put(name, "entries", { id: toKey(key), revision: 1, ...bodyOf(entry) }),
    spoilVectors: (name, id) => spoil(name, "UPDATE vectors SET rows = zeroblob(LENGTH(rows)) WHERE entry = ?", id),
  },
});

const inMemory = sqliteStores({ directory: ":memory:" });
describeStore("SQLite in memory", {
  stores: (options) => (options ? sqliteStores({ directory: ":memory:", ...options }) : inMemory),
});

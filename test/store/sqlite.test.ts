import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll } from "vitest";
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

describeStore("SQLite in files", {
  stores: (options) => sqliteStores({ directory, ...options }),
  disk: {
    spoilEntry: (name, id) => spoil(name, `UPDATE entries SET body = replace(body, 'holds', 'folds') WHERE id = ?`, id),
    spoilTurn: (name, id) => spoil(name, `UPDATE turns SET body = replace(body, 'said', 'sald') WHERE id = ?`, id),
    spoilVectors: (name, id) => spoil(name, "UPDATE vectors SET rows = zeroblob(LENGTH(rows)) WHERE entry = ?", id),
  },
});

const inMemory = sqliteStores({ directory: ":memory:" });
describeStore("SQLite in memory", {
  stores: (options) => (options ? sqliteStores({ directory: ":memory:", ...options }) : inMemory),
});

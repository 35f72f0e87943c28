/** Tables of the SQLite store, by version, and the steps from each version to the next. */
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";
import type { StoreNotice } from "../../ports.js";
import { checksumOf } from "../checksum.js";

/** "KPSH": how a file says that it is Keepsake's. */
export const APPLICATION_ID = 0x4b505348;

/** A step from one version to the next; runs inside the transaction that raises the version, so that a kill in between leaves
 * the old one. Of rows it keeps what it does not know. */
export type SqliteMigration = (database: Database, tell: (done: number, total: number) => void) => void;

/** Rows that a step rewrites at a time. */
const ROWS_PER_STEP = 1_000;

/** Step n (from 0) leads from version n to n + 1. A released step never changes: a new version gets a new step.
 *
 * Bodies are JSON, whose escapes hold lone surrogates and null characters that SQLite's UTF-8 text does not. Users are
 * numbered, so that no other table holds a user id; AUTOINCREMENT keeps the number of an erased user from being given out again. */
export const SQLITE_MIGRATIONS: readonly SqliteMigration[] = [
  (database) =>
    database.exec(`
      CREATE TABLE users (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name BLOB NOT NULL UNIQUE,
        revision INTEGER NOT NULL DEFAULT 0,
        turns INTEGER NOT NULL DEFAULT 0,
        entries INTEGER NOT NULL DEFAULT 0,
        next_sequence INTEGER NOT NULL DEFAULT 0
      );
      CREATE TABLE turns (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        id BLOB NOT NULL,
        sequence INTEGER NOT NULL,
        conversation BLOB NOT NULL,
        body TEXT NOT NULL
      );
      CREATE UNIQUE INDEX turns_by_id ON turns (user, id);
      CREATE UNIQUE INDEX turns_by_sequence ON turns (user, sequence);
      CREATE INDEX turns_by_conversation ON turns (user, conversation, sequence);
      CREATE TABLE entries (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        id BLOB NOT NULL,
        revision INTEGER NOT NULL,
        body TEXT NOT NULL
      );
      CREATE UNIQUE INDEX entries_by_id ON entries (user, id);
      CREATE TABLE usage (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        entry BLOB NOT NULL,
        access_count INTEGER NOT NULL,
        last_accessed_at REAL NOT NULL,
        PRIMARY KEY (user, entry)
      ) WITHOUT ROWID;
      CREATE TABLE spaces (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name BLOB NOT NULL,
        dimension INTEGER NOT NULL,
        UNIQUE (user, name, dimension)
      );
      CREATE TABLE vectors (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
        entry BLOB NOT NULL,
        rows BLOB NOT NULL,
        crc INTEGER NOT NULL
      );
      CREATE UNIQUE INDEX vectors_by_entry ON vectors (space, entry);
      CREATE INDEX vectors_by_position ON vectors (space, position);
      CREATE TABLE journal (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        revision INTEGER NOT NULL,
        at REAL NOT NULL,
        operations TEXT NOT NULL,
        PRIMARY KEY (user, revision)
      ) WITHOUT ROWID;
      CREATE TABLE meta (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        key BLOB NOT NULL,
        value BLOB NOT NULL
      );
      CREATE UNIQUE INDEX meta_by_key ON meta (user, key);
    `),
  (database, tell) => {
    database.exec(`
      ALTER TABLE turns ADD COLUMN checksum INTEGER;
      ALTER TABLE entries ADD COLUMN checksum INTEGER;
      CREATE TABLE derived (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        key BLOB NOT NULL,
        value BLOB NOT NULL,
        PRIMARY KEY (user, key)
      ) WITHOUT ROWID;
    `);
    for (const table of ["entries", "turns"]) addChecksums(database, table, tell);
  },
  (database) =>
    database.exec(`
      CREATE TABLE nodes (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        id BLOB NOT NULL,
        is_shared INTEGER NOT NULL,
        body TEXT NOT NULL
      );
      CREATE UNIQUE INDEX nodes_by_id ON nodes (user, id);
      CREATE INDEX nodes_by_shared ON nodes (id) WHERE is_shared = 1;
      CREATE TABLE node_terms (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        term BLOB NOT NULL,
        node BLOB NOT NULL,
        PRIMARY KEY (user, term, node)
      ) WITHOUT ROWID;
      CREATE INDEX node_terms_by_node ON node_terms (user, node);
      CREATE TABLE edges (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        source BLOB NOT NULL,
        type TEXT NOT NULL,
        target BLOB NOT NULL,
        body TEXT NOT NULL
      );
      CREATE UNIQUE INDEX edges_by_source ON edges (user, source, type, target);
      CREATE INDEX edges_by_target ON edges (user, target);
      CREATE TABLE supports (
        user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        of BLOB NOT NULL,
        entry BLOB NOT NULL,
        weight REAL NOT NULL,
        PRIMARY KEY (user, of, entry)
      ) WITHOUT ROWID;
      CREATE INDEX supports_by_entry ON supports (user, entry);
    `),
];

/** The checksum of each row's body. */
function addChecksums(database: Database, table: string, tell: (done: number, total: number) => void): void {
  const { total } = database.prepare<[], { total: number }>(`SELECT COUNT(*) AS total FROM ${table}`).get()!;
  const select = database.prepare<[number], { rowid: number; body: string }>(
    `SELECT rowid, body FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_PER_STEP}`,
  );
  const update = database.prepare(`UPDATE ${table} SET checksum = ? WHERE rowid = ?`);
  let done = 0;
  for (let rows = select.all(0); rows.length > 0; rows = select.all(rows.at(-1)!.rowid)) {
    for (const { rowid, body } of rows) update.run(checksumOf(body), rowid);
    done += rows.length;
    tell(done, total);
  }
}

/** Brings a database to the version of `migrations`, in one transaction.
 * @throws MemoryError "storage-newer" | "storage-corrupt" (a file of something else) */
export function migrate(
  database: Database,
  name: string,
  {
    migrations = SQLITE_MIGRATIONS,
    notify,
  }: { readonly migrations?: readonly SqliteMigration[]; readonly notify?: ((notice: StoreNotice) => void) | undefined } = {},
): void {
  const tell = (done: number, total: number) => notify?.({ type: "progress", task: "migrate", done, total });
  const upgrade = database.transaction(() => {
    // Read inside the transaction: another process may be migrating the same file.
    const version = Number(database.pragma("user_version", { simple: true }));
    if (version > migrations.length) {
      throw new MemoryError(
        "storage-newer",
        `the database "${name}" has schema version ${version}, this Keepsake knows ${migrations.length}; update the package`,
      );
    }
    const isOurs = database.pragma("application_id", { simple: true }) === APPLICATION_ID;
    const isEmpty = database.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() === undefined;
    if (!isOurs && !isEmpty)
      throw new MemoryError(
        "storage-corrupt",
        `the file of the database "${name}" holds tables of another program; move it away or name another directory`,
      );
    for (const step of migrations.slice(version)) step(database, tell);
    if (!isOurs) database.pragma(`application_id = ${APPLICATION_ID}`);
    if (version < migrations.length) database.pragma(`user_version = ${migrations.length}`);
  });
  upgrade.immediate();
}

/** A file of the first version of the SQLite schema, with many rows. */

import Sqlite from "better-sqlite3";
import { toKey } from "../../../src/store/sqlite/key.js";
import { makeVersion1 } from "../../store/fixtures/sqlite-version1.js";
import type { OldRows } from "./old-rows.js";

/** Of the fixture's only user. */
const USER = 1;

export function makeOldFile(file: string, { turns, entries, journal }: OldRows): void {
  makeVersion1(file);
  const database = new Sqlite(file);
  const fill = database.transaction(() => {
    for (const table of ["turns", "entries", "usage", "vectors", "spaces", "journal", "meta"])
      database.exec(`DELETE FROM ${table}`);
    database
      .prepare("UPDATE users SET revision = 1, turns = ?, entries = ?, next_sequence = ?")
      .run(turns.length, entries.length, turns.length);
    const putTurn = database.prepare("INSERT INTO turns VALUES (?, ?, ?, ?, ?)");
    for (const turn of turns) putTurn.run(USER, toKey(turn.id), turn.sequence, toKey(turn.conversationId), JSON.stringify(turn));
    const putEntry = database.prepare("INSERT INTO entries VALUES (?, ?, ?, ?)");
    for (const entry of entries) putEntry.run(USER, toKey(entry.id), entry.revision, JSON.stringify(entry));
    database.prepare("INSERT INTO journal VALUES (?, ?, ?, ?)").run(USER, 1, journal.at, JSON.stringify(journal.operations));
  });
  fill();
  database.close();
}

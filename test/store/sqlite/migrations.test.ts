/** What a migration of a SQLite file tells on its way, and what it leaves as it is. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../../../src/node/index.js";
import type { StoreNotice } from "../../../src/ports.js";
import { databaseFile } from "../../../src/store/sqlite/file.js";
import { sqliteStores } from "../../../src/store/sqlite/stores.js";
import { oldRows } from "../../faults/kill/old-rows.js";
import { makeOldFile } from "../../faults/kill/old-sqlite.js";
import { expectAllKept } from "../fixtures/kept.js";
import { makeVersion1 } from "../fixtures/sqlite-version1.js";
import { makeVersion2 } from "../fixtures/sqlite-version2.js";
import { entryId, userId } from "../samples.js";

const ME = userId("me");
const MANY = 1_500;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "keepsake-migrations-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a migration of many rows", () => {
  it("tells how far it is, for each table, to its end", async () => {
    makeOldFile(databaseFile(directory, "assistant"), oldRows(MANY));
    const told: StoreNotice[] = [];
    const store = await sqliteStores({ directory, notify: (notice) => told.push(notice) }).open("assistant", ME);
    const steps = [1_000, MANY].map((done) => ({ type: "progress", task: "migrate", done, total: MANY }));
    expect(told).toEqual([...steps, ...steps]);
    expect(await store.counts()).toEqual({ turns: MANY, entries: MANY });
    await store.close();
  });

  it("is told to whoever opens the memory, once", async () => {
    makeOldFile(databaseFile(directory, "assistant"), oldRows(MANY));
    for (const wanted of [{ task: "migrate", done: MANY, total: MANY }, undefined]) {
      const told: { readonly task: string }[] = [];
      const memory = await openMemory({
        name: "assistant",
        userId: "me",
        directory,
        onProgress: (progress) => told.push(progress),
      });
      expect(told.filter(({ task }) => task === "migrate").at(-1)).toEqual(wanted);
      await memory.close();
    }
  });
});

describe.each([
  ["version 1", makeVersion1],
  ["version 2", makeVersion2],
])("a migration from %s", (_, makeVersion) => {
  it("keeps columns, tables and fields that it does not know, also when what has them is written", async () => {
    const file = databaseFile(directory, "assistant");
    makeVersion(file);
    const before = new Sqlite(file);
    before.exec(`
      ALTER TABLE turns ADD COLUMN mood TEXT;
      ALTER TABLE entries ADD COLUMN mood TEXT;
      UPDATE turns SET mood = 'calm';
      UPDATE entries SET mood = 'glad';
      CREATE TABLE theirs (id INTEGER PRIMARY KEY, note TEXT);
      CREATE INDEX theirs_by_note ON theirs (note);
      INSERT INTO theirs VALUES (7, 'stay');
    `);
    // The second version checks its rows, and a field that it does not know would count as damage: it is added by the first alone.
    const isChecked = before.pragma("user_version", { simple: true }) !== 1;
    if (!isChecked) before.exec(`UPDATE entries SET body = json_set(body, '$.flavour', 'mint')`);
    before.close();

    const store = await sqliteStores({ directory }).open("assistant", ME);
    await expectAllKept(store);
    const [entry] = await store.entries([entryId("e1")]);
    if (!isChecked) expect(entry).toMatchObject({ flavour: "mint" });
    if (!entry) throw new Error("the entry is gone");
    await store.write({ entries: [{ ...entry, salience: 0.9 }] });
    if (!isChecked) expect((await store.entries([entryId("e1")]))[0]).toMatchObject({ salience: 0.9, flavour: "mint" });
    await store.close();

    const after = new Sqlite(file);
    expect(after.prepare("SELECT mood FROM turns").pluck().all()).toEqual(["calm"]);
    expect(after.prepare("SELECT mood FROM entries").pluck().all()).toEqual(["glad"]);
    expect(after.prepare("SELECT * FROM theirs").raw().all()).toEqual([[7, "stay"]]);
    expect(after.prepare("SELECT name FROM sqlite_master WHERE name = 'theirs_by_note'").all()).toHaveLength(1);
    after.close();
  });
});

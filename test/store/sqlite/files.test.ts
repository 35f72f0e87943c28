import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseFile } from "../../../src/store/sqlite/file.js";
import { migrate, SQLITE_MIGRATIONS } from "../../../src/store/sqlite/schema.js";
import { sqliteStores } from "../../../src/store/sqlite/stores.js";
import { expectAllKept } from "../fixtures/kept.js";
import { makeVersion1 } from "../fixtures/sqlite-version1.js";
import { makeVersion2 } from "../fixtures/sqlite-version2.js";
import { entry, entryId, node, turn, turnId, userId } from "../samples.js";

const ME = userId("me");
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "keepsake-files-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a database file", () => {
  it("has a safe name of its own for each database name, whatever that holds", () => {
    const names = [
      "a",
      "A",
      "../a",
      "a/b",
      "a\\b",
      "a b",
      "a_0020b",
      "é",
      "e\u0301",
      "\ud800",
      "\ud801",
      "con",
      "a".repeat(300),
      `${"a".repeat(299)}b`,
      ".",
      "\0",
    ];
    const files = names.map((name) => databaseFile("", name));
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
    for (const file of files) {
      expect(file).toMatch(/^keepsake-[a-z0-9_-]+\.sqlite$/);
      expect(file.length).toBeLessThanOrEqual(200);
    }
  });

  it("of another program is left alone and named", async () => {
    const file = databaseFile(directory, "assistant");
    const other = new Sqlite(file);
    other.exec("CREATE TABLE theirs (id)");
    other.close();
    await expect(sqliteStores({ directory }).open("assistant", ME)).rejects.toMatchObject({
      code: "storage-corrupt",
      message: expect.stringContaining("another program"),
    });
    const again = new Sqlite(file);
    expect(again.prepare("SELECT name FROM sqlite_master").all()).toEqual([{ name: "theirs" }]);
    again.close();
  });

  it("that is no database at all is reported", async () => {
    writeFileSync(databaseFile(directory, "assistant"), "not a database, but longer than a header would have to be".repeat(20));
    await expect(sqliteStores({ directory }).open("assistant", ME)).rejects.toMatchObject({ code: "storage-corrupt" });
  });

  it("of a newer version refuses to open and says so", async () => {
    const store = await sqliteStores({ directory }).open("assistant", ME);
    await store.close();
    const file = new Sqlite(databaseFile(directory, "assistant"));
    file.pragma(`user_version = ${SQLITE_MIGRATIONS.length + 1}`);
    file.close();
    await expect(sqliteStores({ directory }).open("assistant", ME)).rejects.toMatchObject({
      code: "storage-newer",
      message: expect.stringContaining(`${SQLITE_MIGRATIONS.length + 1}`),
    });
  });

  it("in a directory that cannot be made is reported", async () => {
    writeFileSync(join(directory, "file"), "");
    await expect(sqliteStores({ directory: join(directory, "file", "deeper") }).open("assistant", ME)).rejects.toMatchObject({
      name: "MemoryError",
    });
  });

  it("is synced with every acknowledged write, also after one of use statistics alone", async () => {
    const store = await sqliteStores({ directory }).open("assistant", ME);
    await store.write({ entries: [entry("e1")] });
    const synced: unknown[] = [];
    const begin = Sqlite.prototype.transaction;
    Sqlite.prototype.transaction = function (this: Sqlite.Database, ...args: Parameters<typeof begin>) {
      synced.push(this.pragma("synchronous", { simple: true }));
      return begin.apply(this, args);
    } as typeof begin;
    try {
      await store.write({ usage: [{ entryId: entryId("e1"), usage: { accessCount: 1, lastAccessedAt: 1 } }], durable: false });
      await store.write({ entries: [entry("e2")] });
      await store.dropDamaged();
    } finally {
      Sqlite.prototype.transaction = begin;
    }
    // As SQLite numbers them: 1 is NORMAL, 2 is FULL.
    expect(synced).toEqual([1, 2, 2]);
    await store.close();
  });

  it("holds nothing of a text that was forgotten", async () => {
    const factory = sqliteStores({ directory });
    const store = await factory.open("assistant", ME);
    const secret = "the vault opens with marzipan";
    await store.write({ turns: [turn("t1", secret), turn("t2", "tea")], entries: [entry("e1", secret), entry("e2", "tea")] });
    await store.write({ removeTurns: [turnId("t1")], removeEntries: [entryId("e1")] });
    const bytes = readdirSync(directory).map((file) => readFileSync(join(directory, file)).toString("latin1"));
    expect(bytes.join("")).not.toContain("marzipan");
    expect(bytes.join("")).toContain("tea");
    await store.close();
  });
});

describe("a migration", () => {
  it("opens a file of version 1 with everything in it", async () => {
    makeVersion1(databaseFile(directory, "assistant"));
    const store = await sqliteStores({ directory }).open("assistant", ME);
    await expectAllKept(store);
    expect((await store.write({ turns: [turn("t2")] })).turns[0]?.sequence).toBe(1);
    await store.close();
  });

  it("opens a file of version 2 with everything in it, and keeps a graph beside", async () => {
    makeVersion2(databaseFile(directory, "assistant"));
    const store = await sqliteStores({ directory }).open("assistant", ME);
    await expectAllKept(store);
    expect((await store.entries([entryId("e1")]))[0]).toMatchObject({ kind: "preference" });
    const support = [{ of: "tea", entryId: entryId("e1"), weight: 0.5 }];
    await store.write({
      graph: { nodes: [node("tea")], support },
    });
    expect((await store.graph({ nodes: ["tea"] })).nodes).toMatchObject([{ name: "tea" }]);
    await store.close();
  });

  it("leads to the same tables from version 1 as from nothing", () => {
    const tables = (file: string) => {
      const database = new Sqlite(file);
      migrate(database, "any");
      const names = database
        .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
        .all();
      const columns = names.map(({ name }) => [name, database.pragma(`table_info(${name})`)]);
      database.close();
      return columns;
    };
    makeVersion1(join(directory, "old"));
    expect(tables(join(directory, "old"))).toEqual(tables(join(directory, "new")));
  });

  it("that fails leaves the file at its version, with everything in it, for the next try", () => {
    const file = join(directory, "old");
    makeVersion1(file);
    const database = new Sqlite(file);
    const steps = [
      ...SQLITE_MIGRATIONS,
      (target: typeof database) => void target.exec("CREATE TABLE later (id); DELETE FROM turns"),
      () => {
        throw new Error("power cut");
      },
    ];
    expect(() => migrate(database, "old", { migrations: steps })).toThrow("power cut");
    expect(database.pragma("user_version", { simple: true })).toBe(1);
    expect(database.prepare("SELECT COUNT(*) AS turns FROM turns").get()).toEqual({ turns: 1 });
    migrate(database, "old", { migrations: steps.slice(0, -1) });
    expect(database.pragma("user_version", { simple: true })).toBe(SQLITE_MIGRATIONS.length + 1);
    expect(database.prepare("SELECT COUNT(*) AS rows FROM later").get()).toEqual({ rows: 0 });
    database.close();
  });
});

import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseFile } from "../../../src/store/sqlite/file.js";
import { sqliteStores } from "../../../src/store/sqlite/stores.js";
import { makeVersion1 } from "../fixtures/sqlite-version1.js";
import { entriesWithVectors, turn, userId } from "../samples.js";

const ME = userId("me");
let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "keepsake-repair-"));
  file = databaseFile(directory, "assistant");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function filled(): Promise<void> {
  const store = await sqliteStores({ directory }).open("assistant", ME);
  await store.write({ turns: Array.from({ length: 600 }, (_, number) => turn(`t${number}`, "words ".repeat(40))) });
  await store.write(entriesWithVectors(0, 300));
  await store.close();
}

describe("a file with damaged pages", () => {
  it("is reported, read around the damage, set aside, and made anew", async () => {
    await filled();
    const database = new Sqlite(file);
    const pages = database
      .prepare("SELECT pageno FROM dbstat WHERE name = 'turns' AND pagetype = 'leaf' ORDER BY pageno")
      .all() as {
      pageno: number;
    }[];
    const pageSize = Number(database.pragma("page_size", { simple: true }));
    database.close();
    const descriptor = openSync(file, "r+");
    const middle = pages[Math.floor(pages.length / 2)]?.pageno ?? 0;
    writeSync(descriptor, Buffer.alloc(pageSize, 0xff), 0, pageSize, (middle - 1) * pageSize);
    closeSync(descriptor);

    const store = await sqliteStores({ directory }).open("assistant", ME);
    await expect(store.listTurns({ limit: 1_000 })).rejects.toMatchObject({
      code: "storage-corrupt",
      message: expect.stringContaining("repair"),
    });
    await store.close();

    const salvaged = await sqliteStores({ directory }).salvage("assistant", ME);
    const turns = salvaged.filter(({ kind }) => kind === "turn").length;
    expect(turns).toBeGreaterThan(500);
    expect(turns).toBeLessThan(600);
    const report = await sqliteStores({ directory }).repair("assistant");
    expect(report.users).toEqual([{ userId: ME, turns, entries: 300 }]);
    expect(report.lost.join()).toContain("turns cannot be read whole");
    expect(existsSync(report.keptAs ?? "")).toBe(true);
    const again = await sqliteStores({ directory }).open("assistant", ME);
    expect(await again.counts()).toEqual({ turns, entries: 300 });
    expect(await again.listTurns({ limit: 1_000 })).toHaveLength(turns);
    await again.close();
  });

  it("that is no database any more is set aside as it is", async () => {
    const bytes = "not a database, but longer than a header would have to be".repeat(20);
    writeFileSync(file, bytes);
    const report = await sqliteStores({ directory }).repair("assistant");
    expect(report).toMatchObject({ users: [], lost: [expect.stringContaining("not a database")] });
    expect(readFileSync(report.keptAs ?? "", "utf8")).toBe(bytes);
    const store = await sqliteStores({ directory }).open("assistant", ME);
    expect(await store.counts()).toEqual({ turns: 0, entries: 0 });
    await store.close();
  });
});

it("another program's file is neither salvaged nor repaired, and stays as it is", async () => {
  const other = new Sqlite(file);
  other.exec("CREATE TABLE theirs (id)");
  other.close();
  const refused = { code: "storage-corrupt", message: expect.stringContaining("another program") };
  await expect(sqliteStores({ directory }).salvage("assistant", ME)).rejects.toMatchObject(refused);
  await expect(sqliteStores({ directory }).repair("assistant")).rejects.toMatchObject(refused);
  // And the lock that nobody else had it open meanwhile.
  expect(readdirSync(directory)).toEqual([basename(file), `${basename(file)}-lock`]);
  const again = new Sqlite(file);
  expect(again.prepare("SELECT name FROM sqlite_master").all()).toEqual([{ name: "theirs" }]);
  again.close();
});

it("a file of version 1 is salvaged without checksums", async () => {
  makeVersion1(file);
  expect(await sqliteStores({ directory }).salvage("assistant", ME)).toMatchObject([
    { kind: "turn", turn: { id: "t1", text: "\ud800 tea" } },
    { kind: "entry", entry: { id: "e1", text: "likes tea" } },
  ]);
});

it("a file of version 1 is repaired, with defaults for what its rows did not say", async () => {
  makeVersion1(file);
  const database = new Sqlite(file);
  database.exec(`UPDATE entries SET body = '{"id":"e1","revision":1,"text":"likes tea"}'`);
  database.close();
  const report = await sqliteStores({ directory }).repair("assistant");
  expect(report).toMatchObject({ users: [{ userId: ME, turns: 1, entries: 1 }], lost: [] });
  const store = await sqliteStores({ directory }).open("assistant", ME);
  expect(await store.listEntries()).toMatchObject([{ id: "e1", text: "likes tea", indexText: "likes tea", kind: "fact" }]);
  await store.close();
});

it("a row under a key that is none is lost alone", async () => {
  await filled();
  const database = new Sqlite(file);
  database.exec(`
    INSERT INTO users (name) VALUES (x'00');
    INSERT INTO turns (user, id, sequence, conversation, body, checksum) VALUES (1, 7, 9999, x'0063', 'spoilt', 0);
    INSERT INTO entries (user, id, revision, body, checksum) VALUES (1, x'00', 1, 'spoilt', 0);
    INSERT INTO usage VALUES (1, 'text', 1, 1);
    INSERT INTO meta VALUES (1, x'00', x'00'), (1, x'006b', x'ff0f4906');
  `);
  database.close();
  const report = await sqliteStores({ directory }).repair("assistant");
  expect(report.users).toEqual([{ userId: ME, turns: 600, entries: 300 }]);
  for (const table of ["users", "turns", "entries", "meta"])
    expect(report.lost).toContainEqual(expect.stringContaining(`a row of ${table}`));
  const store = await sqliteStores({ directory }).open("assistant", ME);
  expect(await store.meta("k")).toBe(3);
  await store.close();
});

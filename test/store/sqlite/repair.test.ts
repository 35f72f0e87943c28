import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  expect(readdirSync(directory)).toEqual([file.slice(directory.length + 1)]);
});

it("a file of version 1 is salvaged without checksums", async () => {
  makeVersion1(file);
  expect(await sqliteStores({ directory }).salvage("assistant", ME)).toMatchObject([
    { kind: "turn", turn: { id: "t1", text: "\ud800 tea" } },
    { kind: "entry", entry: { id: "e1", text: "likes tea" } },
  ]);
});

it("a repair that is killed before the new file has its name is finished by the next opening", async () => {
  await filled();
  await sqliteStores({ directory }).repair("assistant");
  renameSync(file, `${file}.repaired`);
  const store = await sqliteStores({ directory }).open("assistant", ME);
  expect(await store.counts()).toEqual({ turns: 600, entries: 300 });
  await store.close();
  renameSync(file, `${file}.repaired`);
  expect(await sqliteStores({ directory }).listUsers("assistant")).toEqual([ME]);
});

it("a repair that is killed while it fills the new file leaves the old one, and begins anew", async () => {
  await filled();
  writeFileSync(`${file}.filling`, "half");
  writeFileSync(`${file}.filling-wal`, "half");
  const store = await sqliteStores({ directory }).open("assistant", ME);
  expect(await store.counts()).toEqual({ turns: 600, entries: 300 });
  await store.close();
  expect((await sqliteStores({ directory }).repair("assistant")).users).toEqual([{ userId: ME, turns: 600, entries: 300 }]);
});

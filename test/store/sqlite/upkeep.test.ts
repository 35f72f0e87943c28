import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { databaseFile } from "../../../src/store/sqlite/file.js";
import { sqliteStores } from "../../../src/store/sqlite/stores.js";
import { turn, turnId, userId } from "../samples.js";

const ME = userId("me");
let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "keepsake-upkeep-"));
  file = databaseFile(directory, "assistant");
});
afterEach(() => rmSync(directory, { recursive: true }));

it("takes a journal of 100,000 records down to its cap in short steps, between which others write", async () => {
  const store = await sqliteStores({ directory }).open("assistant", ME);
  await store.write({ turns: [turn("t1")] });
  const other = new Sqlite(file);
  other.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
      INSERT INTO journal (user, revision, at, operations) SELECT 1, n, 1, '[]' FROM numbers;
    UPDATE users SET revision = 100000;
  `);
  other.close();
  let steps = 1;
  for (; !(await store.tidy({ journalRecords: 5_000 })).isDone; steps++)
    if (steps === 20) expect((await store.write({ turns: [turn("t2")] })).revision).toBe(100_001);
  expect(steps).toBeGreaterThanOrEqual(95);
  const records = await store.journal(0, 10_000);
  expect([records.length, records[0]?.revision, records.at(-1)?.revision]).toEqual([5_000, 95_002, 100_001]);
  await store.close();
});

it("gives the pages of what was removed back to the disk", async () => {
  const store = await sqliteStores({ directory }).open("assistant", ME);
  const ids = Array.from({ length: 3_000 }, (_, number) => `t${number}`);
  await store.write({ turns: ids.map((id) => turn(id, "words ".repeat(400))) });
  await store.close();
  const full = statSync(file).size;
  const again = await sqliteStores({ directory }).open("assistant", ME);
  await again.write({ removeTurns: ids.slice(1).map(turnId) });
  let steps = 1;
  while (!(await again.tidy({ journalRecords: 10 })).isDone) steps += 1;
  expect(steps).toBeGreaterThan(2);
  await again.close();
  expect(statSync(file).size).toBeLessThan(full / 2);
});

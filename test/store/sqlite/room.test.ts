import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite, { type Database } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../../src/store/sqlite/schema.js";
import { SqliteStore } from "../../../src/store/sqlite/store.js";
import { vectorsByEntry } from "../reading.js";
import { entriesWithVectors, SPACE, turn, userId } from "../samples.js";

let directory: string;
let database: Database;
const storeOf = (user: string) =>
  new SqliteStore({ name: "small", userId: userId(user), database, clock: { now: () => 1 }, release: () => undefined });

/** A file that cannot grow beyond this, which SQLite reports as it does a full disk. */
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "keepsake-room-"));
  database = new Sqlite(join(directory, "small.sqlite"));
  database.pragma("journal_mode = WAL");
  database.pragma("foreign_keys = ON");
  migrate(database, "small");
  database.pragma("max_page_count = 300");
});
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true });
});

describe("a file that is full", () => {
  it("fails with the numbers and nothing half written, and goes on with what fits", async () => {
    const store = storeOf("me");
    await store.write(entriesWithVectors(0, 10));
    const large = Array.from({ length: 90 }, (_, number) => turn(`t${number}`, randomBytes(6_000).toString("hex")));
    await expect(store.write({ ...entriesWithVectors(10, 20), turns: large })).rejects.toMatchObject({
      code: "quota-exceeded",
      message: expect.stringMatching(/no room for 1\.\d MB more .* nothing of this write was stored/),
      details: { neededBytes: expect.any(Number), usageBytes: expect.any(Number), quotaBytes: expect.any(Number) },
    });
    expect(await store.counts()).toEqual({ turns: 0, entries: 10 });
    expect((await vectorsByEntry(store, SPACE)).size).toBe(10);
    await store.write({ ...entriesWithVectors(10, 20), turns: large.slice(0, 3) });
    expect(await store.counts()).toEqual({ turns: 3, entries: 20 });
  });

  it("lets go of what can be made again, of every user, and then writes what did not fit", async () => {
    const [mine, yours] = [storeOf("me"), storeOf("you")];
    await mine.write({ turns: [turn("t1")] });
    await yours.write({ meta: { key: 1 } });
    expect(await yours.keepDerived("terms", randomBytes(600_000), 1)).toBe(true);
    let written = 0;
    for (; (await yours.derived("terms")) !== undefined && written < 100; written++)
      await mine.write({ meta: { [`noise ${written}`]: randomBytes(40_000) } });
    expect(await yours.derived("terms")).toBeUndefined();
    expect(await mine.revision()).toBe(written + 1);
    expect(await yours.meta("key")).toBe(1);
    expect(await yours.keepDerived("terms", randomBytes(2_000_000), 1)).toBe(false);
    expect(await yours.meta("key")).toBe(1);
  });
});

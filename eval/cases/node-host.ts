/** Cases in Node: SQLite in a folder of their own. */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { openMemory } from "keepsake/node";
import type { StageHost } from "./host.js";

/** The driver's transactions, which a full disk ends: whatever was written in one is rolled back. */
let isDiskFull = false;
const { transaction } = Sqlite.prototype;
Sqlite.prototype.transaction = function (this: Sqlite.Database, body: (...args: unknown[]) => unknown) {
  return transaction.call(this, (...args: unknown[]) => {
    const result = body(...args);
    if (isDiskFull) throw new Sqlite.SqliteError("database or disk is full", "SQLITE_FULL");
    return result;
  });
} as typeof transaction;

export async function openNodeHost(): Promise<StageHost> {
  const directory = await mkdtemp(join(tmpdir(), "keepsake-case-"));
  return {
    openMemory: ({ now, ...options }) => openMemory({ ...options, directory, clock: { now } }),
    fill(isFull) {
      isDiskFull = isFull;
    },
    async dump() {
      const names = await readdir(directory);
      return (await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")))).join("\n");
    },
    async close() {
      isDiskFull = false;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

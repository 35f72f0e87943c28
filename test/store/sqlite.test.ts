import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import { describeStore } from "./contract.js";

const directory = mkdtempSync(join(tmpdir(), "keepsake-store-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describeStore("SQLite in files", { stores: (options) => sqliteStores({ directory, ...options }) });

const inMemory = sqliteStores({ directory: ":memory:" });
describeStore("SQLite in memory", {
  stores: (options) => (options ? sqliteStores({ directory: ":memory:", ...options }) : inMemory),
});

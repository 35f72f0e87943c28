import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMemory } from "../../src/node/index.js";
import { databaseFile } from "../../src/store/sqlite/file.js";
import { SQLITE_MIGRATIONS } from "../../src/store/sqlite/schema.js";
import { makeVersion1 } from "../store/fixtures/sqlite-version1.js";
import { makeVersion2 } from "../store/fixtures/sqlite-version2.js";
import { expectInUse } from "./old-versions.js";

/** By every version of the schema before this one. */
const FIXTURES = [makeVersion1, makeVersion2];

it("has a file of every version of the schema that there was", () => {
  expect(FIXTURES).toHaveLength(SQLITE_MIGRATIONS.length - 1);
});

it.each(FIXTURES.map((make, at) => [at + 1, make] as const))("uses a file of version %i as one of today", async (_, make) => {
  const directory = mkdtempSync(join(tmpdir(), "keepsake-old-"));
  try {
    make(databaseFile(directory, "assistant"));
    await expectInUse(() => openMemory({ name: "assistant", userId: "me", directory, timeZone: "UTC" }));
  } finally {
    rmSync(directory, { recursive: true });
  }
});

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openMemory as openInBrowser } from "keepsake";
import { openMemory } from "keepsake/node";
import { afterEach, describe, expect, it } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "keepsake-"));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a memory whose vectors are damaged on the disk", () => {
  it("embeds them again from their texts, says so, and answers as before", async () => {
    const before = await openMemory({ name: "damaged", userId: "me", directory });
    for (const user of ["I keep my passport in the blue drawer.", "I water the ferns on Mondays.", "I parked on level four."])
      await before.record({ user });
    const { vectors } = await before.stats();
    await before.close();
    const [file] = readdirSync(directory).filter(
      (name) => name.endsWith(".sqlite") || name.endsWith(".db") || !name.includes("-"),
    );
    const database = new Database(join(directory, file as string));
    database.prepare("UPDATE vectors SET rows = zeroblob(LENGTH(rows))").run();
    database.close();

    const after = await openMemory({ name: "damaged", userId: "me", directory });
    expect((await after.recall("Where is my passport?")).items[0]?.text).toContain("blue drawer");
    await after.untilEmbedded();
    expect(await after.stats()).toMatchObject({
      entries: 3,
      vectors,
      degraded: [{ part: "vectors", reason: expect.stringContaining("embedded again") }],
    });
    await after.close();

    const again = await openMemory({ name: "damaged", userId: "me", directory });
    expect(await again.stats()).toMatchObject({ vectors, degraded: [] });
    await again.close();
  });
});

describe("the browser's entry in Node", () => {
  it("says that there is no IndexedDB and what to use", async () => {
    await expect(openInBrowser({ name: "x", userId: "me" })).rejects.toMatchObject({
      code: "storage-unavailable",
      message: expect.stringContaining("SQLite"),
    });
  });
});

/** A repair of a file that is killed between any two changes of the folder, and what repairs leave beside the file. */

import fs, { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseFile } from "../../../src/store/sqlite/file.js";
import { sqliteStores } from "../../../src/store/sqlite/stores.js";
import { turn, turnId, userId } from "../samples.js";

const ME = userId("me");
const YOU = userId("you");
const TURNS = 20;
const { renameSync, rmSync: realRmSync } = fs;
let root: string;
let source: string;

/** A folder whose process was killed: what was written last is in the log alone. */
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "keepsake-killed-"));
  source = join(root, "source");
  const running = join(root, "running");
  const mine = await sqliteStores({ directory: running }).open("x", ME);
  const yours = await sqliteStores({ directory: running }).open("x", YOU);
  await yours.write({ turns: [turn("t0", "the vault opens with marzipan")] });
  for (let number = 0; number < TURNS; number++) await mine.write({ turns: [turn(`t${number}`)] });
  cpSync(running, source, { recursive: true });
  await mine.close();
  await yours.close();
  expect(readdirSync(source)).toContain(basename(`${databaseFile(source, "x")}-wal`));
});
afterEach(() => {
  comeAlive();
  rmSync(root, { recursive: true, force: true });
});

/** From the n-th change of the folder on (from 0), none happens any more.
 * @returns tells how many were asked for */
function dieAt(point: number): () => number {
  let asked = 0;
  const unlessDead =
    <Arguments extends readonly unknown[]>(change: (...given: Arguments) => void) =>
    (...given: Arguments) => {
      if (asked++ >= point) throw new Error("killed");
      change(...given);
    };
  fs.renameSync = unlessDead(renameSync);
  fs.rmSync = unlessDead(realRmSync);
  syncBuiltinESMExports();
  return () => asked;
}

function comeAlive(): void {
  fs.renameSync = renameSync;
  fs.rmSync = realRmSync;
  syncBuiltinESMExports();
}

function freshCopy(): string {
  const directory = mkdtempSync(join(root, "copy-"));
  cpSync(source, directory, { recursive: true });
  return directory;
}

async function killedRepair(point: number): Promise<string> {
  const directory = freshCopy();
  dieAt(point);
  await sqliteStores({ directory })
    .repair("x")
    .catch(() => undefined);
  comeAlive();
  return directory;
}

/** Removals of what was being filled before, a file and three sides; then the new one is filled, and takes the name of a whole one. */
const CHANGES_BEFORE_WHOLE = 4;

const textIn = (directory: string) =>
  readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), "latin1"))
    .join("");

const namesBeside = (directory: string) =>
  readdirSync(directory)
    .map((name) => name.replace("keepsake-x.sqlite", "").replace(/\d+/, "…"))
    .filter((name) => !["", "-lock"].includes(name))
    .sort();

async function expectAll(directory: string, message: string): Promise<void> {
  const store = await sqliteStores({ directory }).open("x", ME);
  expect(await store.counts(), message).toEqual({ turns: TURNS, entries: 0 });
  expect(await store.listTurns(), message).toHaveLength(TURNS);
  await store.close();
}

describe("a repair that is killed", () => {
  it("between any two changes of the folder, and again while the next opening finishes it, loses nothing", async () => {
    for (let point = 0, isOver = false; !isOver; point++) {
      for (let second = 0; ; second++) {
        const directory = freshCopy();
        const asked = dieAt(point);
        await sqliteStores({ directory })
          .repair("x")
          .catch(() => undefined);
        isOver = asked() <= point;
        const askedAgain = dieAt(second);
        await sqliteStores({ directory })
          .listUsers("x")
          .catch(() => undefined);
        const isSecondOver = askedAgain() <= second;
        comeAlive();
        const message = `killed at ${point}, then at ${second}`;
        await expectAll(directory, message);
        // The damaged file is either there still, or kept with its log.
        const kept = namesBeside(directory);
        if (kept.length > 0) expect(kept, message).toEqual([".damaged-…", ".damaged-…-shm", ".damaged-…-wal"]);
        if (isSecondOver) break;
      }
      expect(point).toBeLessThan(30);
    }
  });

  it("is finished first by whoever salvages or repairs next", async () => {
    for (let point = CHANGES_BEFORE_WHOLE + 1; point < CHANGES_BEFORE_WHOLE + 5; point++) {
      const salvaged = await sqliteStores({ directory: await killedRepair(point) }).salvage("x", ME);
      expect(salvaged, `killed at ${point}`).toHaveLength(TURNS);
      const report = await sqliteStores({ directory: await killedRepair(point) }).repair("x");
      expect(report.users, `killed at ${point}`).toContainEqual({ userId: ME, turns: TURNS, entries: 0 });
    }
  });

  it("leaves nothing beside the file once that is opened, so that forgetting reaches everything", async () => {
    const directory = await killedRepair(CHANGES_BEFORE_WHOLE);
    expect(namesBeside(directory)).toContain(".filling");
    const store = await sqliteStores({ directory }).open("x", YOU);
    await store.write({ removeTurns: [turnId("t0")] });
    expect(namesBeside(directory)).not.toContain(".filling");
    await store.close();
    expect(textIn(directory)).not.toContain("marzipan");
  });

  it("leaves no half of a file where it ends by an error of its own", async () => {
    const directory = freshCopy();
    const clock = {
      now: () => {
        throw new Error("no time");
      },
    };
    await expect(sqliteStores({ directory, clock }).repair("x")).rejects.toMatchObject({ code: "storage-failed" });
    expect(namesBeside(directory)).not.toContain(".filling");
    await expectAll(directory, "");
  });
});

describe("an erasure", () => {
  it("reaches what repairs have left beside the file, and other users keep their rows", async () => {
    const directory = freshCopy();
    await sqliteStores({ directory }).repair("x");
    expect(textIn(directory)).toContain("marzipan");
    expect(namesBeside(directory)).toContain(".damaged-…");
    await sqliteStores({ directory }).eraseUser("x", YOU);
    expect(namesBeside(directory)).toEqual([]);
    expect(textIn(directory)).not.toContain("marzipan");
    await expectAll(directory, "");
  });

  it("reaches them where the file itself is gone, and no file of another database", async () => {
    const directory = freshCopy();
    await sqliteStores({ directory }).repair("x");
    const other = `${databaseFile(directory, "y")}.damaged-1`;
    writeFileSync(other, "theirs");
    for (const name of readdirSync(directory)) if (/sqlite(-wal|-shm)?$/.test(name)) rmSync(join(directory, name));
    await sqliteStores({ directory }).eraseUser("x", YOU);
    expect(readdirSync(directory).sort()).toEqual(["keepsake-x.sqlite-lock", basename(other)].sort());
    await sqliteStores({ directory: join(root, "nowhere") }).eraseUser("x", YOU);
  });
});

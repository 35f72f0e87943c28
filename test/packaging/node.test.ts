/** The installed tarball in Node: recall on SQLite, a missing peer by its name, imports without side effects. */

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test } from "vitest";
import { PAGES } from "../../scripts/entries.mjs";

const { bare, equipped } = inject("apps");
const node = (cwd: string, ...args: string[]) => promisify(execFile)(process.execPath, args, { cwd, timeout: 60_000 });

test("the tarball brings no package but itself", () => {
  expect(readdirSync(join(bare, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["keepsake"]);
});

test("a plain script recalls on SQLite what an earlier handle recorded", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keepsake-node-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { stdout } = await node(equipped, "node.js", directory);
  const outcome = JSON.parse(stdout) as { text: string; first: string };
  expect(outcome.first).toContain("Lisbon");
  expect(outcome.text).toContain("Lisbon");
});

test("a missing better-sqlite3 is named, with a code", async () => {
  const script = `
    const { openMemory } = await import("keepsake/node");
    await openMemory({ name: "n", userId: "me", directory: ${JSON.stringify(tmpdir())} }).then(
      () => console.log("opened"),
      ({ code, message }) => console.log(code, message));`;
  const { stdout } = await node(bare, "--input-type=module", "--eval", script);
  expect(stdout).toMatch(/^peer-missing .*better-sqlite3/);
});

test.each(Object.keys(PAGES))("%s can be imported on a server without side effects", async (name) => {
  const specifier = name === "index" ? "keepsake" : `keepsake/${name}`;
  const script = `
    const known = new Set(Reflect.ownKeys(globalThis));
    const listeners = () => process.eventNames().length;
    const before = listeners();
    const exported = Object.keys(await import(${JSON.stringify(specifier)}));
    const added = Reflect.ownKeys(globalThis).filter((key) => !known.has(key)).map(String);
    console.log(JSON.stringify({
      exported: exported.length > 0, added, listeners: listeners() - before, busy: process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || kind === "MessagePort"),
    }));`;
  const { stdout, stderr } = await node(bare, "--input-type=module", "--eval", script);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ exported: true, added: [], listeners: 0, busy: [] });
});

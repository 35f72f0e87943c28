/** A repair while memories are open on the file, in this process and in another. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openMemory, repair } from "../../src/node/index.js";
import { bundleForNode, type NodeBundle } from "../faults/kill/node-bundle.js";
import { letterEmbedder } from "../memory/letters.js";
import { killAll, Process } from "./running-process.js";

let bundle: NodeBundle;
let directory: string;

beforeAll(async () => {
  bundle = await bundleForNode("test/node/process.ts");
  directory = await mkdtemp(join(tmpdir(), "keepsake-repair-"));
}, 60_000);
afterEach(killAll);
afterAll(async () => {
  await bundle.remove();
  await rm(directory, { recursive: true });
});

const opened = (name: string) => openMemory({ directory, name, userId: "me", timeZone: "UTC", embedder: letterEmbedder });

async function turnsOf(name: string): Promise<number> {
  const memory = await opened(name);
  const { turns } = await memory.stats();
  await memory.close();
  return turns;
}

it("is refused while a memory is open, whose writes stay, and done when that is closed", async () => {
  const memory = await opened("here");
  await memory.record({ user: "I lent my ladder to Oskar." });
  await expect(repair(directory, "here")).rejects.toMatchObject({
    code: "storage-blocked",
    message: expect.stringContaining("close every memory"),
  });
  await memory.record({ user: "My locker at the pool is number 118." });
  await memory.close();
  expect((await repair(directory, "here")).users).toMatchObject([{ turns: 2 }]);
  expect(await turnsOf("here")).toBe(2);
});

it("is refused while another process has a memory open, and done as soon as that process is killed", async () => {
  const other = new Process(bundle.script);
  await other.do({ do: "open", directory, name: "there" });
  await other.do({ do: "record", messages: [{ id: "t1", text: "I keep bees on the roof." }] });
  await expect(repair(directory, "there")).rejects.toMatchObject({ code: "storage-blocked" });
  await other.do({ do: "record", messages: [{ id: "t2", text: "I play the oboe." }] });
  await other.kill();
  expect((await repair(directory, "there")).users).toMatchObject([{ turns: 2 }]);
  expect(await turnsOf("there")).toBe(2);
});

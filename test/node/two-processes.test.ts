/** Two processes on one SQLite file: no channel tells the one what the other does. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import type { Consolidation, UserId } from "../../src/types.js";
import { bundleForNode, type NodeBundle } from "../faults/kill/node-bundle.js";
import type { Order } from "./process.js";
import { killAll, Process } from "./running-process.js";

let bundle: NodeBundle;
let directory: string;

beforeAll(async () => {
  bundle = await bundleForNode("test/node/process.ts");
  directory = await mkdtemp(join(tmpdir(), "keepsake-processes-"));
}, 60_000);
afterEach(killAll);
afterAll(async () => {
  await bundle.remove();
  await rm(directory, { recursive: true });
});

async function opened(name: string): Promise<Process> {
  const one = new Process(bundle.script);
  await one.do({ do: "open", directory, name });
  return one;
}

interface Looked {
  readonly texts: readonly string[];
  readonly found: readonly string[];
}

const FACTS = ["I keep bees on the roof.", "I play the oboe.", "My kayak is red.", "I live in Porto.", "I swim on Tuesdays."];
const said = (id: string, text: string): Order => ({ do: "record", messages: [{ id, text }] });
const factsBy = (one: Process) => one.do({ do: "record", messages: FACTS.map((text, at) => ({ id: `fact ${at}`, text })) });

async function spacesOf(name: string): Promise<readonly string[]> {
  const store = await sqliteStores({ directory }).open(name, "me" as UserId);
  const spaces = await store.vectorSpaces();
  await store.close();
  return spaces.map(({ id, rows }) => `${id}: ${rows}`).sort();
}

describe("two processes on one file", { timeout: 60_000 }, () => {
  it("see what the other records, in turn and at once, and write a turn that both record once", async () => {
    const [one, two] = await Promise.all([opened("record"), opened("record")]);
    for (const [at, text] of FACTS.entries()) {
      await (at % 2 === 0 ? one : two).do(said(`fact ${at}`, text));
      const { texts, found } = await (at % 2 === 0 ? two : one).do<Looked>({ do: "look", query: text });
      expect(texts).toHaveLength(at + 1);
      expect(found).toContain(text);
    }
    const both = Array.from({ length: 8 }, (_, at) => said(`both ${at}`, `I counted ${at} swallows in village number ${at}.`));
    const written = await Promise.all(both.flatMap((order) => [one, two].map((each) => each.do<readonly string[]>(order))));
    expect(written.flat().sort()).toEqual(Array.from({ length: 8 }, (_, at) => `both ${at}`));
    const [mine, theirs] = await Promise.all([one, two].map((each) => each.do<Looked>({ do: "look", query: "swallows" })));
    expect(mine?.texts.filter((text) => text.includes("swallows"))).toHaveLength(8);
    expect(theirs?.texts).toEqual(mine?.texts);
  });

  it("consolidate one at a time, and go on with what one that was killed has left", async () => {
    const [one, two] = await Promise.all([opened("consolidate"), opened("consolidate")]);
    await two.do(said("first", "I drive a blue van."));
    // All that it needs is loaded then.
    await two.do({ do: "consolidate" });
    await factsBy(one);
    await one.do({ do: "hang" });
    // What the device does by itself waits for no engine's answer, and nobody else is given the batch that is on its way to one.
    expect(await two.do<Consolidation>({ do: "consolidate" })).toMatchObject({ entries: FACTS.length, left: 0 });
    expect(await two.do<Consolidation>({ do: "ask" })).toMatchObject({ entries: 0 });
    await one.kill();
    expect(await two.do<Consolidation>({ do: "ask" })).toMatchObject({ entries: FACTS.length + 1, left: 0 });
  });

  it("keep the vectors of each other's embedder as long as it lives, and no longer", async () => {
    const [one, two] = await Promise.all([opened("embed"), opened("embed")]);
    await factsBy(one);
    const before = await spacesOf("embed");
    await two.do({ do: "embed", as: "mirrored" });
    await expect.poll(() => spacesOf("embed")).toEqual([...before, before[0]?.replace("letters", "mirrored")]);
    // What the one records the other embeds anew.
    await one.do(said("late", "The owl moved into the barn."));
    const { found } = await two.do<Looked>({ do: "look", query: "The owl moved into the barn." });
    expect(found).toContain("The owl moved into the barn.");
    await one.kill();
    await two.do({ do: "embed", as: "turned" });
    await expect.poll(() => spacesOf("embed"), { timeout: 20_000 }).toEqual([expect.stringMatching(/^turned: \d+$/)]);
  });
});

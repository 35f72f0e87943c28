/** What one handle forgets while another decides to write it stays forgotten. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import type { Memory } from "../../src/memory-handle.js";
import { databaseFile } from "../../src/store/sqlite/file.js";
import type { EntryId } from "../../src/types.js";
import { Faults } from "./faults.js";
import { Rig, type RigOptions } from "./rig.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const SECRET = "My diagnosis is celiac disease since the spring of last year.";
const OTHER = "I sing in the harbour choir on Mondays.";

const rigs: Rig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

async function twoHandles(options: RigOptions = {}) {
  const rig = new Rig(options);
  rigs.push(rig);
  const faults = new Faults();
  return { rig, faults, one: (await rig.open(faults)).memory, two: (await rig.open(new Faults(), "beside")).memory };
}

/** @param number of the write that waits until `act` is done */
function beforeWrite(faults: Faults, act: () => Promise<unknown>, number = 0): void {
  let writes = 0;
  faults.arm(({ method, side }) =>
    method === "write" && side === "before" && writes++ === number ? { until: act() } : undefined,
  );
}

async function idOf(memory: Memory, words: string): Promise<EntryId> {
  for await (const { id, text } of memory.entries()) if (text.includes(words)) return id;
  throw new Error(`no entry says "${words}"`);
}

/** Every word that is stored, whichever table it lies in. */
async function wordsIn(rig: Rig): Promise<string> {
  const words: string[] = [];
  for await (const { strings } of (await rig.store()).scan()) words.push(...strings);
  return words.join("\n");
}

const lines = (...texts: readonly string[]) =>
  new Blob([texts.map((content, index) => JSON.stringify({ role: "user", content, at: MAY + 90_000_000 + index })).join("\n")]);
const saved = (memory: Memory) => new Response(memory.export() as ReadableStream<Uint8Array<ArrayBuffer>>).blob();

describe("what one handle forgets while another writes", { timeout: 60_000 }, () => {
  it("does not come back with a backup that holds it in a later revision", async () => {
    const elsewhere = await twoHandles({ device: "other" });
    await elsewhere.one.record({ messages: [{ id: "a", role: "user", text: SECRET, at: MAY }] });
    const { faults, one, two, rig } = await twoHandles();
    await one.import(await saved(elsewhere.one));
    const id = await idOf(one, "celiac");
    await elsewhere.one.update(id, { tags: ["health"] });
    await elsewhere.one.record({ user: OTHER, at: MAY + 60_000 });
    const later = await saved(elsewhere.one);
    for (const number of [0, 1]) {
      beforeWrite(faults, () => two.forget({ entryIds: [id] }), number);
      await one.import(later);
      expect(await wordsIn(rig)).not.toContain("celiac");
      expect(await wordsIn(rig)).toContain("harbour choir");
    }
  });

  it("does not come back with a backup of another conversation in which it was said too", async () => {
    const elsewhere = await twoHandles({ device: "other" });
    await elsewhere.one.conversation("side").record({ user: `Hello there. ${SECRET}`, at: MAY + 30 * 86_400_000 });
    const file = await saved(elsewhere.one);
    const { faults, one, two, rig } = await twoHandles();
    await one.record({ user: SECRET, at: MAY });
    const { token } = await two.forget({ query: "my diagnosis" }, { preview: true });
    beforeWrite(faults, () => two.forget({ preview: token }));
    await one.import(file);
    expect(await wordsIn(rig)).not.toContain("celiac");
  });

  it("does not come back with a chat export whose words were looked at before", async () => {
    const { faults, one, two, rig } = await twoHandles();
    await one.record({ user: SECRET, at: MAY });
    await two.recall("diagnosis");
    const id = await idOf(two, "celiac");
    // The first write is that of the key for names.
    beforeWrite(faults, () => two.forget({ entryIds: [id] }), 1);
    const report = await one.import(lines(OTHER, SECRET));
    expect(report).toMatchObject({ recorded: 1, skipped: { forgotten: 1 } });
    expect(await wordsIn(rig)).not.toContain("celiac");
    expect(await wordsIn(rig)).toContain("harbour choir");
  });

  it("does not come back where others write without end", async () => {
    const { faults, one, two, rig } = await twoHandles();
    await one.record({ user: SECRET, at: MAY });
    const id = await idOf(two, "celiac");
    let writes = 0;
    const busy = async (number: number): Promise<unknown> =>
      number === 8
        ? two.forget({ entryIds: [id] })
        : two.record({ user: `I counted ${number} swallows over the barn.`, at: MAY });
    faults.arm(({ method, side }) =>
      method === "write" && side === "before" && writes < 9 ? { until: busy(writes++) } : undefined,
    );
    expect(await one.import(lines(OTHER, SECRET))).toMatchObject({ recorded: 1, skipped: { forgotten: 1 } });
    expect(writes).toBe(9);
    expect(await wordsIn(rig)).not.toContain("celiac");
  });

  it("does not come back with an entry that is written anew from its turn", async () => {
    const directory = mkdtempSync(join(tmpdir(), "keepsake-overtaken-"));
    try {
      const { one, two, rig } = await twoHandles({ directory });
      await one.conversation("ward").record({ user: SECRET, at: MAY });
      await two.recall("diagnosis");
      const file = new Sqlite(databaseFile(directory, "rig"));
      file.prepare("UPDATE entries SET body = replace(body, 'celiac', 'celiak')").run();
      file.close();
      const faults = new Faults();
      beforeWrite(faults, () => two.forget({ conversationId: "ward" as never }));
      const three = (await rig.open(faults, "third")).memory;
      await three.recall("diagnosis");
      expect(await wordsIn(rig)).not.toMatch(/celia[ck]/);
    } finally {
      for (const rig of rigs.splice(0)) await rig.close();
      rmSync(directory, { recursive: true });
    }
  });
});

/** A backup whose checksums are right may still hold anything: what it brings never harms the memory that it comes to. */

import { describe, expect, it } from "vitest";
import type { BackupRow } from "../../src/backup/format.js";
import { isEntry } from "../../src/backup/shapes.js";
import { type EvictedEntry, EvictionQueue } from "../../src/core/eviction-queue.js";
import { restoredMeta } from "../../src/core/restored-meta.js";
import { isMemoryError } from "../../src/errors.js";
import type { Memory } from "../../src/node/index.js";
import type { Store, StoreWrite } from "../../src/ports.js";
import type { EntryId } from "../../src/types.js";
import { openedMemories } from "../core/opened.js";
import { entryOf } from "../retrieve/entries.js";
import { written } from "./files.js";
import { fullRows, mutationsOf, WAITING } from "./wrong-values.js";

const { open } = openedMemories();
const KINDS = fullRows(0).map((row, at) => [Object.keys(row)[0], at] as const);

const fileOf = async (rows: readonly BackupRow[]) => new Blob([await written(rows)]);
/** A row of meta that has lost its key would be written as it is, and JSON has no form for what it holds. */
const writable = (row: BackupRow): BackupRow => ("value" in row && !("meta" in row) ? ({ value: 1 } as never) : row);
const saved = (memory: Memory) => new Response(memory.export() as ReadableStream<Uint8Array<ArrayBuffer>>).blob();

/** Everything that a memory is asked, for an entry that is there and one that may be. */
async function use(memory: Memory, ids: readonly string[], words: string): Promise<void> {
  await memory.recall(`Where is ${words}?`, { deadlineMs: 60_000 });
  for await (const entry of memory.entries()) expect(entry.text).toBeTypeOf("string");
  for (const id of ids) {
    const at = id as EntryId;
    if (!(await memory.get(at))) continue;
    await memory.update(at, { text: `I keep ${words} in the cellar.` });
    try {
      for (let left = 1; left > 0; ) left = (await memory.undo(at)).entry.changes?.length ?? 0;
    } catch (error) {
      // What was joined into it may be an entry of its own by now.
      if (!isMemoryError(error, "conflict")) throw error;
    }
  }
}

describe("a backup with a field that is wrong", { timeout: 300_000 }, () => {
  it("is whole as it is made here", async () => {
    const memory = await open();
    expect(await memory.import(await fileOf(fullRows(1)))).toMatchObject({ recorded: 1, entries: 1, damaged: 0 });
    expect((await memory.knowledge.nodes()).nodes).toHaveLength(2);
    await use(memory, ["entry 1"], "violin 1");
  });

  it.each(KINDS)("is refused whole, with the place, or does no harm: %s (%i)", async (_, at) => {
    const memory = await open();
    await memory.record({ user: "My dentist is Doctor Okonjo." });
    await memory.untilEmbedded();
    let { revision } = await memory.stats();
    const taken: number[] = [];
    let n = 0;
    for (const mutation of mutationsOf(fullRows(0)[at] as BackupRow)) {
      n++;
      const file = await fileOf(
        fullRows(n).flatMap((row, place) => (place === at ? [writable(mutation.of(row))] : "meta" in row ? [] : [row])),
      );
      try {
        await memory.import(file);
        taken.push(n);
        await memory.untilEmbedded();
        ({ revision } = await memory.stats());
      } catch (error) {
        if (!isMemoryError(error, "backup-damaged")) throw new Error(`${mutation.name} fails`, { cause: error });
        expect(error.message).toMatch(/from byte \d+ on \(frame 1\)/);
        expect((await memory.stats()).revision, mutation.name).toBe(revision);
      }
    }
    expect(n).toBeGreaterThan(50);
    expect(taken.length).toBeGreaterThan(0);
    const ids = taken.map((number) => `entry ${number}`);
    await use(memory, ids.slice(0, 50), "violin 1");
    await memory.consolidate();
    const file = await saved(memory);
    await memory.close();
    const again = await open();
    await use(again, ids, "violin 2");
    expect((await again.recall("Who is my dentist?")).text).toContain("Okonjo");
    expect((await again.stats()).degraded).toEqual([]);
    await again.record({ user: "I keep my kayak in the garage since June." });
    const other = await open({ userId: "other" });
    expect(await other.import(file)).toMatchObject({ damaged: 0 });
    await again.forget({ everything: true });
    expect(await again.stats()).toMatchObject({ entries: 0, turns: 0 });
  });

  it("leaves out what waits for consolidation and could not be worked with", async () => {
    const store = (held: Map<string, unknown>) =>
      ({
        meta: async (key: string) => held.get(key),
        metaKeys: async () => [...held.keys()],
        revision: async () => 0,
        write: async ({ meta = {} }: StoreWrite) => void Object.entries(meta).map(([key, value]) => held.set(key, value)),
      }) as unknown as Store;
    const permitted = async (entries: readonly EvictedEntry[]) => entries;
    for (const { name, of } of mutationsOf(WAITING)) {
      const meta = await restoredMeta(new Map(Object.entries(of(WAITING))), { store: store(new Map()), permitted, hasNew: true });
      const queue = new EvictionQueue(store(new Map(Object.entries(meta))));
      for (const entry of await queue.waiting()) expect(isEntry(entry), name).toBe(true);
      await queue.expire(1);
      const { forgotten } = await queue.forgetting({ entryIds: ["none" as never] }, [], []);
      expect(forgotten, name).toBe(0);
      expect(Object.keys(await queue.adding([entryOf("I bought a cello.")], 1)), name).toHaveLength(2);
    }
  });
});

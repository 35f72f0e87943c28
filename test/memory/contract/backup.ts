/** What backups do, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import {
  type ExportOptions,
  type ExportProgress,
  isMemoryError,
  type Memory,
  type MemoryOptions,
  type StoredEntry,
} from "../../../src/index.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const JUNE = Date.UTC(2026, 5, 20, 12);

type Open = (options?: Partial<MemoryOptions>) => Promise<Memory>;

async function saved(memory: Memory, options?: ExportOptions): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = memory.export(options).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value as Uint8Array<ArrayBuffer>);
  return new Blob(chunks);
}

async function entriesOf(memory: Memory): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of memory.entries()) entries.push(entry);
  return entries;
}

/** What a person could see, without what differs from device to device. */
async function contentsOf(memory: Memory) {
  const entries = await entriesOf(memory);
  return {
    entries: entries.sort((a, b) => (a.id < b.id ? -1 : 1)),
    history: await memory.conversation("default").history(),
    side: await memory.conversation("side").history(),
  };
}

async function lived(memory: Memory): Promise<void> {
  await memory.record({ user: "My locker code is 4417-B.", assistant: "Noted.", at: MAY });
  await memory.record({ user: "My path is ../../etc <script>alert(1)</script> \u0000\ud800 🦊.", at: MAY + 1_000 });
  await memory.conversation("side").record({ user: "I keep bees on the roof.", private: true, at: MAY + 2_000 });
  const [entry] = await entriesOf(memory);
  if (entry) await memory.pin(entry.id);
  await memory.recall("bees", { at: JUNE });
}

export function backupContract(open: Open): void {
  it("saves everything of a person, and restores it for another handle, once, however often", async () => {
    const memory = await open();
    await lived(memory);
    const progress: ExportProgress[] = [];
    const file = await saved(memory, { onProgress: (told) => progress.push(told) });
    expect(progress.at(-1)).toMatchObject({ done: progress.at(-1)?.total });
    const before = await contentsOf(memory);
    const other = await open({ userId: "elsewhere" });
    const done: number[] = [];
    const report = await other.import(file, { onProgress: (told) => done.push(told.done) });
    expect(report).toMatchObject({ format: "backup", conversations: 2, messages: 4, recorded: 4, skipped: {}, damaged: 0 });
    expect(report.entries).toBe(before.entries.length);
    expect(done.at(-1)).toBeGreaterThan(file.size / 2);
    expect(await contentsOf(other)).toEqual(before);
    expect((await other.recall("Which code has my locker?", { at: JUNE, touch: false })).items[0]?.text).toContain("4417-B");
    await other.untilEmbedded();
    expect(await other.stats()).toMatchObject({ vectors: (await memory.stats()).vectors });
    const { revision } = await other.stats();
    expect(await other.import(file)).toMatchObject({ recorded: 0, entries: 0, skipped: { "already-recorded": 4 } });
    expect((await other.stats()).revision).toBe(revision);
    expect(await contentsOf(other)).toEqual(before);
  });

  it("brings the graph with the memories that it rests on, once, and forgets it with them", async () => {
    const memory = await open();
    await memory.record({ user: "I signed up for a pottery class, it starts in June.", at: MAY });
    await memory.record({ user: "We went camping in the Harz with the kids.", at: MAY + 60_000 });
    await memory.consolidate();
    const { nodes, edges } = await memory.knowledge.nodes({ candidates: true });
    expect(edges.length).toBeGreaterThan(0);
    const other = await open({ userId: "elsewhere" });
    const file = await saved(memory);
    await other.import(file);
    expect(await other.knowledge.nodes({ candidates: true })).toEqual({ nodes, edges });
    await other.untilEmbedded();
    const { revision } = await other.stats();
    await other.import(file);
    expect((await other.stats()).revision).toBe(revision);
    expect(await other.consolidate()).toMatchObject({ batches: 0, left: 0 });
    const camping = (await entriesOf(other)).find(({ text }) => text.includes("camping"));
    await other.forget({ entryIds: [camping?.id as never] });
    const names = (await other.knowledge.nodes({ candidates: true })).nodes.map(({ name }) => name);
    expect(names).toContain("user: pottery class");
    expect(names).not.toContain("user: camping");
  }, 20_000);

  it("takes a stream or pieces of one as it takes a file, with its password and with no other", async () => {
    const memory = await open();
    await lived(memory);
    const password = "correct horse";
    const file = await saved(memory, { password });
    for (const [number, source] of [file.stream(), pieces(file), file].entries()) {
      const other = await open({ userId: `device ${number}` });
      if (source === file) {
        await expect(other.import(file)).rejects.toSatisfy((error: unknown) => isMemoryError(error, "wrong-password"));
        await expect(other.import(file, { password: "another" })).rejects.toSatisfy((error: unknown) =>
          isMemoryError(error, "wrong-password"),
        );
        expect(await other.stats()).toMatchObject({ turns: 0, entries: 0 });
      }
      expect(await other.import(source, { password })).toMatchObject({ recorded: 4 });
      expect(await contentsOf(other)).toEqual(await contentsOf(memory));
    }
  });

  it("keeps of an entry the newer one, whichever side it is on, and the larger use", async () => {
    const [one, two] = [await open(), await open({ userId: "two" })];
    await one.record({ user: "I bought a blue tent for 240 euros.", at: MAY });
    await two.import(await saved(one));
    const [entry] = await entriesOf(one);
    if (!entry) throw new Error("nothing was stored");
    await two.update(entry.id, { text: "I bought a green tent for 240 euros." });
    await one.recall("tent", { at: JUNE });
    await two.import(await saved(one));
    expect(await two.get(entry.id)).toMatchObject({ text: expect.stringContaining("green"), usage: { accessCount: 1 } });
    await one.import(await saved(two));
    expect(await one.get(entry.id)).toMatchObject({ text: expect.stringContaining("green"), usage: { accessCount: 1 } });
    expect((await one.recall("green tent", { at: JUNE })).items[0]?.text).toContain("green");
    await one.update(entry.id, { tags: ["camping"] });
    await two.import(await saved(one));
    expect(await two.get(entry.id)).toMatchObject({ tags: ["camping"], text: expect.stringContaining("green") });
  });

  it("brings back nothing that was forgotten, also where the backup comes from another device", async () => {
    const memory = await open();
    await memory.record({ user: "I sing in the harbour choir on Mondays.", at: MAY });
    await memory.record({ user: "My diagnosis is celiac disease since the spring of last year.", at: MAY + 60_000 });
    const old = await saved(memory);
    const secret = (await entriesOf(memory)).find(({ text }) => text.includes("celiac"));
    await memory.forget({ entryIds: [secret?.id as never] });
    const report = await memory.import(old);
    expect(report.skipped.forgotten).toBe(1);
    expect(JSON.stringify(await contentsOf(memory))).not.toContain("celiac");
    const other = await open({ userId: "other device" });
    await other.import(await saved(memory));
    await other.import(old);
    expect(JSON.stringify(await contentsOf(other))).not.toContain("celiac");
    expect(JSON.stringify(await contentsOf(other))).toContain("choir");
  });

  it("puts old turns beside a conversation that has gone on, never behind what was said last", async () => {
    const phone = await open({ userId: "phone" });
    await phone.record({ user: "I planted beans.", assistant: "Lovely.", at: MAY });
    const file = await saved(phone);
    const laptop = await open();
    await laptop.record({ user: "I bought a red canoe.", at: JUNE });
    await laptop.import(file);
    expect((await laptop.conversation("default").history()).map(({ text }) => text)).toEqual(["I bought a red canoe."]);
    expect((await laptop.context()).messages.map(({ text }) => text)).toEqual(["I bought a red canoe."]);
    expect((await laptop.recall("What did I plant?", { at: JUNE })).items[0]?.text).toContain("beans");
    // One that goes on from where the backup was made is continued.
    await phone.record({ user: "I picked the beans.", at: MAY + 60_000 });
    const more = await saved(phone);
    const tablet = await open({ userId: "tablet" });
    await tablet.import(file);
    await tablet.import(more);
    expect((await tablet.conversation("default").history()).map(({ text }) => text)).toEqual([
      "I planted beans.",
      "Lovely.",
      "I picked the beans.",
    ]);
  });

  it("refuses a damaged file whole, with the place, and takes what comes before it when asked", async () => {
    const memory = await open();
    await memory.record({
      messages: Array.from({ length: 900 }, (_, index) => ({
        role: "user" as const,
        text: `I labelled jar number ${index} of the plum jam, which stands on shelf ${index % 17}.`,
        at: MAY + index,
      })),
    });
    const bytes = new Uint8Array(await (await saved(memory)).arrayBuffer());
    const place = Math.floor(bytes.length * 0.7);
    const changed = bytes.slice();
    changed[place] = (changed[place] as number) ^ 4;
    for (const damaged of [changed, bytes.slice(0, place)]) {
      const other = await open({ userId: `other ${damaged.length}` });
      await expect(other.import(new Blob([damaged]))).rejects.toSatisfy(
        (error: unknown) => isMemoryError(error, "backup-damaged") && /from byte \d+ on/.test(error.message),
      );
      expect(await other.stats()).toMatchObject({ turns: 0, entries: 0, revision: 0 });
      const report = await other.import(new Blob([damaged]), { partial: true });
      expect(report).toMatchObject({ damaged: 1, damages: [{ where: expect.stringMatching(/^byte \d+/) }] });
      expect(report.recorded).toBeGreaterThan(100);
      // The whole file then adds what was missing.
      await other.import(new Blob([bytes]));
      expect(await other.stats()).toMatchObject({ turns: 900, entries: (await memory.stats()).entries });
    }
  });

  it("holds what was said and not what was forgotten while it was written", async () => {
    const memory = await open();
    await memory.record({
      messages: Array.from({ length: 600 }, (_, index) => ({
        role: "user" as const,
        text: `I counted ${index} swallows over the barn.`,
      })),
    });
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = memory.export().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value as Uint8Array<ArrayBuffer>);
      if (chunks.length !== 2) continue;
      await memory.record({ user: "The owl moved into the barn." });
      const gone = (await entriesOf(memory)).find(({ text }) => text.includes("counted 5 "));
      await memory.forget({ entryIds: [gone?.id as never] });
    }
    const other = await open({ userId: "other" });
    await other.import(new Blob(chunks));
    const [mine, theirs] = [await entriesOf(memory), await entriesOf(other)];
    expect(theirs.map(({ id }) => id).sort()).toEqual(mine.map(({ id }) => id).sort());
    expect((await other.stats()).turns).toBe((await memory.stats()).turns);
  });

  it("stops a saving and a restoring when the caller leaves, and refuses wrong arguments", async () => {
    const memory = await open();
    await lived(memory);
    const reason = new Error("changed my mind");
    await expect(saved(memory, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stream = memory.export();
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    const file = await saved(memory);
    const other = await open({ userId: "other" });
    await expect(other.import(file, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(() => memory.export({ password: "" })).toThrow(TypeError);
    await expect(memory.import(file, { partial: "yes" as never })).rejects.toBeInstanceOf(TypeError);
    await memory.close();
    await expect(saved(memory)).rejects.toSatisfy((error: unknown) => isMemoryError(error, "closed"));
  });
}

async function* pieces(file: Blob): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < file.size; from += 1_000) yield new Uint8Array(await file.slice(from, from + 1_000).arrayBuffer());
}

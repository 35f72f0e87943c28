import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Memory, openMemory } from "keepsake/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { letterEmbedder } from "../memory/letters.js";

let directory: string;
const opened: Memory[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "keepsake-"));
});
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
  rmSync(directory, { recursive: true });
});

async function open(options: Partial<Parameters<typeof openMemory>[0]> = {}): Promise<Memory> {
  const memory = await openMemory({ name: "shared", userId: "me", directory, ...options });
  opened.push(memory);
  return memory;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("two handles with different embedders", () => {
  it("embed what the other records, each in its own space", async () => {
    const words = await open();
    const letters = await open({ embedder: letterEmbedder });
    for (let index = 0; index < 5; index++) await words.record({ user: `I planted pear tree number ${index} by the wall.` });
    await expect.poll(async () => (await letters.stats()).vectors).toBe(5);
    await letters.record({ user: "I pruned the quince in March." });
    await expect.poll(async () => (await words.stats()).vectors).toBe(6);
  });

  it("keep no vector of a text that a person corrected in the other", async () => {
    const words = await open();
    await words.record({ user: "I keep the seeds in the green tin." });
    const letters = await open({ embedder: letterEmbedder });
    const [entry] = await all(letters.entries());
    if (!entry) throw new Error("nothing was stored");
    await letters.update(entry.id, { text: "The violin is in the attic." });
    // The cosine of the old text with this question is about 0.
    await expect
      .poll(async () => (await words.recall("Where is the violin?", { touch: false })).trace.candidates[0]?.features.whole)
      .toBeGreaterThan(0.3);
  });

  it("change the embedder although an entry is forgotten meanwhile", async () => {
    const one = await open();
    const two = await open();
    for (let index = 0; index < 30; index++) await one.record({ user: `I labelled jar number ${index} of the plum jam.` });
    const [entry] = await all(one.entries());
    if (!entry) throw new Error("nothing was stored");
    let forgotten: Promise<unknown> | undefined;
    await two.attach({
      embedder: {
        ...letterEmbedder,
        async embed(texts, options) {
          forgotten ??= one.forget({ entryIds: [entry.id] });
          await forgotten;
          return letterEmbedder.embed(texts, options);
        },
      },
    });
    await two.untilEmbedded();
    expect(await two.stats()).toMatchObject({ entries: 29, vectors: 29, embedder: { id: "letters" } });
  });
});

describe("a person's correction", () => {
  it("replaces codes and dates of the old text", async () => {
    const memory = await open({ timeZone: "Europe/Berlin" });
    await memory.record({ user: "My flight TP1234 leaves on 5 June 2026.", at: Date.UTC(2026, 4, 1) });
    const [entry] = await all(memory.entries());
    if (!entry) throw new Error("nothing was stored");
    const corrected = await memory.update(entry.id, { text: "My flight LH9876 leaves on 9 August 2026." });
    expect(corrected.identifiers).toEqual(["LH9876"]);
    expect(corrected.eventTime).toEqual({ from: Date.UTC(2026, 7, 8, 22), to: Date.UTC(2026, 7, 9, 22) });
    expect(corrected.sources[0]?.quote).toContain("TP1234");
  });

  it("is refused at the door when it is none", async () => {
    const memory = await open();
    await memory.record({ user: "I sleep in a hammock." });
    const [entry] = await all(memory.entries());
    if (!entry) throw new Error("nothing was stored");
    for (const patch of [{ text: " " }, { kind: "nonsense" }, { tags: "x" }, { pinned: 1 }])
      await expect(memory.update(entry.id, patch as never)).rejects.toBeInstanceOf(TypeError);
    expect(await memory.get(entry.id)).toMatchObject({ text: "I sleep in a hammock.", revision: entry.revision });
  });
});

describe("a full memory", () => {
  it("keeps to its capacity however much comes at once", async () => {
    const memory = await open({ capacity: 100 });
    await memory.record({
      messages: Array.from({ length: 1_000 }, (_, index) => ({
        role: "user",
        text: `I counted ${index} swallows over the barn.`,
      })),
    });
    expect((await memory.stats()).entries).toBeLessThanOrEqual(100);
  });

  it("evicts nothing that another handle has pinned before", async () => {
    const one = await open({ capacity: 100 });
    const two = await open({ capacity: 100 });
    await one.record({
      messages: Array.from({ length: 100 }, (_, index) => ({ role: "user", text: `I stacked log ${index} in the shed.` })),
    });
    await expect.poll(async () => (await two.stats()).vectors).toBe(100);
    const ids = (await all(two.entries())).map(({ id }) => id);
    const recorded = one.record({
      messages: Array.from({ length: 10 }, (_, index) => ({ role: "user", text: `I oiled saw ${index} today.` })),
    });
    // A pin may come too late, and says so then; one that succeeded holds.
    const pins = await Promise.allSettled(ids.map((id) => two.pin(id)));
    await recorded;
    const pinned = pins.flatMap((pin) => (pin.status === "fulfilled" ? [pin.value.id] : []));
    expect(pinned.length).toBeGreaterThan(80);
    expect((await all(one.entries({ pinned: true }))).map(({ id }) => id).sort()).toEqual(pinned.sort());
  });
});

describe("a record of another shape", () => {
  it("is refused at the door, and the memory goes on", async () => {
    const memory = await open();
    for (const turn of [
      { user: "x", sessionId: 7 },
      { user: "x", private: "yes" },
      { user: "x", recalled: {} },
    ])
      await expect(memory.record(turn as never)).rejects.toBeInstanceOf(TypeError);
    await memory.record({ user: "I keep bees." });
    await memory.close();
    expect((await (await open()).recall("bees")).items).toHaveLength(1);
  });
});

/** A memory moves to another embedder beside its work, whatever happens on the way. */

import { describe, expect, it, vi } from "vitest";
import { type ConnectableEmbedder, isMemoryError, type Memory } from "../../src/node/index.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import type { UserId } from "../../src/types.js";
import { entriesOf, openedMemories } from "./opened.js";
import { GatedEmbedder, wordEmbedder } from "./word-embedder.js";

vi.setConfig({ testTimeout: 30_000 });
const { directory, open } = openedMemories();

async function recordMany(memory: Memory, count: number): Promise<void> {
  await memory.record({
    messages: Array.from({ length: count }, (_, index) => ({
      role: "user" as const,
      text: `I labelled jar number ${index} of the ${["plum", "quince", "cherry"][index % 3]} jam.`,
    })),
  });
}

async function spacesOf(memory: Memory): Promise<Record<string, number>> {
  const store = await sqliteStores({ directory }).open(memory.name, "me" as UserId);
  const spaces = await store.vectorSpaces();
  await store.close();
  return Object.fromEntries(spaces.map(({ id, rows }) => [id, rows]));
}

describe("a memory that gets another embedder", () => {
  it("answers, records and shows progress while what is stored is embedded again", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 300);
    const gated = new GatedEmbedder(wordEmbedder("new", 24));
    const done: number[] = [];
    memory.addEventListener("progress", ({ detail }) => detail.task === "embed" && done.push(detail.done));
    gated.shut();
    await memory.attach({ embedder: gated });
    expect(await memory.stats()).toMatchObject({
      embedder: { id: "new", dimension: 24 },
      vectors: 0,
      reembedding: { done: 0, total: 300, state: "running" },
    });
    const recall = await memory.recall("Which jar of quince is number 7?", { deadlineMs: 500 });
    expect(recall.items.length).toBeGreaterThan(0);
    // By the old embedder's vectors, since the new one is busy.
    expect(recall.trace.candidates[0]?.features.whole).toBeGreaterThan(0.3);
    expect(recall.trace.fallbacks).toEqual([]);
    gated.open();
    await memory.record({ user: "I gave the last jar to Oskar." });
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ vectors: 301, entries: 301 });
    expect((await memory.stats()).reembedding).toBeUndefined();
    expect(done.at(-1)).toBeGreaterThanOrEqual(300);
    expect([...done].sort((a, b) => a - b)).toEqual(done);
    expect((await memory.recall("Who has the last jar?")).items[0]?.text).toContain("Oskar");
    expect(await spacesOf(memory)).toEqual({ new: 301 });
  });

  it("gets on although one question follows the other", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 200);
    await memory.attach({ embedder: wordEmbedder("new") });
    let isDone = false;
    const embedded = memory.untilEmbedded().then(() => {
      isDone = true;
    });
    while (!isDone) {
      await memory.recall("Which jar of quince is number 7?");
      // As between two messages of a page.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await embedded;
    expect(await memory.stats()).toMatchObject({ vectors: 200 });
  });

  it("finds in the old space what is not yet in the new one, and in the new one what is in no other", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 40);
    const gated = new GatedEmbedder(wordEmbedder("new", 24), { bulk: 3 });
    gated.shut();
    await memory.attach({ embedder: gated });
    await memory.record({ user: "My brother bought a red zeppelin in May." });
    const whole = async (question: string, text: string) => {
      const { trace } = await memory.recall(question, { deadlineMs: 1_000 });
      return trace.candidates.find((candidate) => candidate.text.includes(text))?.features.whole;
    };
    expect(await whole("jar number 7 of the quince jam", "number 7 ")).toBeGreaterThan(0.5);
    expect(await whole("my brother bought a red zeppelin", "zeppelin")).toBeGreaterThan(0.5);
    gated.open();
    await memory.untilEmbedded();
    expect(await whole("jar number 7 of the quince jam", "number 7 ")).toBeGreaterThan(0.5);
    expect(await whole("my brother bought a red zeppelin", "zeppelin")).toBeGreaterThan(0.5);
  });

  it("goes on at the next opening where it was when it ended, and embeds nothing twice", async () => {
    const first = await open({ embedder: wordEmbedder("old") });
    await recordMany(first, 300);
    const gated = new GatedEmbedder(wordEmbedder("new"), { entries: 200 });
    await first.attach({ embedder: gated });
    await expect.poll(async () => (await first.stats()).vectors).toBeGreaterThan(0);
    await first.close();
    const { new: kept = 0, old } = await spacesOf(first);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(300);
    expect(old).toBe(300);
    const counted = new GatedEmbedder(wordEmbedder("new"));
    const second = await open({ embedder: counted });
    await second.untilEmbedded();
    expect(await second.stats()).toMatchObject({ entries: 300, vectors: 300 });
    expect(counted.embedded).toBe(300 - kept);
  });

  it("rests while it is paused, still embeds what is recorded, and goes on when it is told to", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 200);
    await memory.pauseEmbedding();
    await memory.attach({ embedder: wordEmbedder("new") });
    await memory.record({ user: "My brother bought a red zeppelin in May." });
    expect(await memory.stats()).toMatchObject({ vectors: 1, reembedding: { done: 1, total: 201, state: "paused" } });
    await expect(memory.untilEmbedded({ signal: AbortSignal.timeout(30) })).rejects.toMatchObject({ name: "TimeoutError" });
    await memory.resumeEmbedding();
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ vectors: 201 });
  });

  it("keeps the old one when the new one fails, or when the caller leaves", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 3);
    const broken = { ...wordEmbedder("broken"), embed: () => Promise.reject(new Error("no weights")) };
    await expect(memory.attach({ embedder: broken })).rejects.toThrow("no weights");
    const reason = new Error("changed my mind");
    await expect(memory.attach({ embedder: wordEmbedder("new") }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await memory.stats()).toMatchObject({ embedder: { id: "old" }, vectors: 3 });
    await recordMany(memory, 5);
  });

  it("loses nothing when it gets a third before it has moved to the second", async () => {
    const memory = await open({ embedder: wordEmbedder("first") });
    await recordMany(memory, 150);
    const second = new GatedEmbedder(wordEmbedder("second"), { entries: 20 });
    await memory.attach({ embedder: second });
    const third = new GatedEmbedder(wordEmbedder("third"));
    third.shut();
    await memory.attach({ embedder: third });
    const { trace } = await memory.recall("jar number 7 of the quince jam", { deadlineMs: 1_000 });
    expect(trace.candidates[0]?.features.whole).toBeGreaterThan(0.5);
    third.open();
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ embedder: { id: "third" }, vectors: 150 });
    expect(await spacesOf(memory)).toEqual({ third: 150 });
  });

  it("closes an embedder that it opened only when all entries have moved", async () => {
    let closes = 0;
    const old: ConnectableEmbedder = { ...wordEmbedder("old"), close: async () => void closes++ };
    const memory = await open({ embedder: { open: async () => old } });
    await recordMany(memory, 100);
    const gated = new GatedEmbedder(wordEmbedder("new"));
    gated.shut();
    await memory.attach({ embedder: gated });
    expect(closes).toBe(0);
    gated.open();
    await memory.untilEmbedded();
    await expect.poll(() => closes).toBe(1);
    await memory.close();
    expect(closes).toBe(1);
  });

  it("embeds no text that was forgotten or corrected meanwhile", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 30);
    const gated = new GatedEmbedder(wordEmbedder("new"));
    gated.shut();
    await memory.attach({ embedder: gated });
    await gated.isAsked;
    const [first, second] = await entriesOf(memory);
    const forgotten = memory.forget({ entryIds: [first?.id as never] });
    const corrected = memory.update(second?.id as never, { text: "The violin is in the attic." });
    gated.open();
    await Promise.all([forgotten, corrected]);
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ entries: 29, vectors: 29 });
    const { trace } = await memory.recall("violin attic", { deadlineMs: 1_000 });
    expect(trace.candidates[0]?.features.whole).toBeGreaterThan(0.5);
  });
});

describe("a memory that is opened with another embedder than last time", () => {
  it("opens at once, and finds in the package's own space until the new one is filled", async () => {
    const before = await open();
    await recordMany(before, 200);
    await before.close();
    const gated = new GatedEmbedder(wordEmbedder("new"));
    gated.shut();
    const memory = await open({ embedder: gated });
    expect(await memory.stats()).toMatchObject({ vectors: 0, reembedding: { done: 0, total: 200 } });
    const { trace, items } = await memory.recall("jar number 7 of the quince jam", { deadlineMs: 1_000 });
    expect(items.length).toBeGreaterThan(0);
    expect(trace.candidates[0]?.features.whole).toBeGreaterThan(0.3);
    gated.open();
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ vectors: 200 });
  });

  it("notices another model behind the same id and dimension, and never mixes their vectors", async () => {
    const before = await open({ embedder: wordEmbedder("model") });
    await recordMany(before, 50);
    await before.close();
    const retrained = new GatedEmbedder({ ...wordEmbedder("retrained"), id: "model" });
    retrained.shut();
    const memory = await open({ embedder: retrained });
    expect(await memory.stats()).toMatchObject({ embedder: { id: "model" }, vectors: 0, reembedding: { total: 50 } });
    const { trace } = await memory.recall("jar number 7 of the quince jam", { deadlineMs: 200 });
    // By words alone: the model that made the old vectors is gone.
    expect(trace.candidates[0]?.features).toMatchObject({ whole: 0 });
    retrained.open();
    await memory.untilEmbedded();
    expect(Object.keys(await spacesOf(memory)).sort()).toEqual(["model", "model#2"]);
    await memory.close();
    const counted = new GatedEmbedder({ ...wordEmbedder("retrained"), id: "model" });
    const again = await open({ embedder: counted });
    await again.untilEmbedded();
    expect(await again.stats()).toMatchObject({ vectors: 50 });
    expect(counted.embedded).toBe(0);
  });

  it("opens although the embedder does not answer, and embeds when it does", async () => {
    const before = await open({ embedder: wordEmbedder("model") });
    await recordMany(before, 5);
    await before.close();
    let isBroken = true;
    const model = wordEmbedder("model");
    const memory = await open({
      embedder: {
        ...model,
        embed: (texts, options) => (isBroken ? Promise.reject(new Error("no device")) : model.embed(texts, options)),
      },
    });
    const recall = await memory.recall("jar number 3 of the plum jam");
    expect(recall.items[0]?.text).toContain("number 3");
    expect(recall.trace.fallbacks.map(({ role }) => role)).toEqual(["embedder"]);
    isBroken = false;
    await expect.poll(async () => (await memory.recall("jar number 3")).trace.fallbacks).toEqual([]);
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ vectors: 5 });
  });
});

describe("an embedder", () => {
  it("that fails of one text embeds all others", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 60);
    await memory.record({ user: "My neighbour planted poison ivy in May." });
    const picky = wordEmbedder("picky");
    await memory.attach({
      embedder: {
        ...picky,
        embed: (texts, options) =>
          texts.some((text) => text.includes("poison"))
            ? Promise.reject(new Error("cannot read it"))
            : picky.embed(texts, options),
      },
    });
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ entries: 61, vectors: 60 });
    expect((await memory.stats()).reembedding).toBeUndefined();
    expect((await memory.stats()).degraded.some(({ reason }) => reason.includes("by words alone"))).toBe(true);
    expect((await memory.recall("Who planted ivy?")).text).toContain("ivy");
  });

  it("that fails for a while is asked again", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 60);
    const model = wordEmbedder("new");
    let fails = 3;
    await memory.attach({
      embedder: {
        ...model,
        embed: (texts, options) =>
          texts.some((text) => text.includes("jar")) && fails-- > 0
            ? Promise.reject(new Error("the network is down"))
            : model.embed(texts, options),
      },
    });
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ vectors: 60 });
  });
});

describe("two handles with two embedders", () => {
  it("keep both spaces as long as both are open, and the one that stays lets the other's go", async () => {
    const old = await open({ embedder: wordEmbedder("old") });
    await recordMany(old, 50);
    const other = await open({ embedder: wordEmbedder("old") });
    const moved = await open({ embedder: wordEmbedder("old") });
    await moved.attach({ embedder: wordEmbedder("new") });
    await moved.untilEmbedded();
    expect(await spacesOf(old)).toEqual({ old: 50, new: 50 });
    for (let round = 0; round < 3; round++) {
      await old.record({ user: `I boiled pot ${round} of jam.` });
      await moved.record({ user: `I sold glass ${round} of jam.` });
    }
    await expect.poll(async () => (await old.stats()).vectors).toBe(56);
    await expect.poll(async () => (await moved.stats()).vectors).toBe(56);
    const revisions = async () => [(await old.stats()).revision, (await moved.stats()).revision];
    await expect.poll(async () => new Set(await revisions()).size).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const before = await revisions();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await revisions()).toEqual(before);
    expect(await spacesOf(old)).toEqual({ old: 56, new: 56 });
    await old.close();
    await other.close();
    await moved.attach({ embedder: wordEmbedder("newest") });
    await moved.untilEmbedded();
    expect(await spacesOf(moved)).toEqual({ newest: 56 });
  });

  it("share the work of two with the same one: each entry is embedded once", async () => {
    const before = await open({ embedder: wordEmbedder("old") });
    await recordMany(before, 300);
    await before.close();
    const embedders = [new GatedEmbedder(wordEmbedder("new")), new GatedEmbedder(wordEmbedder("new"))];
    const handles = await Promise.all(embedders.map((embedder) => open({ embedder })));
    await Promise.all(handles.map((handle) => handle.untilEmbedded()));
    for (const handle of handles) expect(await handle.stats()).toMatchObject({ vectors: 300 });
    expect(embedders.reduce((sum, { embedded }) => sum + embedded, 0)).toBe(300);
  });
});

describe("waiting for the embedding", () => {
  it("ends as closed with its memory", async () => {
    const memory = await open({ embedder: wordEmbedder("old") });
    await recordMany(memory, 20);
    await memory.pauseEmbedding();
    await memory.attach({ embedder: wordEmbedder("new") });
    const waiting = memory.untilEmbedded();
    const settled = expect(waiting).rejects.toSatisfy((error: unknown) => isMemoryError(error, "closed"));
    await memory.close();
    await settled;
  });
});

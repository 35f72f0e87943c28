/** What changing the embedder does, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import type { Embedder, Memory, MemoryOptions } from "../../../src/index.js";
import { letterEmbedder } from "../letters.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const JUNE = Date.UTC(2026, 5, 20, 12);

/** An embedder that takes no entries (which end in "jam.") until it is told to. */
function gated(): { readonly embedder: Embedder; readonly open: () => void } {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open,
    embedder: {
      ...letterEmbedder,
      async embed(texts) {
        if (texts.some((text) => text.endsWith("jam."))) await gate;
        return letterEmbedder.embed(texts);
      },
    },
  };
}

const jars = (count: number) => ({
  messages: Array.from({ length: count }, (_, index) => ({
    role: "user" as const,
    text: `I labelled jar number ${index} of the ${["plum", "quince", "cherry"][index % 3]} jam.`,
    at: MAY + index * 1_000,
  })),
});

export function attachContract(open: (options?: Partial<MemoryOptions>) => Promise<Memory>): void {
  it("moves to another embedder, keeps everything, and moves back on opening without it", async () => {
    const memory = await open();
    await memory.record({ user: "I keep a tortoise called Bruno.", at: MAY });
    await memory.attach({ embedder: letterEmbedder });
    expect((await memory.stats()).embedder).toEqual({ id: "letters", dimension: 26 });
    expect((await memory.recall("tortoise", { at: JUNE })).items[0]?.text).toContain("Bruno");
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ entries: 1, vectors: 1 });
    await memory.record({ user: "My parrot is called Kiki.", at: MAY });
    await memory.close();
    const again = await open();
    expect((await again.stats()).embedder.id).not.toBe("letters");
    expect((await again.recall("parrot", { at: JUNE })).items[0]?.text).toContain("Kiki");
    await again.untilEmbedded();
    expect(await again.stats()).toMatchObject({ entries: 2, vectors: 2 });
  });

  it("refuses to attach nothing, and two things in one call, and changes nothing then", async () => {
    const memory = await open();
    const { embedder } = await memory.stats();
    await expect(memory.attach({} as { embedder: Embedder })).rejects.toThrow(/attach takes one of/);
    const both = {
      embedder: letterEmbedder,
      consolidator: { id: "none", place: "engine", consolidate: async () => [] },
      optedIn: true,
    };
    await expect(memory.attach(both as { embedder: Embedder })).rejects.toThrow(/attach takes one of/);
    expect((await memory.stats()).embedder).toEqual(embedder);
  });

  it("recalls by the old vectors, records and shows progress while another embedder is at work, and rests when told to", async () => {
    const memory = await open();
    await memory.record(jars(40));
    const { embedder, open: go } = gated();
    await memory.attach({ embedder });
    expect(await memory.stats()).toMatchObject({ vectors: 0, reembedding: { done: 0, total: 40, state: "running" } });
    const { trace, items } = await memory.recall("the jar of quince jam with number 7", { at: JUNE });
    expect(items[0]?.text).toContain("number 7 ");
    expect(trace.candidates[0]?.features.whole).toBeGreaterThan(0.3);
    expect(trace.fallbacks).toEqual([]);
    await memory.record({ user: "I gave the last one to Oskar.", at: MAY });
    await memory.pauseEmbedding();
    go();
    expect(await memory.stats()).toMatchObject({ vectors: 1, reembedding: { done: 1, total: 41, state: "paused" } });
    const done: number[] = [];
    memory.addEventListener("progress", ({ detail }) => detail.task === "embed" && done.push(detail.done));
    await memory.resumeEmbedding();
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ vectors: 41, entries: 41 });
    expect((await memory.stats()).reembedding).toBeUndefined();
    await expect.poll(() => done.at(-1)).toBe(41);
    expect((await memory.recall("Oskar", { at: JUNE })).items[0]?.text).toContain("Oskar");
  });

  it("opens at once with another embedder than last time, and goes on embedding at the next opening", async () => {
    const before = await open();
    await before.record(jars(30));
    await before.close();
    const { embedder } = gated();
    const interrupted = await open({ embedder });
    expect(await interrupted.stats()).toMatchObject({ vectors: 0, reembedding: { total: 30 } });
    expect((await interrupted.recall("quince jam number 7", { at: JUNE })).items[0]?.text).toContain("number 7 ");
    await interrupted.close();
    const memory = await open({ embedder: letterEmbedder });
    await memory.untilEmbedded();
    expect(await memory.stats()).toMatchObject({ entries: 30, vectors: 30, embedder: { id: "letters" } });
  });
}

/** What every memory does, in whichever thread and on whichever store: run over Node, the page and the worker. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Memory, MemoryOptions, StoredEntry } from "../../src/index.js";
import { isMemoryError } from "../../src/index.js";
import { attachContract } from "./contract/attach.js";
import { backupContract } from "./contract/backup.js";
import { contextContract } from "./contract/context.js";
import { forgetContract } from "./contract/forget.js";
import { importContract } from "./contract/import.js";
import { knowledgeContract } from "./contract/knowledge.js";
import { slmContract } from "./contract/slm.js";
import { supersedeContract } from "./contract/supersede.js";
import { undoContract } from "./contract/undo.js";

export interface MemoryHarness {
  /** Opens on a database that outlives the handle, as far as its name is the same. */
  open(options: Partial<MemoryOptions> & { readonly name: string }): Promise<Memory>;
}

const MAY = Date.UTC(2026, 4, 7, 12);
const JUNE = Date.UTC(2026, 5, 20, 12);
const HOUR = 3_600_000;
let run = 0;

export function memoryContract(label: string, harness: MemoryHarness): void {
  describe(`${label}: a memory`, () => {
    let name: string;
    const opened: Memory[] = [];
    const open = async (options: Partial<MemoryOptions> = {}): Promise<Memory> => {
      const memory = await harness.open({ name, userId: "me", timeZone: "Europe/Berlin", deadlineMs: 5_000, ...options });
      opened.push(memory);
      return memory;
    };
    beforeEach(() => {
      name = `contract ${label} ${Date.now()} ${run++}`;
    });
    afterEach(async () => {
      for (const memory of opened.splice(0)) await memory.close();
    });

    forgetContract(() => open());
    importContract(() => open());
    contextContract(() => open());
    attachContract(open);
    backupContract(open);
    supersedeContract(() => open());
    undoContract(() => open());
    knowledgeContract(open);
    slmContract(open);

    it("recalls what was recorded, best first, with its source and a block for the model", async () => {
      const memory = await open();
      await memory.record({ user: "I turned vegetarian in May.", assistant: "Noted!", at: MAY });
      await memory.record({ user: "My sister Ana lives in Porto and works as a nurse.", at: MAY + HOUR * 30 });
      await memory.record({ user: "I booked flight TP1234 to Lisbon for the conference.", at: JUNE });
      const recall = await memory.recall("What is my flight code?", { at: JUNE + HOUR });
      const first = recall.items[0];
      expect(first?.text).toContain("TP1234");
      expect(first?.sources[0]?.quote).toBe("I booked flight TP1234 to Lisbon for the conference.");
      expect(first?.saidAt).toBe(JUNE);
      expect(recall.text).toContain("TP1234");
      expect(recall.tokens).toBeLessThanOrEqual(700);
      expect(recall.trace.plan.queries[0]?.text).toBe("What is my flight code?");
      expect((await memory.recall("Do I eat meat?", { at: JUNE + HOUR })).items[0]?.text).toContain("vegetarian");
    });

    it("gives plain data that survives a structured clone", async () => {
      const memory = await open();
      const written = await memory.record({ user: "I moved to Leipzig.", at: MAY });
      const recall = await memory.recall("Where do I live?", { at: MAY + HOUR });
      expect(structuredClone(recall)).toEqual(recall);
      expect(structuredClone(written)).toEqual(written);
      expect(written.stored[0]).toMatchObject({ subject: "user", saidAt: MAY });
    });

    it("keeps everything over closing and opening again", async () => {
      const before = await open();
      await before.record({ user: "My locker code is 4417-B.", at: MAY });
      await before.close();
      const after = await open();
      expect((await after.recall("locker code", { at: JUNE })).items[0]?.text).toContain("4417-B");
      expect(await after.conversation("default").history()).toMatchObject([{ role: "user", text: "My locker code is 4417-B." }]);
      expect((await after.context()).messages).toMatchObject([{ role: "user", text: "My locker code is 4417-B." }]);
    });

    it("records one message once, however often its id comes", async () => {
      const memory = await open();
      const turn = { messages: [{ id: "m1", role: "user", text: "I adopted a dog called Rufus." } as const] };
      await memory.record(turn);
      const again = await memory.record(turn);
      expect(again.stored).toEqual([]);
      expect(again.refused).toMatchObject([{ reason: "already-recorded" }]);
      expect(await memory.stats()).toMatchObject({ turns: 1, entries: 1 });
    });

    it("tells apart named speakers of one conversation", async () => {
      const memory = await open();
      await memory.record({
        messages: [
          { role: "user", name: "Astrid", text: "I started painting landscapes last year.", at: MAY },
          { role: "user", name: "Benoît", text: "I started running half marathons last year.", at: MAY },
        ],
      });
      const recall = await memory.recall("What did Benoît start?", { at: JUNE });
      expect(recall.items[0]?.subject).toBe("Benoît");
      expect(recall.items[0]?.text).toContain("half marathons");
    });

    it("shows a past moment only what was said by then", async () => {
      const memory = await open();
      await memory.record({ user: "I work at the harbour museum.", at: MAY });
      await memory.record({ user: "I work at the city archive now.", at: JUNE });
      const then = await memory.recall("Where do I work?", { at: MAY + HOUR });
      expect(then.items.map(({ text }) => text).join()).toContain("museum");
      expect(then.items.map(({ text }) => text).join()).not.toContain("archive");
    });

    it("finds nothing in an empty memory, and says so with an empty block", async () => {
      const memory = await open();
      const recall = await memory.recall("What do I like?");
      expect(recall).toMatchObject({ text: "", items: [], tokens: 0 });
    });

    it("takes any text without failing or losing it", async () => {
      const memory = await open();
      const texts = [
        "",
        " ",
        "\u0000",
        "a\u0000b",
        "\ud800 lone",
        "🦊🦊🦊",
        "אני גר בחיפה ועובד בנמל",
        "我五月开始吃素了。",
        "x".repeat(1_000_000),
      ];
      for (const [index, text] of texts.entries())
        await memory.record({ messages: [{ id: `t${index}`, role: "user", text, at: MAY + index }] });
      for (const text of texts) await memory.recall(text, { at: JUNE });
      const kept = (await memory.conversation("default").history()).map((message) => message.text);
      expect(kept).toEqual(texts.filter((text) => text.trim() !== ""));
      expect((await memory.recall("什么时候开始吃素?", { at: JUNE })).items[0]?.text).toContain("吃素");
    });

    it("reads and writes dates before 1970", async () => {
      const memory = await open();
      const at = Date.UTC(1962, 9, 20);
      await memory.record({ user: "We saw the eclipse yesterday.", at });
      const { items } = await memory.recall("When did we see the eclipse?", { at: at + HOUR });
      expect(items[0]?.saidAt).toBe(at);
      expect(items[0]?.text).toContain("1962");
    });

    it("reads relative times in German, Spanish and Chinese", async () => {
      const memory = await open();
      for (const user of [
        "Gestern habe ich ein rotes Fahrrad gekauft.",
        "Ayer compré una bicicleta roja.",
        "我昨天买了一辆红色自行车。",
      ]) {
        const { stored } = await memory.record({ user, at: MAY });
        expect(stored[0]?.eventTime).toEqual({ from: Date.UTC(2026, 4, 5, 22), to: Date.UTC(2026, 4, 6, 22) });
      }
    });

    it("refuses wrong arguments at the door", async () => {
      const memory = await open();
      await expect(memory.recall(7 as unknown as string)).rejects.toBeInstanceOf(TypeError);
      await expect(memory.recall("x", { k: 0 })).rejects.toBeInstanceOf(RangeError);
      await expect(memory.recall("x", { at: Number.NaN })).rejects.toBeInstanceOf(RangeError);
      await expect(memory.record({ messages: [{ role: "king" as "user", text: "x" }] })).rejects.toBeInstanceOf(TypeError);
      await expect(memory.record({ user: "x", at: Number.NaN })).rejects.toBeInstanceOf(RangeError);
      await expect(open({ userId: "" })).rejects.toBeInstanceOf(TypeError);
      await expect(open({ contextTokens: 1.5 })).rejects.toBeInstanceOf(TypeError);
      await expect(open({ timeZone: "Mars/Olympus" })).rejects.toBeInstanceOf(RangeError);
    });

    it("rejects an aborted call with the signal's own reason and stores nothing of it", async () => {
      const memory = await open();
      const reason = new Error("the person left");
      await expect(memory.record({ user: "I like figs." }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      await expect(memory.recall("figs", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const controller = new AbortController();
      const long = memory.record(
        {
          messages: Array.from({ length: 5_000 }, (_, index) => ({
            role: "user" as const,
            text: `I planted tree number ${index} in row ${index % 70}.`,
            at: MAY,
          })),
        },
        { signal: controller.signal },
      );
      setTimeout(() => controller.abort(reason), 30);
      await expect(long).rejects.toBe(reason);
      expect(await memory.stats()).toMatchObject({ turns: 0, entries: 0 });
    });

    it("rejects calls after close as closed, and closing twice is nothing", async () => {
      const memory = await open();
      await memory.close();
      await memory.close();
      for (const call of [memory.recall("x"), memory.record({ user: "x" }), memory.stats(), memory.context()])
        await expect(call).rejects.toSatisfy((error: unknown) => isMemoryError(error, "closed"));
    });

    it("lists newest first, filters, edits, pins and shows use", async () => {
      const memory = await open();
      await memory.record({ user: "I love hiking in the Dolomites.", at: MAY });
      await memory.record({ user: "I bought a blue tent for 240 euros.", at: JUNE });
      const listed = await all(memory.entries());
      expect(listed.map(({ text }) => text)).toEqual([expect.stringContaining("tent"), expect.stringContaining("hiking")]);
      const [tent] = await all(memory.entries({ text: "tent" }));
      if (!tent) throw new Error("the tent is not listed");
      await memory.pin(tent.id);
      await memory.update(tent.id, { text: "I bought a green tent for 240 euros." });
      expect(await memory.get(tent.id)).toMatchObject({
        pinned: true,
        text: "I bought a green tent for 240 euros.",
        sources: [{ quote: expect.stringContaining("blue") }],
      });
      expect((await memory.recall("What colour is my tent?", { at: JUNE + HOUR })).items[0]?.text).toContain("green");
      expect((await memory.get(tent.id))?.usage.accessCount).toBe(1);
      await expect(memory.update("nobody" as typeof tent.id, { text: "x" })).rejects.toMatchObject({ code: "not-found" });
    });

    it("forgets entries with their turns and every copy, after a preview that changes nothing", async () => {
      const memory = await open();
      await memory.record({ user: "I work as a florist.", at: MAY });
      await memory.record({
        user: "My diagnosis is celiac disease.",
        assistant: "I will keep your diagnosis in mind.",
        at: MAY + 1_000,
      });
      await memory.record({ user: "I also sing in a choir.", at: MAY + 2_000 });
      const [entry] = await all(memory.entries({ text: "celiac" }));
      if (!entry) throw new Error("the entry is not listed");
      const preview = await memory.forget({ entryIds: [entry.id] }, { preview: true });
      expect(preview.entries.map(({ id }) => id)).toEqual([entry.id]);
      expect(preview.turns.map(({ text }) => text)).toEqual(["My diagnosis is celiac disease."]);
      expect(await memory.get(entry.id)).toBeDefined();
      expect(await memory.forget({ entryIds: [entry.id] })).toMatchObject({ entryIds: [entry.id], remaining: 0 });
      const left = JSON.stringify([
        await all(memory.entries()),
        await memory.conversation("default").history(),
        await memory.context(),
      ]);
      expect(left).not.toContain("celiac");
      expect(left).toContain("choir");
      expect((await memory.recall("What is my diagnosis?", { at: JUNE })).text).not.toContain("celiac");
    });

    it("keeps users of one database apart on every path", async () => {
      const mine = await open({ userId: "ann" });
      await mine.record({ user: "My safe word is marzipan.", at: MAY });
      for (const userId of ["anna", "an", "ANN", "ann ", "__proto__", "änn"]) {
        const theirs = await open({ userId });
        expect((await theirs.recall("safe word marzipan")).items).toEqual([]);
        expect(await all(theirs.entries())).toEqual([]);
        expect(await theirs.conversation("default").history()).toEqual([]);
        expect((await theirs.context()).messages).toEqual([]);
        expect(await theirs.stats()).toMatchObject({ entries: 0, turns: 0, vectors: 0 });
        expect(await theirs.forget({ everything: true })).toMatchObject({ entryIds: [], turnIds: [] });
        const [entry] = await all(mine.entries());
        expect(await theirs.get((entry as StoredEntry).id)).toBeUndefined();
      }
      expect((await mine.recall("safe word")).items).toHaveLength(1);
    });

    it("stores nothing of an incognito conversation, which still recalls and has its own short-term memory", async () => {
      const memory = await open();
      await memory.record({ user: "I collect vinyl records.", at: MAY });
      const incognito = memory.conversation("private", { incognito: true });
      const written = await incognito.record({ user: "I am looking for a new job.", at: MAY });
      expect(written).toMatchObject({ stored: [], refused: [{ reason: "incognito" }] });
      expect((await incognito.recall("What do I collect?", { at: JUNE })).items[0]?.text).toContain("vinyl");
      expect((await incognito.context()).messages).toMatchObject([{ text: "I am looking for a new job." }]);
      expect(await memory.stats()).toMatchObject({ turns: 1, entries: 1 });
      const [entry] = await all(memory.entries());
      expect(entry?.usage.accessCount).toBe(0);
    });

    it("puts the recalled block before the recent turns, inside the budget", async () => {
      const memory = await open();
      for (let index = 0; index < 40; index++)
        await memory.record({
          user: `I read chapter ${index} of the long novel about the lighthouse today.`,
          assistant: "Nice.",
          at: MAY + index * 1_000,
        });
      const recall = await memory.recall("Which novel do I read?", { at: JUNE });
      const { messages, tokens, leftOut } = await memory.context({ recall, maxTokens: recall.tokens + 200 });
      expect(messages[0]).toMatchObject({ role: "system", text: recall.text });
      expect(messages.at(-2)?.text).toContain("chapter 39");
      expect(tokens).toBeLessThanOrEqual(recall.tokens + 200);
      expect(leftOut.length).toBeGreaterThan(10);
    });

    it("lets two handles on one database see each other's entries", async () => {
      const one = await open();
      const two = await open();
      await one.record({ user: "I keep bees on the roof.", at: MAY });
      await expect.poll(async () => (await two.recall("bees", { at: JUNE })).items[0]?.text).toContain("bees");
      await two.record({ user: "The hive gives honey in July.", at: JUNE });
      await expect.poll(async () => (await one.recall("hive honey", { at: JUNE + HOUR })).items[0]?.text).toContain("honey");
      const turn = { messages: [{ id: "same", role: "user" as const, text: "I named the queen bee Beatrix.", at: JUNE }] };
      await Promise.all([one.record(turn), two.record(turn)]);
      expect(await all(one.entries({ text: "Beatrix" }))).toHaveLength(1);
    });

    it("tells of changes as they are committed", async () => {
      const memory = await open();
      const changes: number[] = [];
      memory.addEventListener("change", ({ detail }) => changes.push(detail.revision));
      await memory.record({ user: "I play the cello." });
      await expect.poll(() => changes.length).toBe(1);
    });

    it("rebuilds its indexes from the store on demand", async () => {
      const memory = await open();
      await memory.record({ user: "I climb on Tuesdays.", at: MAY });
      const before = await memory.stats();
      await memory.rebuild();
      expect(await memory.stats()).toMatchObject({ entries: before.entries, vectors: before.vectors, revision: before.revision });
      expect((await memory.recall("climb", { at: JUNE })).items[0]?.text).toContain("Tuesdays");
    });

    it("answers while it rebuilds", async () => {
      const memory = await open();
      for (let index = 0; index < 20; index++)
        await memory.record({ user: `I wrote diary page ${index} about the garden.`, at: MAY + index });
      const rebuilding = Promise.all([memory.rebuild(), memory.rebuild()]);
      for (let index = 0; index < 20; index++)
        expect((await memory.recall(`diary page ${index}`, { at: JUNE })).items.length).toBeGreaterThan(0);
      await rebuilding;
      expect((await memory.recall("diary page 7", { at: JUNE })).items[0]?.text).toContain("page 7");
    });

    it("evicts the least useful beyond its capacity, never what is pinned", async () => {
      const memory = await open({ capacity: 100 });
      await memory.record({ user: "My blood type is AB negative.", at: MAY });
      const [first] = await all(memory.entries());
      if (!first) throw new Error("nothing was stored");
      await memory.pin(first.id);
      await memory.record({
        messages: Array.from({ length: 120 }, (_, index) => ({
          role: "user" as const,
          text: `I visited the village number ${index} on my trip.`,
          at: MAY + index,
        })),
      });
      await memory.record({ user: "I came home from the trip.", at: JUNE });
      expect((await memory.stats()).entries).toBeLessThanOrEqual(100);
      expect(await memory.get(first.id)).toMatchObject({ pinned: true });
    });

    it("takes 10,000 turns at once and still answers", { timeout: 120_000 }, async () => {
      const memory = await open();
      const messages = Array.from({ length: 10_000 }, (_, index) => ({
        role: "user" as const,
        text:
          index === 6_543
            ? "My grandmother's clock chimes at a quarter past four."
            : `I noted the reading ${index * 7} of gauge ${index % 97}.`,
        at: MAY + index * 1_000,
      }));
      const { turnIds } = await memory.record({ messages });
      expect(turnIds).toHaveLength(10_000);
      expect((await memory.stats()).turns).toBe(10_000);
      expect((await memory.recall("When does grandmother's clock chime?", { at: JUNE })).items[0]?.text).toContain(
        "quarter past four",
      );
    });
  });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

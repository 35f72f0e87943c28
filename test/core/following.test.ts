import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/node/index.js";
import { eraseUser } from "../../src/node/index.js";
import type { ConversationId } from "../../src/types.js";
import { entriesOf, openedMemories, wordsIn } from "./opened.js";

const { directory, open } = openedMemories();

/** A question becomes no entry: it lives in the turns alone. */
const QUESTION = "Should I tell my boss Ken about the test at the clinic?";
const shown = async (memory: Memory): Promise<readonly string[]> => (await memory.context()).messages.map(({ text }) => text);

describe("two handles on one database", () => {
  it("show in both what was said in one, also when no entry came of it", async () => {
    const [a, b] = [await open(), await open()];
    await b.record({ user: "I like green tea." });
    expect(await shown(b)).toEqual(["I like green tea."]);
    const written = await a.record({ user: QUESTION });
    expect(written.stored).toEqual([]);
    expect(await shown(b)).toEqual(["I like green tea.", QUESTION]);
  });

  it("tell an entry how the conversation went on, after the other wrote and after opening again", async () => {
    const [a, b] = [await open(), await open()];
    const nextOf = async (text: string) => (await entriesOf(a)).find((entry) => entry.text.startsWith(text))?.context?.next;
    await a.record({ user: "I asked the vet about the lump." });
    await b.record({ user: "He called it harmless, to my relief." });
    expect(await nextOf("I asked the vet")).toBe("He called it harmless, to my relief.");
    await b.close();
    const again = await open();
    await again.record({ user: "I bought a red canoe." });
    expect(await nextOf("He called it")).toBe("I bought a red canoe.");
  });

  it("neither show nor store in one what was forgotten in the other", async () => {
    const [a, b] = [await open(), await open()];
    await a.record({ user: QUESTION });
    expect(await shown(b)).toEqual([QUESTION]);
    await a.forget({ everything: true });
    expect(await shown(b)).toEqual([]);
    expect(await b.conversation("default").history()).toEqual([]);
    const { stored } = await b.record({ user: "I bought a red canoe for the lake." });
    expect(stored).toHaveLength(1);
    for (const entry of await entriesOf(b)) expect(wordsIn(entry)).not.toContain("Ken");
  });

  it("do not store what was forgotten when the next thing said is recorded at once", async () => {
    const [a, b] = [await open(), await open()];
    await a.record({ user: QUESTION });
    expect(await shown(b)).toEqual([QUESTION]);
    await a.forget({ conversationId: "default" as ConversationId });
    const { stored } = await b.record({ user: "I bought a red canoe for the lake." });
    expect(stored).toHaveLength(1);
    for (const entry of await entriesOf(a)) expect(wordsIn(entry)).not.toContain("Ken");
  });

  it("recall in neither what was forgotten in one", async () => {
    const [a, b] = [await open(), await open()];
    await a.record({ user: "My locker code is 4417-B." });
    expect((await b.recall("locker code")).text).toContain("4417-B");
    await a.forget({ everything: true });
    expect((await b.recall("locker code")).items).toEqual([]);
  });

  it("forget and correct what the other has just changed", async () => {
    const [a, b] = [await open(), await open()];
    const entry = (await a.record({ user: "I like green tea." })).stored[0];
    if (!entry) throw new Error("nothing was stored");
    for (let round = 0; round < 10; round++) {
      const [pinned, tagged] = await Promise.all([
        a.pin(entry.id, round % 2 === 0),
        b.update(entry.id, { tags: [`round ${round}`] }),
      ]);
      expect([pinned.id, tagged.id]).toEqual([entry.id, entry.id]);
    }
    await Promise.all([
      a.record({ user: "I like green tea." }),
      b.forget({ entryIds: [entry.id] }),
      a.record({ user: "I like green tea." }),
      b.forget({ everything: true }),
    ]);
    await b.forget({ everything: true });
    expect(await a.stats()).toMatchObject({ entries: 0, turns: 0 });
  });
});

describe("a handle whose user is erased", () => {
  it("recalls and shows nothing of it, records again, and finds what it records", async () => {
    const memory = await open();
    await memory.record({ user: "I like green tea from Assam." });
    await memory.record({ user: "I live in Porto." });
    await memory.conversation("side", { incognito: true }).record({ user: "I see a doctor." });
    await eraseUser(directory, memory.name, "me");
    expect((await memory.recall("What tea do I like?")).items).toEqual([]);
    expect(await shown(memory)).toEqual([]);
    const { stored } = await memory.record({ user: "I bought a red canoe." });
    expect(stored).toHaveLength(1);
    for (const entry of await entriesOf(memory)) expect(wordsIn(entry)).not.toContain("Porto");
    expect((await memory.recall("What did I buy, a canoe?")).items[0]?.text).toContain("canoe");
    expect(await memory.conversation("side", { incognito: true }).history()).toEqual([]);
    expect(await memory.stats()).toMatchObject({ entries: 1, turns: 1, vectors: 1 });
  });

  it("goes on with another that records before it looks again", async () => {
    const [a, b] = [await open(), await open()];
    await a.record({ user: "I like green tea from Assam." });
    expect(await shown(b)).toHaveLength(1);
    await eraseUser(directory, a.name, "me");
    await b.record({ user: "I bought a red canoe." });
    await b.record({ user: "I sold my old bike." });
    expect((await a.recall("What did I buy, a canoe?")).items[0]?.text).toContain("canoe");
    expect((await a.recall("tea from Assam")).text).not.toContain("Assam");
    expect(await shown(a)).toEqual(["I bought a red canoe.", "I sold my old bike."]);
  });

  it("hears of it although what was written since has come to the same number", async () => {
    const [a, b] = [await open(), await open()];
    await a.record({ user: "I like green tea from Assam." });
    expect(await shown(b)).toHaveLength(1);
    await eraseUser(directory, a.name, "me");
    await b.record({ user: "I bought a red canoe." });
    await expect.poll(async () => (await a.recall("tea from Assam")).text).not.toContain("Assam");
    expect(await shown(a)).toEqual(["I bought a red canoe."]);
  });

  it("keeps those of other users", async () => {
    const [mine, theirs] = [await open(), await open({ userId: "you" })];
    await mine.record({ user: "I like green tea." });
    await theirs.record({ user: "I like black coffee." });
    await eraseUser(directory, mine.name, "me");
    expect((await theirs.recall("coffee")).items[0]?.text).toContain("coffee");
    expect(await shown(theirs)).toEqual(["I like black coffee."]);
  });
});

import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/node/index.js";
import type { ConversationId, Entry } from "../../src/types.js";
import { entriesOf, openedMemories, wordsIn } from "./opened.js";

const { open } = openedMemories();

const MAY = Date.UTC(2026, 4, 7, 12);
const DAY = 86_400_000;
const ILLNESS = "I was treated for bipolar disorder.";
const c1 = "c1" as ConversationId;
const c2 = "c2" as ConversationId;
const said = async (memory: Memory, id: string): Promise<readonly string[]> =>
  (await memory.conversation(id).history()).map(({ text }) => text);
const first = (entries: readonly Entry[]): Entry => {
  const [entry] = entries;
  if (!entry) throw new Error("there is no entry");
  return entry;
};

describe("forgetting a conversation", () => {
  it("keeps what was said in another one too, and that one's words", async () => {
    const memory = await open();
    await memory.conversation(c1).record({ user: ILLNESS, at: MAY });
    await memory.conversation(c2).record({ user: "I was treated for Bipolar disorder", at: MAY + DAY });
    expect(first(await entriesOf(memory))).toMatchObject({ evidence: 2, conversationId: c1 });
    const forgotten = await memory.forget({ conversationId: c1 });
    expect(forgotten).toMatchObject({ entryIds: [], remaining: 0 });
    expect(forgotten.turnIds).toHaveLength(1);
    expect(await said(memory, c1)).toEqual([]);
    expect(await said(memory, c2)).toEqual(["I was treated for Bipolar disorder"]);
    const left = first(await entriesOf(memory));
    expect(left).toMatchObject({
      conversationId: c2,
      saidAt: MAY + DAY,
      validFrom: MAY + DAY,
      evidence: 1,
      text: "I was treated for Bipolar disorder",
      indexText: "I was treated for Bipolar disorder",
    });
    expect(left.sources.map(({ quote }) => quote)).toEqual(["I was treated for Bipolar disorder"]);
    expect((await memory.recall("treated for bipolar disorder")).items[0]?.sources).toEqual(left.sources);
    expect(await memory.stats()).toMatchObject({ entries: 1, turns: 1, vectors: 1 });
  });

  it("takes its repetition out of an entry that another conversation began", async () => {
    const memory = await open();
    await memory.conversation(c1).record({ user: ILLNESS, at: MAY });
    await memory.conversation(c2).record({ user: ILLNESS, at: MAY + DAY });
    const forgotten = await memory.forget({ conversationId: c2 });
    expect(forgotten).toMatchObject({ entryIds: [], remaining: 0 });
    expect(await said(memory, c2)).toEqual([]);
    expect(await said(memory, c1)).toEqual([ILLNESS]);
    const left = first(await entriesOf(memory));
    expect(left).toMatchObject({ conversationId: c1, evidence: 1, text: ILLNESS });
    expect(left.sources).toHaveLength(1);
    await memory.forget({ conversationId: c1 });
    expect(await memory.stats()).toMatchObject({ entries: 0, turns: 0, vectors: 0 });
  });

  it("forgets what was said in it alone", async () => {
    const memory = await open();
    await memory.conversation(c1).record({ user: ILLNESS });
    await memory.conversation(c2).record({ user: "I moved to Leipzig." });
    expect((await memory.forget({ conversationId: c1 })).entryIds).toHaveLength(1);
    expect((await entriesOf(memory)).map(({ text }) => text)).toEqual(["I moved to Leipzig."]);
  });
});

describe("forgetting a time", () => {
  it("keeps what was said at another time too", async () => {
    const memory = await open();
    await memory.record({ user: ILLNESS, at: MAY });
    await memory.record({ user: "I moved to Leipzig.", at: MAY + 1 });
    await memory.record({ user: ILLNESS, at: MAY + DAY });
    const forgotten = await memory.forget({ said: { from: MAY, to: MAY + 2 } });
    expect(forgotten.turnIds).toHaveLength(2);
    expect(forgotten.entryIds).toHaveLength(1);
    const left = await entriesOf(memory);
    expect(left.map(({ text, saidAt, evidence }) => ({ text, saidAt, evidence }))).toEqual([
      { text: ILLNESS, saidAt: MAY + DAY, evidence: 1 },
    ]);
    expect(wordsIn(first(left))).not.toContain("Leipzig");
  });

  it("takes the words of what was said then out of what was said around it", async () => {
    const memory = await open();
    await memory.record({ user: "I moved to Leipzig.", at: MAY });
    await memory.record({ user: ILLNESS, at: MAY + 1 });
    await memory.record({ user: "I bought a red canoe.", at: MAY + 2 });
    expect((await entriesOf(memory)).filter((entry) => wordsIn(entry).includes("bipolar"))).toHaveLength(3);
    expect(await memory.forget({ said: { from: MAY + 1, to: MAY + 2 } })).toMatchObject({ remaining: 0 });
    const left = await entriesOf(memory);
    expect(left).toHaveLength(2);
    for (const entry of left) expect(wordsIn(entry)).not.toContain("bipolar");
  });

  it("forgets thousands of turns beside thousands of others", { timeout: 60_000 }, async () => {
    const memory = await open();
    const messages = Array.from({ length: 8_000 }, (_, index) => ({
      role: "user" as const,
      text: `Note ${index}: I put box ${index} on shelf ${index % 97} of the cellar.`,
      at: MAY + index,
    }));
    await memory.record({ messages });
    const forgotten = await memory.forget({ said: { from: MAY, to: MAY + 4_000 } });
    expect(forgotten.turnIds).toHaveLength(4_000);
    expect(forgotten.remaining).toBe(0);
    expect(await memory.stats()).toMatchObject({ turns: 4_000 });
  });

  it("stops when it is told to, and nothing is forgotten then", async () => {
    const memory = await open();
    await memory.record({ user: ILLNESS, at: MAY });
    const reason = new Error("changed my mind");
    await expect(memory.forget({ said: { from: MAY, to: MAY + 1 } }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await memory.stats()).toMatchObject({ entries: 1, turns: 1 });
  });
});

describe("forgetting an entry", () => {
  const forgetFirst = async (memory: Memory, user: string, assistant: string) => {
    const entry = (await memory.record({ user, assistant, at: MAY })).stored.find(({ subject }) => subject === "user");
    if (!entry) throw new Error("nothing was stored of the user");
    return memory.forget({ entryIds: [entry.id] });
  };

  it.each([
    ["a code", "My locker code is 4417-B.", "Fine, I will remind you of 4417-B whenever you go swimming."],
    ["a number", "I earn 83000 before taxes at the mill.", "That is a good salary, 83000 is above the average!"],
    ["a name", "Yesterday I had a long and honest talk with Kim about our future plans.", "I am glad that Kim listened to you."],
    [
      "its words",
      "I was treated for bipolar disorder.",
      "Thank you for telling me. Being treated for bipolar disorder takes courage.",
    ],
  ])("takes with it the reply that repeats %s", async (_, user, assistant) => {
    const memory = await open();
    const { turnIds, remaining } = await forgetFirst(memory, user, assistant);
    expect(await entriesOf(memory)).toEqual([]);
    expect(turnIds).toHaveLength(2);
    expect(remaining).toBe(0);
    expect(await said(memory, "default")).toEqual([]);
    expect((await memory.context()).messages).toEqual([]);
  });

  it("leaves the reply that repeats nothing of it, and later ones", async () => {
    const memory = await open();
    await memory.record({ user: "My locker code is 4417-B.", assistant: "Noted, thank you!", at: MAY });
    await memory.record({ user: "What is the weather like?", assistant: "Sunny, with some wind.", at: MAY + 1 });
    const entry = (await entriesOf(memory)).find(({ text }) => text.includes("4417-B"));
    if (!entry) throw new Error("nothing was stored");
    await memory.forget({ entryIds: [entry.id] });
    expect(await said(memory, "default")).toEqual(["Noted, thank you!", "What is the weather like?", "Sunny, with some wind."]);
  });

  it("shows in the preview the replies that would go", async () => {
    const memory = await open();
    const { stored } = await memory.record({ user: "My locker code is 4417-B.", assistant: "Good, 4417-B it is." });
    const entry = first(stored.filter(({ subject }) => subject === "user"));
    const preview = await memory.forget({ entryIds: [entry.id] }, { preview: true });
    expect(preview.turns.map(({ text }) => text)).toEqual(["My locker code is 4417-B.", "Good, 4417-B it is."]);
  });

  it("says how many stored rows still hold what was forgotten", async () => {
    const memory = await open();
    const { stored } = await memory.record({ user: "I like oolong tea.", at: MAY });
    await memory.record({ user: "Do you know why I like oolong tea.?", at: MAY + 2 * DAY });
    await memory.record({ user: "Did I say that I like oolong tea.too?", at: MAY + 4 * DAY });
    expect(await memory.forget({ entryIds: stored.map(({ id }) => id) })).toMatchObject({ remaining: 2 });
  });
});

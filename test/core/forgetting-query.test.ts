import { describe, expect, it } from "vitest";
import { topicsOf } from "../../src/core/forget-query.js";
import type { Memory } from "../../src/node/index.js";
import { isMemoryError } from "../../src/node/index.js";
import { entriesOf, openedMemories, wordsIn } from "./opened.js";

const { open } = openedMemories();
const APRIL = Date.UTC(2026, 3, 2, 12);
const DAY = 86_400_000;

/** Each a day after the one before, those that begin with a pronoun a minute after. */
async function say(memory: Memory, turns: readonly (readonly [user: string, assistant?: string])[]): Promise<void> {
  let at = APRIL;
  for (const [user, assistant] of turns) {
    at += /^(?:She|He|It|They)\b/.test(user) ? 60_000 : DAY;
    await memory.record({ user, at, ...(assistant !== undefined && { assistant }) });
  }
}

async function everythingOf(memory: Memory): Promise<string> {
  const turns = await memory.conversation("default").history();
  return [...turns.map(({ text }) => text), ...(await entriesOf(memory)).map(wordsIn)].join("\n");
}

describe("a query to forget", () => {
  it.each([
    ["everything about basil", ["basil"]],
    ["Please forget all I ever said about my knee operation and the physiotherapy.", ["my knee operation", "the physiotherapy"]],
    ["delete my memories", ["my memories"]],
    ["mein Rücken und die Tabletten", ["mein Rücken", "die Tabletten"]],
    ["抑郁症和上海", ["抑郁症", "上海"]],
  ])("«%s» means %j", (query, topics) => {
    expect(topicsOf(query)).toEqual(topics);
  });

  const life = [
    ["My sister Ana lives in Porto.", "Porto is lovely."],
    ["She works as a nurse.", "A demanding job."],
    ["My brother Paul lives in Kiel and sails."],
    ["What can I do against my migraine?", "Dark rooms help with migraine."],
    ["I broke up with Jonas in May.", "I'm sorry."],
    ["He kept the cat."],
    ["It rained all day in Hamburg."],
    ["I love sushi and ramen."],
    ["We are trying to buy a flat in Lyon.", "Good luck."],
    ["The bank refused our mortgage.", "That's a pity."],
    ["I play the cello in an orchestra."],
  ] as const;

  it.each([
    ["my sister", ["Ana", "nurse"], ["Paul", "Hamburg", "demanding job"]],
    ["my migraine", ["migraine"], ["sushi", "Paul"]],
    ["Jonas", ["Jonas", "kept the cat"], ["Paul", "rained", "Lyon"]],
    ["the flat that we want to buy and the mortgage", ["Lyon", "mortgage"], ["Porto", "Jonas", "Good luck"]],
    ["everything I told you about music", ["cello"], ["sushi", "Paul"]],
    ["food", ["sushi"], ["cat", "cello"]],
  ])("finds all of «%s», what only points at it and what became no memory, and nothing else", async (query, gone, stays) => {
    const memory = await open();
    await say(memory, life);
    const preview = await memory.forget({ query }, { preview: true });
    expect(await everythingOf(memory)).toContain(gone[0]);
    const forgotten = await memory.forget({ preview: preview.token });
    expect(forgotten.entryIds).toEqual(preview.entries.map(({ id }) => id));
    expect(forgotten.turnIds).toEqual(preview.turns.map(({ id }) => id));
    expect(forgotten).toMatchObject({ remaining: 0, remainingIn: {} });
    const left = await everythingOf(memory);
    for (const word of gone) expect(left).not.toContain(word);
    for (const word of stays) expect(left).toContain(word);
  });

  it.each([
    ["my locker at work", ["27"], ["118"]],
    ["my sister's car", ["Fiat"], ["Skoda"]],
    ["meine Wohnung in Kiel", ["Hafen"], ["Bremen"]],
  ])("takes for «%s» no other of its kind", async (query, gone, stays) => {
    const memory = await open();
    await say(memory, [
      ["My locker at the pool is 118."],
      ["My locker at work is 27."],
      ["My sister's car is a Fiat."],
      ["My brother's car is a Skoda."],
      ["Meine Wohnung in Kiel liegt am Hafen."],
      ["Meine Wohnung in Bremen liegt am Park."],
      ["I work from home on Fridays, and work late."],
      ["There is a lot of work in the garden."],
    ]);
    const { token } = await memory.forget({ query }, { preview: true });
    await memory.forget({ preview: token });
    const left = await everythingOf(memory);
    for (const word of gone) expect(left).not.toContain(word);
    for (const word of stays) expect(left).toContain(word);
  });

  it("takes for one of its kind what only tells another thing of it", async () => {
    const memory = await open();
    await say(memory, [
      ["My visit to the dentist was a disaster."],
      ["The visit on Monday cost me a tooth, dentist or not."],
      ["I sail."],
    ]);
    const { token } = await memory.forget({ query: "my visit to the dentist" }, { preview: true });
    await memory.forget({ preview: token });
    const left = await everythingOf(memory);
    expect(left).not.toMatch(/disaster|tooth/);
    expect(left).toContain("I sail.");
  });

  it("finds it in scripts without spaces", async () => {
    const memory = await open();
    await say(memory, [["我得了抑郁症。"], ["今天天气很好。"], ["我在上海工作。"]]);
    const { token } = await memory.forget({ query: "我的抑郁症" }, { preview: true });
    await memory.forget({ preview: token });
    const left = await everythingOf(memory);
    expect(left).not.toContain("抑郁");
    expect(left).toContain("上海");
  });

  it("is nothing where nothing speaks of it", async () => {
    const memory = await open();
    await say(memory, life);
    const { entries, turns, stripped, token } = await memory.forget({ query: "zebra crossings" }, { preview: true });
    expect({ entries, turns, stripped }).toEqual({ entries: [], turns: [], stripped: [] });
    expect(await memory.forget({ preview: token })).toMatchObject({ entryIds: [], turnIds: [], marks: 0, remaining: 0 });
  });

  it("is never final without a preview", async () => {
    const memory = await open();
    await expect(memory.forget({ query: "tea" })).rejects.toThrow(/preview/);
    await expect(memory.forget({ query: " " }, { preview: true })).rejects.toBeInstanceOf(TypeError);
    await expect(memory.forget({ preview: "t" }, { preview: true })).rejects.toBeInstanceOf(TypeError);
    await expect(memory.forget({ preview: "unknown" })).rejects.toSatisfy((error: unknown) => isMemoryError(error, "not-found"));
    await expect(memory.forget({ everything: true, except: [] } as never)).rejects.toBeInstanceOf(TypeError);
  });
});

describe("what a preview showed", () => {
  it("is what goes, and what was said since stays, in the very words even", async () => {
    const memory = await open();
    await say(memory, [["I like oolong tea."], ["I sail a dinghy."]]);
    const { token } = await memory.forget({ query: "oolong tea" }, { preview: true });
    await memory.record({ user: "I like oolong tea.", at: APRIL + 9 * DAY });
    const forgotten = await memory.forget({ preview: token });
    expect(forgotten.turnIds).toHaveLength(1);
    const [left] = (await entriesOf(memory)).filter((entry) => wordsIn(entry).includes("oolong"));
    expect(left).toMatchObject({ saidAt: APRIL + 9 * DAY, evidence: 1 });
    expect(left?.sources).toHaveLength(1);
    await expect(memory.forget({ preview: token })).rejects.toSatisfy((error: unknown) => isMemoryError(error, "not-found"));
  });

  it("goes without what the person takes out of it, whose turns stay", async () => {
    const memory = await open();
    await say(memory, [["I like oolong tea."], ["I drink green tea with my aunt."]]);
    const preview = await memory.forget({ query: "tea" }, { preview: true });
    expect(preview.entries).toHaveLength(2);
    const aunt = preview.entries.find(({ text }) => text.includes("aunt"));
    if (!aunt) throw new Error("the preview shows no aunt");
    const forgotten = await memory.forget({ preview: preview.token, except: [aunt.id] });
    expect(forgotten.entryIds).toHaveLength(1);
    const left = await everythingOf(memory);
    expect(left).not.toContain("oolong");
    expect(left).toContain("I drink green tea with my aunt.");
  });

  it("names the entries that stay and lose a source or a neighbour's words", async () => {
    const memory = await open();
    await memory.conversation("c1").record({ user: "I was treated for bipolar disorder.", at: APRIL });
    await memory.conversation("c2").record({ user: "I was treated for bipolar disorder.", at: APRIL + DAY });
    await memory.conversation("c1").record({ user: "I bought a red canoe.", at: APRIL + 1_000 });
    const preview = await memory.forget({ conversationId: "c1" as never }, { preview: true });
    expect(preview.entries.map(({ text }) => text)).toEqual([expect.stringContaining("canoe")]);
    expect(preview.stripped).toHaveLength(1);
    expect(preview.stripped[0]).toMatchObject({ before: { evidence: 2 }, after: { evidence: 1, conversationId: "c2" } });
    const forgotten = await memory.forget({ preview: preview.token });
    expect(forgotten).toMatchObject({
      strippedIds: [preview.stripped[0]?.before.id],
      removed: { entries: 1, turns: 2, sources: 1 },
    });
    expect(forgotten.remaining).toBe(0);
  });
});

describe("the proof of a forgetting", () => {
  it("looks through every row of every table, and says where the words still are", async () => {
    const memory = await open();
    await memory.record({ user: "I like oolong tea.", at: APRIL });
    await memory.record({ messages: [{ role: "tool", text: "log: I like oolong tea.", at: APRIL + 2 * DAY }] });
    const [entry] = await entriesOf(memory);
    if (!entry) throw new Error("nothing was stored");
    const forgotten = await memory.forget({ entryIds: [entry.id] });
    expect(forgotten.scanned.tables).toEqual(expect.arrayContaining(["journal", "meta", "turns", "users"]));
    expect(forgotten.scanned.rows).toBeGreaterThan(3);
    expect(forgotten).toMatchObject({ remaining: 1, remainingIn: { turns: 1 }, removed: { entries: 1, turns: 1 } });
  });

  it("finds what was evicted too, which goes with the turns that it came from", async () => {
    let now = APRIL;
    const memory = await open({ capacity: 100, clock: { now: () => now } });
    const visits = (from: number, to: number) => ({
      messages: Array.from({ length: to - from }, (_, at) => ({
        role: "user" as const,
        text: `I visited the village number ${from + at + 1_000} on my trip.`,
        at: APRIL + from + at,
      })),
    });
    await memory.record(visits(0, 90));
    now += 100 * DAY;
    await memory.record(visits(90, 130));
    const proof = await memory.forget({ said: { from: APRIL, to: APRIL + 1_000 } });
    expect(proof.turnIds).toHaveLength(130);
    expect(proof).toMatchObject({ remaining: 0 });
    expect(proof.removed.evicted).toBeGreaterThan(0);
  });

  it("finds them in earlier versions too, which go with what they are of", async () => {
    const memory = await open();
    await memory.record({ user: "I was treated for bipolar disorder.", at: APRIL });
    const [entry] = await entriesOf(memory);
    if (!entry) throw new Error("nothing was stored");
    await memory.update(entry.id, { text: "I am well." });
    await memory.conversation("c2").record({ user: "I bought a red canoe.", at: APRIL + DAY });
    expect(await memory.forget({ conversationId: "default" as never })).toMatchObject({ remaining: 0 });
    expect(await everythingOf(memory)).not.toContain("bipolar");
  });
});

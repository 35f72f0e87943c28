/** What becomes of stored memories when a person corrects, withdraws or reverses what they said. */

import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/memory-handle.js";
import { entriesOf, openedMemories } from "./opened.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;
const { open } = openedMemories();

/** Turns of one session, or of one a day. */
async function told(turns: readonly string[], gap: number): Promise<Memory> {
  const memory = await open({ timeZone: "UTC" });
  for (const [index, user] of turns.entries()) await memory.record({ user, at: MAY + index * gap });
  return memory;
}

async function texts(memory: Memory): Promise<{ readonly live: string[]; readonly over: string[] }> {
  const entries = await entriesOf(memory);
  return {
    live: entries.filter(({ validTo }) => validTo === undefined).map(({ text }) => text),
    over: entries.filter(({ validTo }) => validTo !== undefined).map(({ text }) => text),
  };
}

interface Scene {
  readonly name: string;
  readonly turns: readonly string[];
  /** Held by a text that is over, each. */
  readonly over: readonly string[];
  /** Held by a live text, each. */
  readonly live: readonly string[];
}

async function plays({ turns, over, live }: Scene, gap: number): Promise<void> {
  const found = await texts(await told(turns, gap));
  for (const wanted of over) {
    expect(found.over.join("\n")).toContain(wanted);
    expect(found.live.join("\n")).not.toContain(wanted);
  }
  for (const wanted of live) expect(found.live.join("\n")).toContain(wanted);
  expect(found.over).toHaveLength(over.length);
}

describe("a slip that is put right in the same conversation", () => {
  it.each<Scene>([
    {
      name: "no, I meant",
      turns: ["My piano lesson is on Monday.", "No, I meant Tuesday."],
      over: ["on Monday"],
      live: ["Tuesday"],
    },
    {
      name: "I meant X, not Y",
      turns: ["The ferry leaves at 9:15.", "I meant 9:45, not 9:15."],
      over: ["at 9:15."],
      live: ["9:45"],
    },
    { name: "correction:", turns: ["I have 14 hens.", "Correction: I have 15 hens."], over: ["14 hens"], live: ["15 hens"] },
    {
      name: "sorry, it's",
      turns: ["My locker is B-204 at the gym.", "Sorry, it's B-240."],
      over: ["B-204"],
      live: ["B-240"],
    },
    {
      name: "that's wrong",
      turns: ["The vet is called Ilse Varga.", "That's wrong, the vet is called Ilse Vargas."],
      over: ["Ilse Varga."],
      live: ["Vargas"],
    },
    {
      name: "German",
      turns: ["Mein Klavierunterricht ist am Montag.", "Nein, ich meinte Dienstag."],
      over: ["am Montag"],
      live: ["Dienstag"],
    },
    {
      name: "Spanish",
      turns: ["Mi clase de piano es el lunes.", "Me equivoqué, es el martes."],
      over: ["el lunes"],
      live: ["el martes"],
    },
    { name: "Chinese", turns: ["我的钢琴课在星期一。", "我说错了，是星期二。"], over: ["星期一"], live: ["星期二"] },
    {
      name: "only the sentence that was wrong goes",
      turns: ["I keep bees on the roof. My piano lesson is on Monday. I have 3 cats.", "No, I meant Tuesday."],
      over: ["on Monday"],
      live: ["bees", "3 cats", "Tuesday"],
    },
  ])("ends the wrong one: $name", (scene) => plays(scene, MINUTE));

  it.each<Scene>([
    {
      name: "I meant to",
      turns: ["My piano lesson is on Monday.", "I meant to call you on Tuesday."],
      over: [],
      live: ["Monday"],
    },
    {
      name: "actually, of something else",
      turns: ["I have 14 hens.", "Actually, I love the opera."],
      over: [],
      live: ["14 hens"],
    },
    { name: "a refusal", turns: ["I have 14 hens.", "No, I don't want a rooster."], over: [], live: ["14 hens"] },
    { name: "a list", turns: ["I have 14 hens.", "I also have 3 ducks."], over: [], live: ["14 hens", "3 ducks"] },
    {
      name: "do not forget",
      turns: ["The jobs go through the async queue.", "Do not forget: the async queue needs 45 s, never less."],
      over: [],
      live: ["go through", "45 s"],
    },
    {
      name: "a denial of something else",
      turns: [
        "I was thinking of ordering flour from a shop that works with Halyard.",
        "Yeah, Halyard is definitely not for ordering flour.",
      ],
      over: [],
      live: ["works with Halyard"],
    },
    {
      name: "a longer tale",
      turns: [
        "I recently discovered the Queen Victoria Market.",
        "I meant to say that it's been three months since I got my letter, and I have been in Melbourne for a month.",
      ],
      over: [],
      live: ["Victoria Market"],
    },
    {
      name: "a value of something else, not",
      turns: ["I had tea with Ann at the lake.", "Actually, I'd like coffee in the morning, not tea."],
      over: [],
      live: ["tea with Ann"],
    },
    { name: "a question", turns: ["My piano lesson is on Monday.", "Did I say Tuesday or Monday?"], over: [], live: ["Monday"] },
  ])("ends nothing: $name", (scene) => plays(scene, MINUTE));
});

describe("a correction on another day", () => {
  it.each<Scene>([
    {
      name: "with what is wrong",
      turns: ["My sister Ana works in Porto.", "Actually, my sister Ana works in Lisbon, not Porto."],
      over: ["in Porto."],
      live: ["Lisbon"],
    },
    {
      name: "of every copy",
      turns: [
        "The harbour meeting is in room 204.",
        "I told Eva that the harbour meeting is in room 204, upstairs.",
        "The harbour meeting is in room 240, not 204.",
      ],
      over: ["in room 204.", "in room 204, upstairs"],
      live: ["240"],
    },
    {
      name: "not Y but X",
      turns: ["Halyard's release manager is Bertil.", "Halyard's release manager is not Bertil but Nanna."],
      over: ["is Bertil."],
      live: ["Nanna"],
    },
    {
      name: "not of another subject with the same value",
      turns: ["My brother Karl lives in Porto.", "The office retreat is in Faro, not Porto."],
      over: [],
      live: ["Karl lives in Porto"],
    },
    {
      name: "a general statement ends no specific one",
      turns: ["My train to Leiden on Friday leaves at 9:15.", "I usually take trains in the morning."],
      over: [],
      live: ["9:15", "usually"],
    },
  ])("$name", (scene) => plays(scene, DAY));

  it("is another person's own business", async () => {
    const memory = await open({ timeZone: "UTC" });
    await memory.record({ messages: [{ role: "user", name: "Ann", text: "My dentist is in Kirchgasse.", at: MAY }] });
    await memory.record({
      messages: [
        { role: "user", name: "Bob", text: "Actually, my dentist is in Bahnhofstrasse, not Kirchgasse.", at: MAY + DAY },
      ],
    });
    expect((await texts(memory)).over).toEqual([]);
  });
});

describe("what is withdrawn", () => {
  it.each<Scene>([
    {
      name: "a guess",
      turns: [
        "Name lookups fail. My first guess is that the router is broken.",
        "Checked: the router answers fine, so scrap that guess. The culprit was the VPN client on port 53.",
      ],
      over: ["My first guess"],
      live: ["Name lookups fail", "VPN client"],
    },
    {
      name: "a theory",
      turns: ["I suspect the pump is leaking.", "I checked the cellar, it is dry. Forget that theory, it was rain."],
      over: ["suspect the pump"],
      live: ["cellar"],
    },
    { name: "scratch that", turns: ["The spare key is with Marta.", "Scratch that."], over: ["Marta"], live: [] },
    { name: "I take that back", turns: ["The soup at Lola's was salty.", "I take that back."], over: ["salty"], live: [] },
    {
      name: "by name",
      turns: ["I'm learning the accordion.", "I bought six tulip bulbs.", "Forget what I said about the accordion."],
      over: ["accordion"],
      live: ["tulip"],
    },
    { name: "a joke", turns: ["I own a yacht in Monaco.", "Just kidding."], over: ["yacht"], live: [] },
    { name: "German", turns: ["Der Schlüssel ist bei Marta.", "Vergiss das, bitte."], over: ["bei Marta"], live: [] },
    { name: "Chinese", turns: ["备用钥匙在王芳那里。", "当我没说。"], over: ["王芳"], live: [] },
  ])("is over: $name", (scene) => plays(scene, MINUTE));

  it.each<Scene>([
    {
      name: "don't forget that",
      turns: ["The spare key is with Marta.", "Don't forget that she is away in July."],
      over: [],
      live: ["Marta"],
    },
    { name: "I forget that", turns: ["The spare key is with Marta.", "I forget that all the time."], over: [], live: ["Marta"] },
    { name: "another session's", turns: ["The spare key is with Marta."], over: [], live: ["Marta"] },
  ])("is nothing: $name", (scene) => plays(scene, MINUTE));

  it("in one breath is not stored", async () => {
    const memory = await open({ timeZone: "UTC" });
    const { stored, refused } = await memory.record({
      user: "I'll take the bus on Friday. Scratch that, Karl drives me on Friday.",
      at: MAY,
    });
    expect(stored.map(({ text }) => text)).toEqual([expect.stringMatching(/^Scratch that, Karl drives me/)]);
    expect(refused).toContainEqual({ text: "I'll take the bus on Friday.", reason: "withdrawn" });
    expect((await memory.record({ user: "I own a yacht. Just kidding.", at: MAY + MINUTE })).stored).toEqual([]);
  });

  it("is not what was said in another session", async () => {
    const { over, live } = await texts(await told(["The spare key is with Marta.", "Scratch that."], DAY));
    expect(over).toEqual([]);
    expect(live).toEqual(["The spare key is with Marta."]);
  });
});

describe("a value that becomes true again", () => {
  it.each([
    ["I live in Leiden near the canal.", "Actually, I live in Delft near the canal, not Leiden."],
    ["My choir meets on Monday at the church.", "Actually, my choir meets on Tuesday at the church, not Monday."],
    ["The lake house key is under the blue pot.", "Actually, the lake house key is under the red pot, not the blue pot."],
    ["My editor at the press is Nanna.", "Actually, my editor at the press is Bertil, not Nanna."],
    ["I take my tea with two sugars.", "Actually, I take my tea with one sugar, not two."],
  ])("is a new period: %j", async (first, then) => {
    const memory = await told([first, then, first], 30 * DAY);
    const entries = await entriesOf(memory);
    const same = entries.filter(({ text }) => text === first);
    expect(same.map(({ validTo }) => validTo).sort()).toEqual([MAY + 30 * DAY, undefined]);
    expect(same.every(({ evidence }) => evidence === 1)).toBe(true);
  });
});

describe("two statements one denial apart", () => {
  it.each([
    ["Deploys of Halyard are allowed on Fridays.", "Deploys of Halyard are not allowed on Fridays."],
    ["The pool key may be lent to neighbours.", "The pool key may not be lent to neighbours."],
    ["Karl eats shellfish at parties.", "Karl never eats shellfish at parties."],
    ["Hunde sind im Hof erlaubt.", "Hunde sind im Hof nicht erlaubt."],
    ["院子里可以养狗。", "院子里不可以养狗。"],
  ])("are two, and the newer is told first: %j", async (older, newer) => {
    const memory = await told([older, newer], 30 * DAY);
    const entries = await entriesOf(memory);
    expect(entries.map(({ text }) => text)).toEqual([newer, older]);
    expect(entries[1]?.validTo).toBeUndefined();
    const { items } = await memory.recall(`Is it so now: ${older}`, { at: MAY + 90 * DAY });
    expect(items[0]?.text).toBe(newer);
  });
});

describe("a rule's guess", () => {
  it("is a mark with a pointer that hides nothing, and a person settles it", async () => {
    const memory = await told(
      [
        "I take my dog Otto for a walk at 7:30 am with the red leash.",
        "I take my dog Otto for a walk at 6:15 am with the red leash now.",
      ],
      30 * DAY,
    );
    const [newer, older] = await entriesOf(memory);
    expect(older).toMatchObject({ maybeUntil: { by: newer?.id, at: MAY + 30 * DAY } });
    expect(older?.validTo).toBeUndefined();
    const recall = await memory.recall("When do I walk Otto?", { at: MAY + 90 * DAY });
    expect(recall.items.map(({ entryId }) => entryId)).toEqual([newer?.id, older?.id]);
    expect(recall.text).toContain("(until? 2026-06-06)");
    expect((await memory.stats()).writing).toMatchObject({ marked: 1, superseded: 0 });
    if (!older) throw new Error("nothing is marked");
    expect((await memory.update(older.id, { validTo: MAY + 30 * DAY })).maybeUntil).toBeUndefined();
    expect((await memory.get(older.id))?.supersededBy).toBe(newer?.id);
    expect((await memory.undo(older.id)).entry.maybeUntil).toBeDefined();
    expect((await memory.undo(older.id)).entry.maybeUntil).toBeUndefined();
  });
});

/** What a person's wishes, roles and secrets make of what is stored. */

import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/memory-handle.js";
import { entriesOf, openedMemories } from "./opened.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;
const MARK = "(role-play, not about the user) ";
const { open } = openedMemories();

async function told(turns: readonly string[], memory?: Memory): Promise<Memory> {
  const opened = memory ?? (await open({ timeZone: "UTC" }));
  for (const [index, user] of turns.entries()) await opened.record({ user, at: MAY + index * MINUTE });
  return opened;
}

const textsOf = async (memory: Memory): Promise<string[]> => (await entriesOf(memory)).map(({ text }) => text).reverse();

describe("what is said in a declared role", () => {
  it.each([
    [
      "Let's do a mock interview: I'm playing the applicant and my name is Otto Blank.",
      "I worked for 12 years at a bank in Basel.",
      "Okay, back to me.",
    ],
    ["Pretend I am a pirate captain called Redbeard.", "My ship lies at Tortuga with 40 men.", "End of the role-play."],
    ["Let's role-play a sales call. I'm the customer, Gerda Holm.", "I have a budget of 900 euros.", "Scene over."],
    ["Can we rehearse my pitch? I'll be the investor.", "I own three castles in Wales.", "Stop role-playing, please."],
    [
      "Lass uns ein Rollenspiel machen: Ich spiele einen Kunden namens Falk.",
      "Ich wohne in einer Villa in Lugano.",
      "Rollenspiel vorbei.",
    ],
    ["我们来角色扮演，我演一个叫李强的顾客。", "我住在卢加诺的别墅里。", "角色扮演结束。"],
  ])("is about the role, until it ends: %j", async (declares, inside, ends) => {
    const memory = await told(["I sell bicycles in Leiden.", declares, inside, ends, "I still sell bicycles and skates."]);
    const texts = await textsOf(memory);
    expect(texts[0]).toBe("I sell bicycles in Leiden.");
    expect(texts.at(-1)).toBe("I still sell bicycles and skates.");
    expect(texts).toContainEqual(expect.stringContaining(inside));
    for (const text of texts.slice(1, -1)) expect(text.startsWith(MARK)).toBe(true);
    const played = (await entriesOf(memory)).find(({ text }) => text.includes(inside));
    expect(played).toMatchObject({ subject: "role-play", tags: expect.arrayContaining(["role-play"]) });
    expect(played?.sources.length).toBeGreaterThan(1);
  });

  it.each([
    "I play the piano in a bar on Fridays.",
    "I play tennis with Karl.",
    "My daughter plays a pirate in the school play.",
    "We rehearse with the choir on Mondays.",
    "I'm a customer of the bank in Kirchgasse.",
    "I was pretending to sleep when she came home.",
  ])("is not declared by %j", async (sentence) => {
    const texts = await textsOf(await told([sentence, "My villa is in Lugano."]));
    expect(texts.some((text) => text.startsWith(MARK))).toBe(false);
  });

  it("goes on over more turns than are held, over a reload, and no session further", async () => {
    const memory = await told(["Pretend I am a pirate captain called Redbeard."]);
    for (let index = 0; index < 40; index++)
      await memory.record({ user: `I sank ship number ${index} off Tortuga.`, at: MAY + 2 * MINUTE });
    await memory.close();
    const again = await open({ timeZone: "UTC" });
    await again.record({ user: "I buried 300 coins on the beach.", at: MAY + 3 * MINUTE });
    await again.record({ user: "I sell bicycles in Leiden.", at: MAY + 2 * DAY });
    const texts = await textsOf(again);
    expect(texts).toContain(`${MARK}I buried 300 coins on the beach.`);
    expect(texts).toContain("I sell bicycles in Leiden.");
  });

  it("answers after what was meant, and first where the role is asked for", async () => {
    const memory = await told([
      "I'm Priyanka and I live in Pune.",
      "Pretend I am a pirate captain.",
      "My name is Redbeard and I live on Tortuga.",
    ]);
    const first = async (question: string): Promise<string> =>
      (await memory.recall(question, { at: MAY + DAY })).items[0]?.text ?? "";
    expect(await first("Where do I live?")).toBe("I'm Priyanka and I live in Pune.");
    expect(await first("Where did my pirate character live in the role-play?")).toContain(MARK);
    expect(await first("Where does captain Redbeard live?")).toContain("Tortuga");
  });
});

describe("what the person asks to be kept", () => {
  it.each([
    "Remember that my locker is number 42.",
    "Please remember: I park on level 3.",
    "Note that the gate closes at nine.",
    "Don't forget that I am allergic to nuts.",
    "Keep in mind that Karl is away in July.",
    "Merk dir, dass ich freitags frei habe.",
    "Recuerda que soy alérgica a las nueces.",
    "记住我对花生过敏。",
  ])("is stored and never evicted: %j", async (sentence) => {
    const [entry] = await entriesOf(await told([sentence]));
    expect(entry).toMatchObject({ pinned: true, salience: 1 });
    expect(entry?.sources[0]?.quote).toContain(sentence.replace(/[.。]$/u, ""));
  });

  it.each(["Remember when we went to Porto?", "I remember that day well.", "Remember to breathe, they say."])(
    "is not %j",
    async (sentence) => {
      expect((await entriesOf(await told([sentence]))).some(({ pinned }) => pinned)).toBe(false);
    },
  );
});

describe("a secret", () => {
  it("is in no entry, vector or neighbour's words, and in the reply that repeats it neither", async () => {
    const memory = await open({ timeZone: "UTC" });
    await memory.record({ user: "I keep the router in the hall.", at: MAY });
    const { refused } = await memory.record({
      user: "The password for the router is Tr0ub4dor&3, and it hangs by the door.",
      assistant: "I see, Tr0ub4dor&3 it is, I have noted that for the router in the hall.",
      at: MAY + MINUTE,
    });
    await memory.record({ user: "The router is a grey Halyard 7.", at: MAY + 2 * MINUTE });
    expect(refused.filter(({ reason }) => reason === "secret")).toHaveLength(2);
    expect(JSON.stringify(refused)).not.toContain("Tr0ub4dor");
    const entries = await entriesOf(memory);
    expect(JSON.stringify(entries)).not.toContain("Tr0ub4dor");
    expect(entries.some(({ text }) => text.includes("[secret left out], and it hangs by the door"))).toBe(true);
    expect((await memory.conversation("default").history()).map(({ text }) => text).join()).toContain("Tr0ub4dor&3");
  });

  it("leaves neighbours' words that a forgetting still finds", async () => {
    const memory = await open({ timeZone: "UTC" });
    const { stored } = await memory.record({ user: "The password for the zither club is Tr0ub4dor&3.", at: MAY });
    await memory.record({ user: "I have a grey cat called Otto.", at: MAY + MINUTE });
    await memory.forget({ entryIds: stored.map(({ id }) => id) });
    expect(JSON.stringify(await entriesOf(memory))).not.toContain("zither");
  });
});

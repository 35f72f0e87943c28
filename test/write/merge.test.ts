import { describe, expect, it } from "vitest";
import type { ConversationId, Entry, EntryId, Source, TurnId } from "../../src/types.js";
import { isLive, merged, moreTelling } from "../../src/write/merge.js";
import { isSame, type SaidSentence } from "../../src/write/same.js";

const DAY = 86_400_000;
const MAY = Date.parse("2023-05-08T12:00Z");
const vector = Float32Array.of(1, 0);
/** Sentences whose cosine is 1, so that only the words can keep them apart. */
const said = (text: string, saidAt = MAY): SaidSentence => ({ text, saidAt, vector });
const source = (turnId: string, quote: string): Source => ({ turnId: turnId as TurnId, role: "user", quote });

function entry(text: string, patch: Partial<Entry> = {}): Entry {
  return {
    id: "e1" as EntryId,
    conversationId: "c" as ConversationId,
    revision: 1,
    subject: "user",
    text,
    indexText: text,
    kind: "fact",
    tags: [],
    saidAt: MAY,
    createdAt: MAY,
    validFrom: MAY,
    sources: [source("t1", text)],
    identifiers: [],
    salience: 0.4,
    evidence: 1,
    sessionId: "s",
    ...patch,
  };
}

describe("two sentences that say the same", () => {
  it.each([
    ["I live in Leiden.", "i live  in Leiden!"],
    ["I live in Leiden with my cat Otto.", "I live in Leiden with my cat Otto, you know."],
    ["My order KX-40718 came to 20 euros.", "My order KX-40718 came to 20 euros in the end."],
    ["I never eat mushrooms.", "I never eat mushrooms at all."],
    ["我住在莱顿。", "我住在莱顿！"],
  ])("%j and %j", (a, b) => {
    expect(isSame(said(a), said(b), "UTC")).toBe(true);
    expect(isSame(said(b), said(a), "UTC")).toBe(true);
  });
});

describe("two sentences that differ", () => {
  it.each([
    ["in a denial", "I live in Leiden.", "I do not live in Leiden."],
    ["in what is denied", "I don't like tea, I like coffee.", "I like tea, I don't like coffee."],
    ["in a digit", "The gate code is 40718.", "The gate code is 40719."],
    ["in a number of words", "I have three cats at home.", "I have four cats at home."],
    ["in an identifier", "My locker is A-17 now.", "My locker is A-71 now."],
    ["in a name", "I met Ana at the lake house.", "I met Eva at the lake house."],
    ["in a name that opens", "Kim plays the viola in our quartet.", "Tom plays the viola in our quartet."],
    ["in the order of names", "Ann gave Bob the spare keys.", "Bob gave Ann the spare keys."],
    ["in the order of things", "I prefer tea to coffee.", "I prefer coffee to tea."],
    ["in a wish", "I bought a red kayak.", "I want to buy a red kayak."],
    ["in a guess", "The router is broken.", "I guess the router is broken."],
    ["in tense", "I live in Leiden.", "I lived in Leiden."],
    ["in a weekday", "Choir practice is on Monday.", "Choir practice is on Tuesday."],
    ["in the time of the day", "The ferry leaves at 9:15.", "The ferry leaves at 9:45."],
    ["in one word that is replaced", "The kitchen lamp is broken.", "The bathroom lamp is broken."],
    ["in a Chinese denial", "我喜欢香菜。", "我不喜欢香菜。"],
    ["in a Chinese number", "我有三只猫。", "我有四只猫。"],
    ["in a German denial", "Ich esse Fleisch am Abend.", "Ich esse kein Fleisch am Abend."],
  ])("%s are two", (_, a, b) => {
    expect(isSame(said(a), said(b), "UTC")).toBe(false);
    expect(isSame(said(b), said(a), "UTC")).toBe(false);
  });

  it("in the day that they were said on are two where they speak of that day", () => {
    for (const text of ["I ran yesterday.", "I just ran home.", "Today I am tired.", "Nos vimos hoy."])
      expect(isSame(said(text), said(text, MAY + 3 * DAY), "UTC")).toBe(false);
    expect(isSame(said("I run a lot."), said("I run a lot.", MAY + 3 * DAY), "UTC")).toBe(true);
  });

  it("are two without vectors, unless they are word for word the same", () => {
    const bare = (text: string): SaidSentence => ({ text, saidAt: MAY });
    expect(isSame(bare("I like tea."), bare("I like tea"), "UTC")).toBe(true);
    expect(isSame(bare("I like tea a lot."), bare("I like tea."), "UTC")).toBe(false);
    expect(isSame(bare("..."), bare("!"), "UTC")).toBe(false);
  });
});

describe("joining what is said twice", () => {
  it("tells which of two says more", () => {
    const one = [said("I like tea.")];
    const two = [said("I like tea."), said("I have a dog.")];
    expect(moreTelling(two, one, "UTC")).toBe("first");
    expect(moreTelling(one, two, "UTC")).toBe("second");
    expect(moreTelling(one, [said("I like tea a lot.")], "UTC")).toBe("second");
    expect(moreTelling(two, [said("I like tea."), said("I have a cat.")], "UTC")).toBeUndefined();
    expect(moreTelling([], one, "UTC")).toBeUndefined();
  });

  it("adds the sources, the identifiers, the times and one piece of evidence, and can be taken apart", () => {
    const window = { from: 0, to: 10 };
    const before = entry("Box 0042 is mine.", { identifiers: ["0042"], mentions: [window] });
    const again = entry("Box 0042 is mine, KX-1.", {
      id: "e2" as EntryId,
      identifiers: ["0042", "KX-1"],
      mentions: [window, { from: 20, to: 30 }],
      salience: 0.9,
      saidAt: MAY + DAY,
      sources: [source("t2", "Box 0042 is mine, KX-1.")],
    });
    const joined = merged(before, again, "second", MAY + DAY);
    expect(joined).toMatchObject({
      id: "e1",
      text: "Box 0042 is mine, KX-1.",
      evidence: 2,
      identifiers: ["0042", "KX-1"],
      mentions: [window, { from: 20, to: 30 }],
      salience: 0.9,
      saidAt: MAY,
      lastSaidAt: MAY + DAY,
    });
    expect(joined.sources.map(({ turnId }) => turnId)).toEqual(["t2", "t1"]);
    expect(joined.changes).toMatchObject([
      { kind: "merged", before: { text: "Box 0042 is mine.", evidence: 1 }, said: { id: "e2" } },
    ]);
    expect(merged(before, again, "first", MAY).text).toBe("Box 0042 is mine.");
  });

  it("counts one turn once, however often it comes", () => {
    const known = entry("I like tea.");
    expect(merged(known, entry("I like tea.", { id: "e2" as EntryId }), "first", MAY)).toBe(known);
  });

  it("takes in nothing that is over, or may be", () => {
    expect(isLive(entry("I live in Leiden."))).toBe(true);
    expect(isLive(entry("I live in Leiden.", { validTo: MAY }))).toBe(false);
    expect(isLive(entry("I live in Leiden.", { maybeUntil: { by: "e2" as EntryId, at: MAY } }))).toBe(false);
  });
});

/** The oracles of the write evaluation, against values worked out by hand. */

import { describe, expect, it } from "vitest";
import type { DatasetMemory } from "../../eval/data/dataset.js";
import { duplicatesAmong } from "../../eval/write/duplicates.js";
import { inventedIn, misquoted } from "../../eval/write/facts.js";
import { updateOf } from "../../eval/write/updates.js";
import type { Embedder } from "../../src/ports.js";
import type { Entry, Source } from "../../src/types.js";
import { entryOf } from "../retrieve/entries.js";

const AT = Date.parse("2023-05-08T12:00:00Z");
const source = (turnId: string, quote: string): Source => ({ turnId: turnId as Source["turnId"], role: "user", quote });
const saidAt = (): number => AT;

describe("facts of an entry", () => {
  const sources = [source("t1", "I met Ines in Porto yesterday.")];

  it("are borne out by its quotes and by the dates that they tell", () => {
    expect(inventedIn({ text: "I met Ines in Porto yesterday (7 May 2023).", sources }, saidAt)).toEqual([]);
  });

  it("are invented where no quote has them", () => {
    expect(inventedIn({ text: "I met Ines in Lisbon, 3 times.", sources }, saidAt)).toEqual(["Lisbon", "3"]);
    expect(inventedIn({ text: "I met Ines in Porto yesterday (6 May 2023).", sources }, saidAt)).toEqual(["6", "May", "2023"]);
  });

  it("are quoted to the letter, but for what was left out of them", () => {
    const text = "The key is hunter2 and the door is red.";
    const read = (): string => text;
    expect(misquoted([source("t", "the door is red")], read)).toEqual([]);
    expect(misquoted([source("t", "The key is [secret left out] and the door")], read)).toEqual([]);
    expect(misquoted([source("t", "the door is Red")], read)).toHaveLength(1);
  });
});

describe("duplicates", () => {
  /** Everything means the same. */
  const embedder: Embedder = {
    id: "one",
    dimension: 1,
    embed: async (texts) => new Float32Array(texts.length).fill(1),
    close: async () => undefined,
  };

  it("are entries that differ in no number, name or denial from an earlier one that holds", async () => {
    const texts = ["I like tea.", "I do like tea.", "I do not like tea.", "I like 2 teas.", "I like Assam tea."];
    const entries = texts.map((text, at): Entry => entryOf(text, { id: `e${at}` as Entry["id"] }));
    expect((await duplicatesAmong(entries, embedder)).map(({ text }) => text)).toEqual(["I do like tea."]);
  });
});

describe("updates", () => {
  const turn = (id: string, sessionId: string) => ({ id, sessionId, role: "user" as const, text: id, at: AT });
  const data: DatasetMemory = {
    id: "m",
    turns: [turn("old", "1"), turn("other", "2"), turn("new", "3")],
    questions: [],
  };
  const question = {
    id: "q",
    text: "Where do I live now?",
    category: "knowledge-update",
    evidence: ["old", "new"],
    askedAt: AT,
    adversarial: false,
    answer: "",
  };
  const stored = (id: string, patch: Partial<Entry> = {}) => ({
    ...entryOf(id, { id: id as Entry["id"], sources: [source(id, id)], ...patch }),
    usage: { accessCount: 0, lastAccessedAt: 0 },
  });

  it("come newest first, and mark the older value", () => {
    const marked = stored("old", { maybeUntil: { by: "new" as Entry["id"], at: AT } });
    const entries = [marked, stored("new")];
    expect(updateOf(data, question, entries, [stored("other"), stored("new"), marked])).toEqual({ newestFirst: 1, oldMarked: 1 });
    expect(updateOf(data, question, [stored("old")], [stored("old"), stored("new")])).toEqual({ newestFirst: 0, oldMarked: 0 });
  });

  it("are not asked for newest first where the older value is wanted", () => {
    const before = { ...question, text: "Where did I live before?" };
    expect(updateOf(data, before, [stored("old")], [stored("old")])).toEqual({ oldMarked: 0 });
  });

  it("need an older value", () => {
    expect(updateOf(data, { ...question, evidence: ["new"] }, [], [])).toBeUndefined();
  });
});

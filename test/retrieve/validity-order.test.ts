import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/ports.js";
import { decidePlayedLast, ROLE_TAG } from "../../src/retrieve/played-last.js";
import { LiteSelector } from "../../src/retrieve/selector.js";
import { orderByValidity } from "../../src/retrieve/validity-order.js";
import type { Entry, EntryId, Plan } from "../../src/types.js";
import { entryOf as made } from "./entries.js";

const NOW = 100;
const entryOf = (id: string, changes: Partial<Entry> = {}): Entry =>
  made(id, { id: id as EntryId, saidAt: 0, sessionId: id, ...changes });
const plan = (asksPresent: boolean): Plan => ({ queries: [], windows: [], people: [], answerType: "what", asksPresent });
const candidate = (entry: Entry): Candidate => ({ entry, score: 1, features: {} });

function orderOf(
  text: string,
  entries: readonly Entry[],
  elsewhere: readonly Entry[] = [],
  k = 10,
  asksPresent = true,
): string[] {
  const candidates = entries.map(candidate);
  const selected = entries.map((_, index) => ({ index, score: 1 - index / 10 }));
  const find = (id: EntryId): Entry | undefined => elsewhere.find((entry) => entry.id === id);
  const ordered = orderByValidity({ text, plan: plan(asksPresent), now: NOW, k }, candidates, selected, find);
  expect(ordered.selected.map(({ score }) => score)).toEqual(
    [...ordered.selected.map(({ score }) => score)].sort((a, b) => b - a),
  );
  return ordered.selected.map(({ index }) => (ordered.candidates[index] as Candidate).entry.id);
}

const older = entryOf("older", { saidAt: 10, validTo: 20, supersededBy: "newer" as EntryId });
const newer = entryOf("newer", { saidAt: 20 });
const other = entryOf("other", { saidAt: 15 });

describe("the order of what holds and what is over", () => {
  it("puts a correction in the place of what it corrects, also one that the words did not find", () => {
    expect(orderOf("Where is my dentist?", [older, other, newer])).toEqual(["newer", "other", "older"]);
    expect(orderOf("Where is my dentist?", [older, other], [newer])).toEqual(["newer", "other", "older"]);
    expect(orderOf("My dentist", [older, other], [newer], 10, false)).toEqual(["newer", "older", "other"]);
  });

  it("keeps to k", () => {
    expect(orderOf("Where is my dentist?", [older, other], [newer], 2)).toEqual(["newer", "other"]);
  });

  it("leaves questions after the past as they are", () => {
    for (const question of [
      "Where was my dentist before?",
      "Where did I use to live?",
      "What was my first job?",
      "我以前住在哪里？",
    ])
      expect(orderOf(question, [older, other, newer])).toEqual(["older", "other", "newer"]);
    expect(orderOf("How old is my dentist?", [older, other, newer])[0]).toBe("newer");
  });

  it("takes a rule's mark for no more than an order of two that were both found", () => {
    const marked = entryOf("marked", { saidAt: 10, maybeUntil: { by: "newer" as EntryId, at: 20 } });
    expect(orderOf("When do I run?", [marked, other, newer])).toEqual(["newer", "marked", "other"]);
    expect(orderOf("When do I run?", [marked, other], [newer])).toEqual(["marked", "other"]);
  });

  it("knows nothing of what was said later than the question", () => {
    const future = entryOf("older", { saidAt: 10, validTo: NOW + 1, supersededBy: "newer" as EntryId });
    expect(orderOf("Where is my dentist?", [future, other, entryOf("newer", { saidAt: NOW + 1 })])).toEqual([
      "older",
      "other",
      "newer",
    ]);
  });

  it("puts what took back a part before the rest", () => {
    const rest = entryOf("rest", { saidAt: 10, amendedBy: "newer" as EntryId });
    expect(orderOf("What broke?", [rest, newer], [], 10, false)).toEqual(["newer", "rest"]);
  });
});

describe("what was said in a role", () => {
  const features = (score: number): Candidate["features"] => ({ score, coverage: 0.5, sentence: 0.9 });
  const played: Candidate = {
    entry: entryOf("played", { tags: [ROLE_TAG], text: "My name is Corvin." }),
    score: 1,
    features: features(1.5),
  };
  const meant: Candidate = { entry: entryOf("meant", { text: "I live in Pune." }), score: 0.5, features: features(0.2) };
  const decide = (text: string): string[] => {
    const candidates = [played, meant];
    const { selected, decisions } = decidePlayedLast(new LiteSelector(), { text, plan: plan(true), candidates, k: 5 });
    expect(decisions).toHaveLength(2);
    return selected.map(({ index }) => (candidates[index] as Candidate).entry.id);
  };

  it("comes after what was meant", () => {
    expect(decide("What is my name?")).toEqual(["meant", "played"]);
  });

  it("comes by its score where the role is asked for, as such or by a name", () => {
    expect(decide("What was my name in the role-play?")[0]).toBe("played");
    expect(decide("Who is the customer Corvin?")[0]).toBe("played");
  });

  it("stands alone where nothing else is there", () => {
    const { selected } = decidePlayedLast(new LiteSelector(), {
      text: "What is my name?",
      plan: plan(true),
      candidates: [played],
      k: 5,
    });
    expect(selected.map(({ index }) => index)).toEqual([0]);
  });
});

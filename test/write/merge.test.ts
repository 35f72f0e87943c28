import { describe, expect, it } from "vitest";
import type { Statement } from "../../src/ports.js";
import type { ConversationId, Entry, EntryId, Source, TurnId } from "../../src/types.js";
import { findDuplicate, mergeSources } from "../../src/write/merge.js";

const source = (turnId: string, quote: string): Source => ({ turnId: turnId as TurnId, role: "user", quote });

function statement(text: string, patch: Partial<Statement> = {}): Statement {
  return {
    turnId: "t2" as TurnId,
    subject: "user",
    text,
    indexText: text,
    kind: "fact",
    tags: [],
    saidAt: 2,
    sources: [source("t2", text)],
    identifiers: [],
    salience: 0.5,
    ...patch,
  };
}

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
    saidAt: 1,
    createdAt: 1,
    validFrom: 1,
    sources: [source("t1", text)],
    identifiers: [],
    salience: 0.4,
    evidence: 1,
    sessionId: "s",
    ...patch,
  };
}

describe("joining what is said twice", () => {
  it("finds the entry that says the same but for case, spacing and marks", () => {
    const known = entry("I live in Leiden.");
    expect(findDuplicate(statement("i live  in Leiden!"), [entry("I like tea."), known])).toBe(known);
  });

  it.each([["I do not live in Leiden."], ["I live in Leiden 2."], ["I live in Delft."], ["I lived in Leiden."]])(
    "takes %j for another statement",
    (text) => {
      expect(findDuplicate(statement(text), [entry("I live in Leiden.")])).toBeUndefined();
    },
  );

  it("takes yesterday on two days for two events", () => {
    expect(findDuplicate(statement("I ran yesterday (8 May 2023)."), [entry("I ran yesterday (7 May 2023).")])).toBeUndefined();
  });

  it("never joins what two people say, nor what is over", () => {
    expect(findDuplicate(statement("I live in Leiden."), [entry("I live in Leiden.", { subject: "Ann" })])).toBeUndefined();
    expect(findDuplicate(statement("I live in Leiden."), [entry("I live in Leiden.", { validTo: 5 })])).toBeUndefined();
    expect(findDuplicate(statement("..."), [entry("!")])).toBeUndefined();
  });

  it("adds the sources, the identifiers, the times and one piece of evidence", () => {
    const window = { from: 0, to: 10 };
    const merged = mergeSources(
      entry("Box 0042 is mine.", { identifiers: ["0042"], mentions: [window] }),
      statement("Box 0042 is mine.", { identifiers: ["0042", "KX-1"], mentions: [window, { from: 20, to: 30 }], salience: 0.9 }),
    );
    expect(merged.evidence).toBe(2);
    expect(merged.sources.map(({ turnId }) => turnId)).toEqual(["t1", "t2"]);
    expect(merged.identifiers).toEqual(["0042", "KX-1"]);
    expect(merged.mentions).toEqual([window, { from: 20, to: 30 }]);
    expect(merged.salience).toBe(0.9);
    expect(merged.saidAt).toBe(1);
  });

  it("counts one turn once, however often it comes", () => {
    const known = entry("I like tea.");
    const once = mergeSources(known, statement("I like tea."));
    expect(mergeSources(once, statement("I like tea."))).toBe(once);
  });
});

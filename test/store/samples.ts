/** Rows of our own making for the store's tests, with unmistakable defaults. */
import type { EdgeType, StoredEdge, StoredNode, StoreWrite, VectorSpace } from "../../src/ports.js";
import type { ConversationId, Entry, EntryId, Turn, TurnId, UserId } from "../../src/types.js";

export const entryId = (id: string) => id as EntryId;
export const turnId = (id: string) => id as TurnId;
export const userId = (id: string) => id as UserId;
export const conversationId = (id: string) => id as ConversationId;

export const SPACE: VectorSpace = { id: "static-1", dimension: 4 };

/** A turn that says `text`. */
export function turn(id: string, text = `said in ${id}`, conversation = "default"): Omit<Turn, "sequence"> {
  return {
    id: turnId(id),
    conversationId: conversationId(conversation),
    sessionId: "session",
    role: "user",
    text,
    at: 1_780_000_000_000,
    recordedAt: 1_780_000_000_500,
  };
}

/** An entry that shows and indexes `text`. */
export function entry(id: string, text = `what ${id} holds`): Omit<Entry, "revision"> {
  return {
    id: entryId(id),
    conversationId: conversationId("default"),
    subject: "user",
    text,
    indexText: text,
    kind: "fact",
    tags: ["tea"],
    eventTime: { from: 1_779_000_000_000, to: 1_779_086_400_000 },
    saidAt: 1_780_000_000_000,
    createdAt: 1_780_000_000_500,
    validFrom: 1_780_000_000_000,
    sources: [{ turnId: turnId(`turn of ${id}`), role: "user", quote: text }],
    identifiers: ["A-17"],
    salience: 0.5,
    evidence: 1,
    sessionId: "session",
  };
}

/** A general concept, found by its id. */
export function node(id: string, given: Partial<StoredNode> = {}): StoredNode {
  return {
    id,
    type: "Concept",
    name: id,
    statement: `what ${id} is`,
    confidence: 0.5,
    scope: "general",
    terms: [id],
    createdAt: 1_780_000_000_000,
    cycle: 0,
    ...given,
  };
}

export function edge(from: string, type: EdgeType, to: string, confidence = 0.5): StoredEdge {
  return { from, type, to, confidence };
}

/** `count` rows of SPACE; row r is [value, r, value, r]. */
export function rows(value: number, count = 1): Float32Array {
  const flat = new Float32Array(count * SPACE.dimension);
  for (let row = 0; row < count; row++) flat.set([value, row, value, row], row * SPACE.dimension);
  return flat;
}

/** Entries with `rowsOf(n)` vectors each, in one write; ids sort by number. */
export function entriesWithVectors(from: number, to: number, rowsOf: (number: number) => number = () => 1): StoreWrite {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  return {
    entries: numbers.map((number) => entry(numbered(number))),
    vectors: {
      space: SPACE,
      of: numbers.map((number) => ({ entryId: entryId(numbered(number)), rows: rows(number, rowsOf(number)) })),
    },
  };
}

/** "e00007" for 7. */
export function numbered(number: number): string {
  return `e${String(number).padStart(5, "0")}`;
}

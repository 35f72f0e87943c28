/** Rows of a backup as they would be with one of their fields wrong. */

import type { BackupRow } from "../../src/backup/format.js";
import { entryOf } from "../retrieve/entries.js";

/** Stands for a field that is not there. */
const MISSING = Symbol("missing");
const WRONG: readonly unknown[] = [
  MISSING,
  null,
  true,
  false,
  -1,
  0.5,
  8.64e15,
  -1e300,
  1e300,
  Number.MAX_SAFE_INTEGER,
  "",
  "soon",
  [],
  [null],
  {},
  { from: "x", toString: 5 },
  "constructor",
];

/** For what lies so deep that it is of a shape which is tried out elsewhere too. */
const WRONG_BELOW: readonly unknown[] = [MISSING, null, -1e300, "soon", {}];
const DEEP = 4;

export interface Mutation {
  /** Such as "entry.context.previous: 5". */
  readonly name: string;
  /** @param value of the same shape */
  readonly of: <T>(value: T) => T;
}

/** Turns each field of a row, however deep, to each of the wrong values. */
export function* mutationsOf(shape: unknown): Generator<Mutation> {
  for (const path of pathsIn(shape))
    for (const value of path.length > DEEP ? WRONG_BELOW : WRONG)
      yield {
        name: `${path.join(".")}: ${typeof value === "symbol" ? "missing" : JSON.stringify(value)}`,
        of: <T>(one: T) => changed(one, path, value) as T,
      };
}

function* pathsIn(value: unknown, before: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  for (const [key, one] of Object.entries(value)) {
    yield [...before, key];
    yield* pathsIn(one, [...before, key]);
  }
}

function changed(value: unknown, [key = "", ...rest]: readonly string[], to: unknown): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length > 0) copy[key] = changed(copy[key], rest, to);
  else if (to === MISSING) delete copy[key];
  else copy[key] = to;
  return copy;
}

const MAY = Date.UTC(2026, 4, 7, 12);

/** What waits for consolidation. */
export const WAITING = {
  evicted: { runs: [{ key: "evicted:4", at: MAY, count: 1 }], next: 5 },
  "evicted:4": [{ ...entryOf("I sold the violin."), evictedAt: MAY }],
};

/** One row of each kind with every field that it can have, about violin number `n`; the last is of the graph. */
export function fullRows(n: number): readonly BackupRow[] {
  const text = `I keep violin ${n} in the attic of house ${n}.`;
  const source = { turnId: `turn ${n}` as never, role: "user", speaker: "Ann", quote: text } as const;
  const eventTime = { from: MAY, to: MAY + 1 };
  const version = {
    text,
    indexText: text,
    kind: "fact",
    tags: ["violin"],
    sources: [source],
    identifiers: ["4417-B"],
    salience: 0.5,
    evidence: 1,
  } as const;
  const past = {
    ...version,
    eventTime,
    mentions: [eventTime],
    validTo: MAY + 2,
    lastSaidAt: MAY,
    maybeUntil: { by: `other ${n}` as never, at: MAY },
    supersededBy: `other ${n}` as never,
  };
  const { revision: _, ...said } = entryOf(text, { ...version, id: `said ${n}` as never });
  const entry = entryOf(text, {
    ...past,
    id: `entry ${n}` as never,
    amendedBy: `other ${n}` as never,
    supersedes: [`older ${n}` as never],
    context: { previous: "Where is it?", next: "Up there." },
    pinned: true,
    private: true,
    fellBack: true,
    consolidatedAt: MAY,
    consolidatedByEngineAt: MAY,
    changes: [
      { kind: "superseded", at: MAY, by: `other ${n}` as never },
      { kind: "marked", at: MAY, by: `other ${n}` as never },
      { kind: "merged", at: MAY, before: version, said },
      { kind: "edited", at: MAY, before: past },
    ],
  });
  const support = [{ entryId: entry.id, weight: 0.25 }];
  const node = (name: string) => ({
    node: {
      id: `${name}-${n}`,
      type: "Concept",
      name,
      statement: `a ${name} of wood`,
      confidence: 0.25,
      scope: "general",
      terms: [name],
      createdAt: MAY,
      isImported: true,
    } as const,
    idle: 1,
    support,
  });
  return [
    { memory: { name: "test", userId: "me", entries: 1, turns: 1, writtenAt: MAY, nodes: 1, edges: 1 } },
    {
      turn: {
        id: `turn ${n}` as never,
        conversationId: `talk ${n}` as never,
        sessionId: "s",
        role: "user",
        name: "Ann",
        text,
        at: MAY,
        recordedAt: MAY,
        sequence: n,
        private: true,
      },
    },
    { entry, usage: { accessCount: 1, lastAccessedAt: MAY } },
    { removed: { entries: [`gone ${n}` as never], turns: [`turn gone ${n}` as never] } },
    { meta: `forgotten:${n}`, value: { key: Uint8Array.of(1, 2, 3), marks: BigUint64Array.of(1n) } },
    { meta: "scorer", value: { step: 1, since: 0, states: { assistant: { state: Uint8Array.of(1), evidence: 7 } } } },
    node("violin"),
    node("attic"),
    {
      edge: { from: `violin-${n}`, to: `attic-${n}`, type: "RelatedTo", confidence: 0.25, isImported: true },
      support,
    },
  ];
}

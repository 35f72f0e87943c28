/** Joins what is said twice: one entry with more evidence instead of two. */

import type { Entry, Source, Timestamp, TimeWindow } from "../types.js";
import { isSame, type SaidSentence } from "./same.js";
import { versionOf, withChange } from "./versions.js";

type Unrevised = Omit<Entry, "revision">;

/** Whether an entry can take in what is said again. What is over, or may be, is no match: what becomes true again is a new period. */
export function isLive({ validTo, maybeUntil }: Pick<Entry, "validTo" | "maybeUntil">): boolean {
  return validTo === undefined && maybeUntil === undefined;
}

/** Whether all that one of two says is said by the other.
 * @returns which of the two says more: "first" also where they are equal; undefined when neither holds the other */
export function moreTelling(
  first: readonly SaidSentence[],
  second: readonly SaidSentence[],
  timeZone: string,
): "first" | "second" | undefined {
  if (first.length === 0 || second.length === 0) return undefined;
  const holds = (all: readonly SaidSentence[], some: readonly SaidSentence[]): boolean =>
    some.length <= all.length && some.every((one) => all.some((other) => isSame(other, one, timeZone)));
  if (!holds(first, second)) return holds(second, first) ? "second" : undefined;
  return first.length === second.length && length(second) > length(first) ? "second" : "first";
}

const length = (sentences: readonly SaidSentence[]): number => sentences.reduce((sum, { text }) => sum + text.length, 0);

const keyOf = ({ turnId, quote }: Source): string => `${turnId}\n${quote}`;

/** The entry with one more piece of evidence: sources, identifiers and times of both, the higher salience, and the words of the one
 * that says more. Nothing is counted twice when the same turn comes again; `undo` makes two of them again.
 * @param said the entry that the repetition would have become */
export function merged<E extends Unrevised>(entry: E, said: Unrevised, keep: "first" | "second", at: Timestamp): E {
  const known = new Set(entry.sources.map(keyOf));
  const added = said.sources.filter((source) => !known.has(keyOf(source)));
  if (added.length === 0) return entry;
  const mentions = distinct([...(entry.mentions ?? []), ...(said.mentions ?? [])]);
  // The words of its neighbours are theirs: they are forgotten with them.
  const { changes: _, context: __, ...alone } = said;
  return withChange(
    {
      ...entry,
      ...(keep === "second" && { text: said.text, indexText: said.indexText, kind: said.kind }),
      // The words that are shown come from the first source.
      sources: keep === "second" ? [...added, ...entry.sources] : [...entry.sources, ...added],
      identifiers: [...new Set([...entry.identifiers, ...said.identifiers])],
      ...(mentions.length > 0 && { mentions }),
      salience: Math.max(entry.salience, said.salience),
      evidence: entry.evidence + said.evidence,
      lastSaidAt: Math.max(entry.lastSaidAt ?? entry.saidAt, said.lastSaidAt ?? said.saidAt),
      ...((entry.pinned || said.pinned) && { pinned: true as const }),
    },
    { kind: "merged", at, before: versionOf(entry), said: alone },
  );
}

function distinct(windows: readonly TimeWindow[]): TimeWindow[] {
  return windows.filter(
    (window, index, all) => all.findIndex(({ from, to }) => from === window.from && to === window.to) === index,
  );
}

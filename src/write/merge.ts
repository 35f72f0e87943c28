/** Joins what is said twice: one entry with more evidence instead of two. */

import type { Statement } from "../ports.js";
import type { Entry, Source } from "../types.js";

/** What two texts have in common that say the same: case, spacing and the marks at the ends aside. Numbers, negations, names and
 * the dates written beside relative expressions stay, so that "yesterday" said on two days never counts as the same. */
export function normalised(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[‘’`´]/gu, "'")
    .replaceAll(/[“”]/gu, '"')
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/^[\s.,;:!…。！]+|[\s.,;:!…。！]+$/gu, "");
}

type Known = Pick<Entry, "text" | "subject" | "validTo">;

/** The live entry that says exactly what a statement says, of the same subject.
 * An entry whose time is over is no match: what becomes true again is a new period. */
export function findDuplicate<E extends Known>(
  statement: Pick<Statement, "text" | "subject">,
  entries: Iterable<E>,
): E | undefined {
  const wanted = normalised(statement.text);
  if (wanted === "") return undefined;
  for (const entry of entries) {
    if (entry.validTo === undefined && entry.subject === statement.subject && normalised(entry.text) === wanted) return entry;
  }
  return undefined;
}

const keyOf = ({ turnId, quote }: Source): string => `${turnId}\n${quote}`;

/** The entry with one more piece of evidence: sources, identifiers and times of both, the higher salience. Nothing is counted
 * twice when the same turn comes again. */
export function mergeSources<E extends Omit<Entry, "revision">>(entry: E, statement: Statement): E {
  const known = new Set(entry.sources.map(keyOf));
  const added = statement.sources.filter((source) => !known.has(keyOf(source)));
  if (added.length === 0) return entry;
  const mentions = [...(entry.mentions ?? []), ...(statement.mentions ?? [])].filter(
    (window, index, all) => all.findIndex(({ from, to }) => from === window.from && to === window.to) === index,
  );
  return {
    ...entry,
    sources: [...entry.sources, ...added],
    identifiers: [...new Set([...entry.identifiers, ...statement.identifiers])],
    ...(mentions.length > 0 && { mentions }),
    salience: Math.max(entry.salience, statement.salience),
    evidence: entry.evidence + 1,
  };
}

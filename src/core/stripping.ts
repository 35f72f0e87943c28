/** What is left of an entry when something that it rests on is forgotten. */

import type { Entry, EntryId, Source, Turn } from "../types.js";

/** The entry without sources that are forgotten. When the one that it showed is among them, the first that stays is shown
 * as it was said, and the entry moves to where and when that was.
 * @param kept one or more of its sources, in order
 * @param turn of the first that is kept; undefined when it is no longer stored */
export function withSources(entry: Entry, kept: readonly Source[], turn: Turn | undefined): Entry {
  const [first] = kept;
  if (!first) throw new TypeError("an entry keeps one source at least");
  const sources = {
    sources: kept,
    evidence: Math.max(1, entry.evidence - (entry.sources.length - kept.length)),
    identifiers: entry.identifiers.filter((identifier) => kept.some(({ quote }) => quote.includes(identifier))),
  };
  // Earlier versions hold what was said then, and nobody can tell what of it was what.
  const { changes, ...present } = entry;
  const past = changes?.filter(({ kind }) => kind === "superseded" || kind === "marked");
  const known = { ...present, ...(past && past.length > 0 && { changes: past }) };
  if (first === entry.sources[0]) return { ...known, ...sources };
  const { context: _, ...rest } = known;
  return {
    ...rest,
    ...sources,
    text: first.quote,
    indexText: first.quote,
    ...(turn && {
      conversationId: turn.conversationId,
      sessionId: turn.sessionId,
      saidAt: turn.at,
      ...(entry.validFrom === entry.saidAt && { validFrom: turn.at }),
    }),
  };
}

/** The entry without what points at entries that are gone, or undefined when nothing does. What ceased to hold does not hold again. */
export function withoutPointers(entry: Entry, gone: ReadonlySet<EntryId>): Entry | undefined {
  const { supersededBy, amendedBy, maybeUntil, supersedes, changes, ...rest } = entry;
  const pointed = [
    supersededBy,
    amendedBy,
    maybeUntil?.by,
    ...(supersedes ?? []),
    ...(changes ?? []).flatMap((change) => ("by" in change && change.by) || []),
  ];
  if (!pointed.some((id) => id !== undefined && gone.has(id))) return undefined;
  const left = supersedes?.filter((id) => !gone.has(id));
  const past = changes?.filter((change) => !("by" in change && change.by !== undefined && gone.has(change.by)));
  return {
    ...rest,
    ...(supersededBy !== undefined && !gone.has(supersededBy) && { supersededBy }),
    ...(amendedBy !== undefined && !gone.has(amendedBy) && { amendedBy }),
    ...(maybeUntil && !gone.has(maybeUntil.by) && { maybeUntil }),
    ...(left && left.length > 0 && { supersedes: left }),
    ...(past && past.length > 0 && { changes: past }),
  };
}

/** Words of neighbours that are forgotten, as entries keep them. */
export interface ForgottenContexts {
  readonly previous: ReadonlySet<string>;
  readonly next: ReadonlySet<string>;
}

/** The entry without the words of forgotten neighbours, or undefined when it holds none. */
export function withoutContexts(entry: Entry, gone: ForgottenContexts): Entry | undefined {
  const { context, ...rest } = entry;
  if (!context) return undefined;
  const { previous, next } = context;
  const losesPrevious = previous !== undefined && gone.previous.has(previous);
  const losesNext = next !== undefined && gone.next.has(next);
  if (!losesPrevious && !losesNext) return undefined;
  const left = {
    ...(!losesPrevious && previous !== undefined && { previous }),
    ...(!losesNext && next !== undefined && { next }),
  };
  return { ...rest, ...(Object.keys(left).length > 0 && { context: left }) };
}

/** What is left of an entry when something that it rests on is forgotten. */

import type { Entry, Source, Turn } from "../types.js";

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
  if (first === entry.sources[0]) return { ...entry, ...sources };
  const { context: _, ...rest } = entry;
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

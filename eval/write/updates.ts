/** Questions about what changed: is the newer value recalled first, and is the older one marked. */

import type { StoredEntry } from "keepsake/node";
import type { DatasetMemory, DatasetQuestion } from "../data/dataset.js";

/** Questions that want the value from before. */
const WANTS_OLD = /\b(?:previous(?:ly)?|former(?:ly)?|initial(?:ly)?|original(?:ly)?|before|first|used to|earlier|prior)\b/i;

export interface Update {
  /** 1 or 0; undefined where the question wants the older value. */
  readonly newestFirst?: number;
  /** Whether an entry of the older value is marked or over; undefined where none was stored. */
  readonly oldMarked?: number;
}

interface Evidence {
  readonly newest: ReadonlySet<string>;
  readonly older: ReadonlySet<string>;
}

/** Evidence of the last session, and of those before it. */
function splitEvidence({ turns }: DatasetMemory, { evidence }: DatasetQuestion): Evidence | undefined {
  const told = turns.filter(({ id }) => evidence.includes(id));
  const last = told.at(-1)?.sessionId;
  const idsOf = (isLast: boolean): Set<string> =>
    new Set(told.filter(({ sessionId }) => (sessionId === last) === isLast).map(({ id }) => id));
  const older = idsOf(false);
  return older.size === 0 ? undefined : { newest: idsOf(true), older };
}

const restsOn = ({ sources }: Pick<StoredEntry, "sources">, ids: ReadonlySet<string>): boolean =>
  sources.some(({ turnId }) => ids.has(turnId));

/** @param entries all that were stored, and @param recalled for the question, best first
 * @returns undefined for a question without an older value */
export function updateOf(
  data: DatasetMemory,
  question: DatasetQuestion,
  entries: readonly StoredEntry[],
  recalled: readonly Pick<StoredEntry, "sources">[],
): Update | undefined {
  const evidence = splitEvidence(data, question);
  if (!evidence) return undefined;
  const old = entries.filter((entry) => restsOn(entry, evidence.older) && !restsOn(entry, evidence.newest));
  const oldMarked = old.some(({ validTo, maybeUntil }) => validTo !== undefined || maybeUntil !== undefined) ? 1 : 0;
  const marked = old.length > 0 ? { oldMarked } : {};
  if (WANTS_OLD.test(question.text)) return marked;
  const first = (ids: ReadonlySet<string>): number => {
    const place = recalled.findIndex((item) => restsOn(item, ids));
    return place < 0 ? Number.POSITIVE_INFINITY : place;
  };
  return { newestFirst: first(evidence.newest) < first(evidence.older) ? 1 : 0, ...marked };
}

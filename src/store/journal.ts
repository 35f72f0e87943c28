/** What a write leaves in the journal, by which other tabs catch up. */
import type { GraphWrite, JournalOperation } from "../ports.js";
import type { EntryId, TurnId } from "../types.js";

/** What a transaction changed, each id at most once. */
export interface Changes {
  /** Entries that were put or got vectors: whoever catches up reads both anew. */
  readonly putEntries: ReadonlySet<EntryId>;
  readonly removedEntries: ReadonlySet<EntryId>;
  readonly putTurns: ReadonlySet<TurnId>;
  readonly removedTurns: ReadonlySet<TurnId>;
  readonly metaKeys: readonly string[];
  readonly graph?: GraphWrite | undefined;
}

/** The operations of a journal record; none when nothing changed but use statistics, and then there is no record and
 * no new revision. Ids and keys only: the journal never keeps a text of what was forgotten. */
export function operationsOf(changes: Changes): readonly JournalOperation[] {
  const operations: JournalOperation[] = [];
  if (changes.removedEntries.size > 0) operations.push({ type: "remove-entries", entryIds: [...changes.removedEntries] });
  if (changes.removedTurns.size > 0) operations.push({ type: "remove-turns", turnIds: [...changes.removedTurns] });
  if (changes.putTurns.size > 0) operations.push({ type: "put-turns", turnIds: [...changes.putTurns] });
  if (changes.putEntries.size > 0) operations.push({ type: "put-entries", entryIds: [...changes.putEntries] });
  if (changes.metaKeys.length > 0) operations.push({ type: "put-meta", keys: changes.metaKeys });
  if (Object.values(changes.graph ?? {}).some((rows) => rows.length > 0)) operations.push({ type: "put-graph" });
  return operations;
}

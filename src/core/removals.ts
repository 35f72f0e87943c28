/** Which turns were forgotten since a revision, as the journal tells it. */

import type { Store } from "../ports.js";
import type { TurnId } from "../types.js";

/** @param after revision up to which the caller knows what was forgotten
 * @returns undefined when the journal does not lead there: the user was erased since */
export async function removedSince(store: Store, after: number): Promise<ReadonlySet<TurnId> | undefined> {
  const removed = new Set<TurnId>();
  const revision = await store.revision();
  let applied = after;
  while (applied < revision) {
    const records = await store.journal(applied);
    if (records[0]?.revision !== applied + 1) return undefined;
    for (const { operations } of records)
      for (const operation of operations)
        if (operation.type === "remove-turns") for (const id of operation.turnIds) removed.add(id);
    applied = (records.at(-1) as { readonly revision: number }).revision;
  }
  return applied === after && revision < after ? undefined : removed;
}

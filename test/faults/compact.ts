/** The compaction of a memory at once, beside its handles and under caps that a handful of turns is beyond. */

import { Compaction } from "../../src/core/compaction.js";
import { Follower } from "../../src/core/follower.js";
import { handleLocks } from "../../src/core/handle-locks.js";
import type { MemoryIndex } from "../../src/core/memory-index.js";
import type { Store } from "../../src/ports.js";
import type { Entry } from "../../src/types.js";

const CAPS = { journalRecords: 3, turns: 1 };
/** Where it would tell of a failure, a test is to hear of it. */
const fail = (...[error]: readonly unknown[]): never => {
  throw error;
};

/** Does all there is to do.
 * @param name of the database, by which its handles hear of it */
export async function compact(store: Store, name: string): Promise<void> {
  const entries = new Map<string, Entry>();
  const index = {
    space: { id: "none", dimension: 1 },
    table: { [Symbol.iterator]: () => entries.values() },
    entry: (id: string) => entries.get(id),
    put: (entry: Entry) => void entries.set(entry.id, entry),
    remove: (id: string) => void entries.delete(id),
  } as unknown as MemoryIndex;
  const load = async () => {
    const { revision, epoch } = await store.standing();
    entries.clear();
    for (const entry of await store.listEntries({ limit: 1_000 })) index.put(entry, undefined);
    follower.start(revision, epoch);
  };
  const follower = new Follower({
    name,
    userId: store.userId,
    store,
    index: () => index,
    onChange: () => undefined,
    onHeard: () => undefined,
    onErased: () => undefined,
    onBehind: fail,
    reload: load,
  });
  try {
    await load();
    const compaction = new Compaction(
      {
        store,
        index: () => index,
        follower,
        locks: handleLocks(name),
        inQueue: (task) => task(),
        unread: async () => undefined,
        onTurnsRemoved: () => undefined,
        tell: fail,
        ended: new AbortController().signal,
      },
      CAPS,
    );
    await compaction.run();
  } finally {
    follower.close();
  }
}

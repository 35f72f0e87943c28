/** Keeps the indexes level with the store: after our own writes, and after those of other handles. */

import type { Committed, Store } from "../ports.js";
import type { EntryId, UserId } from "../types.js";
import { ChangeChannel } from "./change-channel.js";
import type { MemoryIndex } from "./memory-index.js";

export interface FollowerParts {
  readonly name: string;
  readonly userId: UserId;
  readonly store: Store;
  readonly index: () => MemoryIndex;
  /** Entries that changed, by this handle or another. */
  readonly onChange: (revision: number, entryIds: readonly EntryId[], ours: boolean) => void;
  readonly onHeard: () => void;
}

export class Follower {
  readonly #parts: FollowerParts;
  readonly #channel: ChangeChannel;
  #applied = 0;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#channel = new ChangeChannel(parts.name, parts.userId, parts.onHeard);
  }

  /** Revision up to which the indexes hold everything. */
  get applied(): number {
    return this.#applied;
  }

  /** Whether another handle told of something newer. */
  get isBehind(): boolean {
    return this.#channel.heard > this.#applied;
  }

  /** Says that the indexes were loaded at this revision. */
  start(revision: number): void {
    this.#applied = revision;
  }

  /** Applies what this handle has just committed, and tells the others.
   * @param rows vectors of entries that were written with new ones
   * @param removed ids that the write took away */
  async committed(commit: Committed, rows: ReadonlyMap<EntryId, Float32Array>, removed: readonly EntryId[]): Promise<void> {
    const index = this.#parts.index();
    if (commit.revision === this.#applied + 1) {
      for (const id of removed) index.remove(id);
      for (const entry of commit.entries) index.put(entry, rows.get(entry.id));
      this.#applied = commit.revision;
    } else await this.catchUp();
    this.#channel.tell(commit.revision);
    this.#parts.onChange(commit.revision, [...commit.entries.map(({ id }) => id), ...removed], true);
  }

  /** Reads the journal from where the indexes are, and applies it. */
  async catchUp(): Promise<void> {
    const { store } = this.#parts;
    for (let records = await store.journal(this.#applied); records.length > 0; records = await store.journal(this.#applied)) {
      const touched = new Set<EntryId>();
      for (const { operations } of records)
        for (const operation of operations) if ("entryIds" in operation) for (const id of operation.entryIds) touched.add(id);
      const ids = [...touched];
      const index = this.#parts.index();
      const [entries, rows] = await Promise.all([store.entries(ids), store.vectorsOf(index.space, ids)]);
      ids.forEach((id, at) => {
        const entry = entries[at];
        if (entry) index.put(entry, rows[at]);
        else index.remove(id);
      });
      this.#applied = (records.at(-1) as { revision: number }).revision;
      if (ids.length > 0) this.#parts.onChange(this.#applied, ids, false);
    }
  }

  close(): void {
    this.#channel.close();
  }
}

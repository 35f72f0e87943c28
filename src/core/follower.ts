/** Keeps the indexes level with the store: after our own writes, and after those of other handles. */

import type { Committed, Store } from "../ports.js";
import type { Entry, EntryId, TurnId, UserId } from "../types.js";
import { ChangeChannel } from "./change-channel.js";
import type { MemoryIndex } from "./memory-index.js";

/** What was written, by this handle or another. */
export interface StoreChange {
  readonly revision: number;
  readonly entryIds: readonly EntryId[];
  readonly removedTurnIds: readonly TurnId[];
  readonly ours: boolean;
}

export interface FollowerParts {
  readonly name: string;
  readonly userId: UserId;
  readonly store: Store;
  readonly index: () => MemoryIndex;
  /** Also for writes of turns alone: what was said without becoming an entry is in others' short-term memory too. */
  readonly onChange: (change: StoreChange) => void;
  readonly onHeard: () => void;
  readonly onErased: () => void;
  /** The indexes could not be brought level with what was committed. */
  readonly onBehind: (error: unknown) => void;
  /** Loads everything anew: the journal no longer leads from what the indexes hold to what is stored, since the user was erased,
   * or since this handle was so far behind that what it needs was compacted. */
  readonly reload: (why: "erased" | "behind") => Promise<void>;
}

export class Follower {
  readonly #parts: FollowerParts;
  readonly #channel: ChangeChannel;
  #applied = 0;
  #shaken = 0;
  /** The newest revision that this handle committed: no message tells it of its own. */
  #committed = 0;
  /** The life of the user's rows that the indexes are of: after an erasure revisions begin anew, and may come to the same number. */
  #epoch = "";

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#channel = new ChangeChannel(parts.name, parts.userId, parts);
  }

  /** Revision up to which the indexes hold everything. */
  get applied(): number {
    return this.#applied;
  }

  /** Revision by which the graph may have changed last: what only adds memories leaves it as it was. */
  get shaken(): number {
    return this.#shaken;
  }

  /** Whether the indexes hold all that is stored, whether or not a message of it has arrived. */
  async isLevel(): Promise<boolean> {
    // Every handle on IndexedDB is of one browser and tells of its writes; asking the disk would cost a recall a third of its time.
    const { store } = this.#parts;
    if (store.backend === "indexeddb" && this.#channel.isOpen)
      return Math.max(this.#channel.heard, this.#committed) <= this.#applied;
    const { revision, epoch } = await store.standing();
    return revision === this.#applied && this.#isOurs(epoch);
  }

  /** Says that the indexes were loaded at this revision.
   * @param epoch read before they were loaded */
  start(revision: number, epoch: string): void {
    this.#shaken = this.#applied = revision;
    this.#committed = 0;
    this.#epoch = epoch;
  }

  /** Applies what this handle has just committed, and tells the others. What is committed is done: a failure in here is told
   * as a lesser form, and the next call catches up.
   * @param rows vectors of entries that were written with new ones
   * @param removed ids that the write took away */
  async committed(commit: Committed, rows: ReadonlyMap<EntryId, Float32Array>, removed: readonly EntryId[]): Promise<void> {
    this.#channel.tell(commit.revision);
    this.#committed = commit.revision;
    try {
      if (commit.revision === this.#applied + 1 && this.#isOurs(commit.epoch)) this.#applyOwn(commit, rows, removed);
      else await this.catchUp();
    } catch (error) {
      this.#parts.onBehind(error);
    }
    this.#parts.onChange({
      revision: commit.revision,
      entryIds: [...commit.entries.map(({ id }) => id), ...removed],
      removedTurnIds: [],
      ours: true,
    });
  }

  /** Goes on after a write of vectors, or one that took some away, which the indexes hold already: no listener could see it. */
  async vectorsCommitted(revision: number): Promise<void> {
    this.#channel.tell(revision);
    this.#committed = revision;
    if (revision !== this.#applied + 1) return this.catchUp();
    const { shaken } = this;
    this.start(revision, this.#epoch);
    this.#shaken = shaken;
  }

  #applyOwn(commit: Committed, rows: ReadonlyMap<EntryId, Float32Array>, removed: readonly EntryId[]): void {
    const index = this.#parts.index();
    const { shaken } = this;
    const onlyAdds =
      removed.length === 0 &&
      commit.turns.length > 0 &&
      commit.entries.every((entry) => supportsTheSame(index.entry(entry.id) ?? entry, entry));
    for (const id of removed) index.remove(id);
    for (const entry of commit.entries) index.put(entry, rows.get(entry.id));
    // Vectors of new words are fetched here, where nobody waits for an answer.
    index.softLinks?.prepare();
    this.start(commit.revision, commit.epoch);
    if (onlyAdds) this.#shaken = shaken;
  }

  /** Before anything was applied every life is ours. */
  #isOurs(epoch: string): boolean {
    return this.#applied === 0 || epoch === this.#epoch;
  }

  /** Reads the journal from where the indexes are, and applies it; loads everything anew when it does not lead there. */
  async catchUp(): Promise<void> {
    const { store } = this.#parts;
    const { revision, epoch } = await store.standing();
    if (revision < this.#applied || !this.#isOurs(epoch)) return this.#parts.reload("erased");
    this.#epoch = epoch;
    if (revision === this.#applied) return;
    for (let records = await store.journal(this.#applied); records.length > 0; records = await store.journal(this.#applied)) {
      if (records.some((record, at) => record.revision !== this.#applied + 1 + at)) break;
      const touched = new Set<EntryId>();
      const removedTurns = new Set<TurnId>();
      for (const operation of records.flatMap(({ operations }) => operations)) {
        if ("entryIds" in operation) for (const id of operation.entryIds) touched.add(id);
        if (operation.type === "remove-turns") for (const id of operation.turnIds) removedTurns.add(id);
      }
      const entryIds = [...touched];
      const index = this.#parts.index();
      const [entries, rows] = await Promise.all([store.entries(entryIds), store.vectorsOf(index.space, entryIds)]);
      entryIds.forEach((id, at) => {
        const entry = entries[at];
        if (entry) index.put(entry, rows[at]);
        else index.remove(id);
      });
      this.#shaken = this.#applied = (records.at(-1) as { revision: number }).revision;
      this.#parts.onChange({ revision: this.#applied, entryIds, removedTurnIds: [...removedTurns], ours: false });
    }
    if (this.#applied < revision) return this.#parts.reload("behind");
  }

  close(): void {
    this.#channel.close();
  }
}

/** A memory that is told how the conversation went on supports what it did. */
function supportsTheSame(before: Entry, now: Entry): boolean {
  return before.indexText === now.indexText && before.consolidatedAt === now.consolidatedAt;
}

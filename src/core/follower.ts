/** Keeps the indexes level with the store: after our own writes, and after those of other handles. */

import type { Committed, Store } from "../ports.js";
import type { EntryId, TurnId, UserId } from "../types.js";
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
  /** Loads everything anew: the journal no longer leads from what the indexes hold to what is stored. */
  readonly reload: () => Promise<void>;
}

export class Follower {
  readonly #parts: FollowerParts;
  readonly #channel: ChangeChannel;
  #applied = 0;
  /** The newest revision that this handle committed: no message tells it of its own. */
  #committed = 0;
  /** What tells the record of revision `#applied` from one of the same number, written after an erasure. */
  #mark: string | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#channel = new ChangeChannel(parts.name, parts.userId, parts);
  }

  /** Revision up to which the indexes hold everything. */
  get applied(): number {
    return this.#applied;
  }

  /** Whether the indexes hold all that is stored, whether or not a message of it has arrived. */
  async isLevel(): Promise<boolean> {
    // Every handle on IndexedDB is of one browser and tells of its writes; asking the disk would cost a recall a third of its time.
    const { store } = this.#parts;
    if (store.backend === "indexeddb" && this.#channel.isOpen)
      return Math.max(this.#channel.heard, this.#committed) <= this.#applied;
    return (await store.revision()) === this.#applied;
  }

  /** Says that the indexes were loaded at this revision. */
  start(revision: number): void {
    this.#applied = revision;
    this.#committed = 0;
    this.#mark = undefined;
  }

  /** Applies what this handle has just committed, and tells the others. What is committed is done: a failure in here is told
   * as a lesser form, and the next call catches up.
   * @param rows vectors of entries that were written with new ones
   * @param removed ids that the write took away */
  async committed(commit: Committed, rows: ReadonlyMap<EntryId, Float32Array>, removed: readonly EntryId[]): Promise<void> {
    this.#channel.tell(commit.revision);
    this.#committed = commit.revision;
    try {
      if (commit.revision === this.#applied + 1) await this.#applyOwn(commit, rows, removed);
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

  async #applyOwn(commit: Committed, rows: ReadonlyMap<EntryId, Float32Array>, removed: readonly EntryId[]): Promise<void> {
    const index = this.#parts.index();
    for (const id of removed) index.remove(id);
    for (const entry of commit.entries) index.put(entry, rows.get(entry.id));
    // Vectors of new words are fetched here, where nobody waits for an answer.
    index.softLinks?.prepare();
    this.start(commit.revision);
    this.#mark = await this.#readMark();
  }

  /** Reads the journal from where the indexes are, and applies it; loads everything anew when the journal does not lead
   * there, since the user was erased then. */
  async catchUp(): Promise<void> {
    const { store } = this.#parts;
    const revision = await store.revision();
    if (revision < this.#applied) return this.#parts.reload();
    if (revision === this.#applied) {
      this.#mark ??= await this.#readMark();
      return;
    }
    if (this.#mark !== undefined && this.#mark !== (await this.#readMark())) return this.#parts.reload();
    for (let records = await store.journal(this.#applied); records.length > 0; records = await store.journal(this.#applied)) {
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
      this.#applied = (records.at(-1) as { revision: number }).revision;
      this.#parts.onChange({ revision: this.#applied, entryIds, removedTurnIds: [...removedTurns], ours: false });
    }
    this.#mark = await this.#readMark();
  }

  /** @returns the time and the first name in the record that was applied last; undefined when it is no longer kept */
  async #readMark(): Promise<string | undefined> {
    const [record] = this.#applied === 0 ? [] : await this.#parts.store.journal(this.#applied - 1, 1);
    if (record?.revision !== this.#applied) return undefined;
    const [operation] = record.operations;
    const names =
      operation && ("entryIds" in operation ? operation.entryIds : "turnIds" in operation ? operation.turnIds : operation.keys);
    return `${record.at} ${names?.[0]}`;
  }

  close(): void {
    this.#channel.close();
  }
}

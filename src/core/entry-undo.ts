/** Takes back the last change of an entry: a person's edit, a repetition that was joined, an end, or a guess of one. */

import { isEntry } from "../backup/shapes.js";
import { MemoryError } from "../errors.js";
import type { Store } from "../ports.js";
import type { Entry, EntryChange, EntryId, Undone } from "../types.js";
import { withoutLastChange, withVersion } from "../write/versions.js";
import type { Follower } from "./follower.js";
import type { IndexKeeper } from "./index-keeper.js";
import type { NewEntry } from "./relatives.js";

export interface EntryUndoParts {
  readonly store: Store;
  readonly keeper: IndexKeeper;
  readonly follower: Follower;
}

/** What is to be put, with the revisions that this was decided by. */
interface Reversal {
  readonly put: readonly NewEntry[];
  /** Entries of `put` that are stored. */
  readonly stored: readonly Entry[];
  readonly restored?: EntryId;
}

export class EntryUndo {
  readonly #parts: EntryUndoParts;

  constructor(parts: EntryUndoParts) {
    this.#parts = parts;
  }

  /** @throws MemoryError "not-found" for an entry that is not stored or has no change to take back; "conflict" */
  async undo(id: EntryId, signal?: AbortSignal): Promise<Undone> {
    const { store, keeper, follower } = this.#parts;
    const [entry] = await store.entries([id]);
    if (!isEntry(entry)) throw new MemoryError("not-found", `no entry has the id ${id}`);
    const change = entry.changes?.at(-1);
    if (!change) throw new MemoryError("not-found", `the entry ${id} has no change that can be taken back`);
    const { put, stored, restored } = await this.#reversal(entry, change);
    const known = new Map(stored.map((one) => [one.id, one]));
    const reworded = put.filter((one) => known.get(one.id)?.indexText !== one.indexText);
    const vectors = reworded.length > 0 ? await keeper.embedder.embed(reworded, signal) : [];
    const { introduction } = keeper.embedder;
    const commit = await store.write(
      {
        entries: put,
        vectors: { space: keeper.index.space, of: vectors },
        ...(vectors.length > 0 && introduction && { meta: introduction }),
        expect: put.map((one) => ({ entryId: one.id, revision: known.get(one.id)?.revision ?? 0 })),
      },
      { ...(signal && { signal }) },
    );
    if (vectors.length > 0) keeper.embedder.introduced();
    await follower.committed(commit, new Map(vectors.map(({ entryId, rows }) => [entryId, rows])), []);
    const written = new Map(commit.entries.map((one) => [one.id, one]));
    const again = restored && written.get(restored);
    return { kind: change.kind, entry: written.get(id) as Entry, ...(again && { restored: again }) };
  }

  async #reversal(entry: Entry, change: EntryChange): Promise<Reversal> {
    const before = withoutLastChange(entry);
    switch (change.kind) {
      case "edited":
        return { put: [withVersion(before, change.before)], stored: [entry] };
      case "merged":
        // A backup made by hand may say that it took in itself.
        return change.said.id === entry.id
          ? { put: [withVersion(before, change.before)], stored: [entry] }
          : { put: [withVersion(before, change.before), change.said], stored: [entry], restored: change.said.id };
      case "marked": {
        const { maybeUntil: _, ...rest } = before;
        return { put: [rest], stored: [entry] };
      }
      case "superseded": {
        const { validTo: _, supersededBy: __, ...rest } = before;
        const linked = change.by === undefined ? [] : await this.#linked(entry, change.by);
        return { put: [rest, ...linked.map((one) => unlinked(one, entry.id, change.by))], stored: [entry, ...linked] };
      }
    }
  }

  /** The entry that ended another, and what was left of the one that it took a sentence out of. */
  async #linked({ id, sources }: Entry, by: EntryId): Promise<Entry[]> {
    const turns = new Set(sources.map(({ turnId }) => turnId));
    const rest = [...this.#parts.keeper.index.table].filter(
      (one) => one.amendedBy === by && one.sources.some(({ turnId }) => turns.has(turnId)),
    );
    const found = await this.#parts.store.entries([...new Set([by, ...rest.map((one) => one.id)])]);
    return found.filter(isEntry).filter((one) => one.id !== id);
  }
}

function unlinked({ supersedes, amendedBy, ...rest }: Entry, id: EntryId, by: EntryId | undefined): NewEntry {
  const left = supersedes?.filter((one) => one !== id);
  return {
    ...rest,
    ...(left && left.length > 0 && { supersedes: left }),
    ...(amendedBy !== undefined && amendedBy !== by && { amendedBy }),
  };
}

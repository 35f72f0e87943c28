/** A person's corrections of single entries, kept so that they can be taken back. */

import { isEntry, isTime } from "../backup/shapes.js";
import { MemoryError } from "../errors.js";
import type { Clock, Store } from "../ports.js";
import { findIdentifiers } from "../text/identifiers.js";
import { timeMentions } from "../text/time.js";
import type { Entry, EntryId, EntryKind, EntryPatch, Timestamp } from "../types.js";
import { eventTimeOf, narrowWindows } from "../write/dates.js";
import { versionOf, withChange } from "../write/versions.js";
import type { Follower } from "./follower.js";
import type { IndexKeeper } from "./index-keeper.js";

const KINDS: ReadonlySet<EntryKind> = new Set(["preference", "event", "decision", "fact", "plan", "state"]);

export interface EntryEditsParts {
  readonly store: Store;
  readonly keeper: IndexKeeper;
  readonly follower: Follower;
  readonly clock: Clock;
  /** IANA name, in which times of a corrected text are read. */
  readonly timeZone: string;
}

export class EntryEdits {
  readonly #parts: EntryEditsParts;

  constructor(parts: EntryEditsParts) {
    this.#parts = parts;
  }

  /** @throws MemoryError "not-found" | "conflict" */
  async update(id: EntryId, patch: EntryPatch, signal?: AbortSignal): Promise<Entry> {
    const { store, keeper, follower, timeZone, clock } = this.#parts;
    const [entry] = await store.entries([id]);
    if (!isEntry(entry)) throw new MemoryError("not-found", `no entry has the id ${id}`);
    const updated = withEdit(entry, patched(entry, patch, timeZone), clock.now());
    // A person's correction is what must be found from now on; the source stays as it was said.
    const vectors = updated.indexText === entry.indexText ? [] : await keeper.embedder.embed([updated], signal);
    const { introduction } = keeper.embedder;
    const commit = await store.write(
      {
        entries: [updated],
        vectors: { space: keeper.index.space, of: vectors },
        ...(vectors.length > 0 && introduction && { meta: introduction }),
        expect: [{ entryId: id, revision: entry.revision }],
      },
      { ...(signal && { signal }) },
    );
    if (vectors.length > 0) keeper.embedder.introduced();
    await follower.committed(commit, new Map(vectors.map(({ entryId, rows }) => [entryId, rows])), []);
    return commit.entries[0] as Entry;
  }
}

/** @throws TypeError for a patch of another shape */
function patched(entry: Entry, patch: EntryPatch, timeZone: string): Entry {
  const { text, kind, tags, pinned, validTo } = patch;
  if (text !== undefined && (typeof text !== "string" || text.trim() === ""))
    throw new TypeError("text is a string that is not empty");
  if (kind !== undefined && !KINDS.has(kind)) throw new TypeError(`kind is one of ${[...KINDS].join(", ")}, not ${String(kind)}`);
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === "string")))
    throw new TypeError("tags is an array of strings");
  if (pinned !== undefined && typeof pinned !== "boolean") throw new TypeError("pinned is true or false");
  if (validTo !== undefined && validTo !== null && !isTime(validTo))
    throw new TypeError("validTo is a time in milliseconds that a date can hold, or null");
  const { pinned: was, ...rest } = text === undefined || text === entry.text ? entry : retold(entry, text, timeZone);
  return settled(
    {
      ...rest,
      ...(kind !== undefined && { kind }),
      ...(tags !== undefined && { tags }),
      ...((pinned ?? was) && { pinned: true as const }),
    },
    validTo,
  );
}

/** What a person says of an entry's end leaves nothing to guess. */
function settled(entry: Entry, validTo: Timestamp | null | undefined): Entry {
  if (validTo === undefined) return entry;
  const { validTo: _, maybeUntil, supersededBy, ...rest } = entry;
  if (validTo === null) return rest;
  const by = supersededBy ?? maybeUntil?.by;
  return { ...rest, validTo, ...(by !== undefined && { supersededBy: by }) };
}

/** Keeps what an edit changes, so that it can be taken back; a pin is taken back by its like. */
function withEdit(before: Entry, after: Entry, at: Timestamp): Entry {
  const [was, is] = [versionOf(before), versionOf(after)];
  return JSON.stringify(was) === JSON.stringify(is) ? after : withChange(after, { kind: "edited", at, before: was });
}

/** The entry with another text, and what was read from the old one read anew; its sources stay as they were said. */
function retold(entry: Entry, text: string, timeZone: string): Entry {
  const { eventTime: _, mentions: __, ...rest } = entry;
  const found = timeMentions(text, { at: entry.saidAt, timeZone, bias: "nearest" });
  const eventTime = eventTimeOf(found, [{ start: 0, end: text.length }]);
  const mentions = narrowWindows(found);
  return {
    ...rest,
    text,
    indexText: text,
    identifiers: findIdentifiers(text),
    ...(eventTime && { eventTime }),
    ...(mentions.length > 0 && { mentions }),
  };
}

/** What an entry keeps of its past, so that a change can be taken back. */

import type { Entry, EntryChange, EntryVersion } from "../types.js";

/** Changes that can be taken back; older ones are forgotten. */
const MAX_CHANGES = 8;

type Unrevised = Omit<Entry, "revision">;

/** The parts of an entry that changes touch. */
export function versionOf(entry: Unrevised): EntryVersion {
  const {
    text,
    indexText,
    kind,
    tags,
    sources,
    identifiers,
    salience,
    evidence,
    eventTime,
    mentions,
    validTo,
    lastSaidAt,
    maybeUntil,
    supersededBy,
  } = entry;
  return {
    text,
    indexText,
    kind,
    tags,
    sources,
    identifiers,
    salience,
    evidence,
    ...(eventTime && { eventTime }),
    ...(mentions && { mentions }),
    ...(validTo !== undefined && { validTo }),
    ...(lastSaidAt !== undefined && { lastSaidAt }),
    ...(maybeUntil && { maybeUntil }),
    ...(supersededBy !== undefined && { supersededBy }),
  };
}

export function withChange<E extends Unrevised>(entry: E, change: EntryChange): E {
  return { ...entry, changes: [...(entry.changes ?? []), change].slice(-MAX_CHANGES) };
}

/** The entry as it was in a version; what changes do not touch stays as it is now. */
export function withVersion(entry: Unrevised, version: EntryVersion): Unrevised {
  const { eventTime: _, mentions: __, validTo: ___, lastSaidAt: ____, maybeUntil: _____, supersededBy: ______, ...rest } = entry;
  return { ...rest, ...version };
}

/** Without the last change on its list. */
export function withoutLastChange(entry: Unrevised): Unrevised {
  const { changes = [], ...rest } = entry;
  const left = changes.slice(0, -1);
  return left.length > 0 ? { ...rest, changes: left } : rest;
}

/** The shapes of rows, field by field: a file comes from anywhere, and a database may hold what another program or version wrote. What a
 * shape does not name is of a later version, and stays. */

import type { Entry, EntryChange, EntryKind, EntryVersion, Role, Source, TimeWindow } from "../types.js";

export type Is = (value: unknown) => boolean;

type Optional<T> = { [Key in keyof T]-?: T extends Record<Key, T[Key]> ? never : Key }[keyof T];
type Needed<T> = Readonly<Record<Exclude<keyof T, Optional<T>>, Is>>;
type Others<T> = Readonly<Record<Optional<T>, Is>>;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const isText: Is = (value) => typeof value === "string";
export const isId: Is = (value) => isText(value) && value !== "";
export const isTrue: Is = (value) => value === true;
export const within =
  (least: number, most: number): Is =>
  (value) =>
    typeof value === "number" && value >= least && value <= most;
/** What a Date can hold. */
export const isTime = within(-8.64e15, 8.64e15);
/** Far enough below the last whole number that adding one to it still counts. */
export const isCount: Is = (value) => Number.isInteger(value) && within(0, 2 ** 52)(value);
export const oneOf =
  <T extends string>(...all: readonly T[]): Is =>
  (value) =>
    (all as readonly unknown[]).includes(value);
export const listOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);

/** @param needed fields that must be there
 * @param others fields that may be */
export function shapeOf<T>(needed: Needed<T>, others: Others<T>): (value: unknown) => value is T {
  const [must, may] = [Object.entries<Is>(needed), Object.entries<Is>(others)];
  return (value): value is T => {
    if (!isRecord(value)) return false;
    for (const [key, is] of must) if (!is(value[key])) return false;
    for (const [key, is] of may) if (value[key] !== undefined && !is(value[key])) return false;
    return true;
  };
}

export const isRole = oneOf<Role>("user", "assistant", "system", "tool");

const isSource = shapeOf<Source>({ turnId: isId, role: isRole, quote: isText }, { speaker: isText });
const isWindow = shapeOf<TimeWindow>({ from: isTime, to: isTime }, {});

const VERSION: Needed<EntryVersion> = {
  text: isText,
  indexText: isText,
  kind: oneOf<EntryKind>("preference", "event", "decision", "fact", "plan", "state"),
  tags: listOf(isText),
  sources: listOf(isSource),
  identifiers: listOf(isText),
  salience: within(0, 1),
  evidence: within(1, 1e15),
};

const VERSION_OTHERS: Others<EntryVersion> = {
  eventTime: isWindow,
  mentions: listOf(isWindow),
  validTo: isTime,
  lastSaidAt: isTime,
  maybeUntil: shapeOf<NonNullable<Entry["maybeUntil"]>>({ by: isId, at: isTime }, {}),
  supersededBy: isId,
};

const UNREVISED: Needed<Omit<Entry, "revision">> = {
  ...VERSION,
  id: isId,
  conversationId: isId,
  sessionId: isId,
  subject: isId,
  saidAt: isTime,
  createdAt: isTime,
  validFrom: isTime,
};

/** Without one of these an entry is still an entry. */
export const ENTRY_OTHERS: Others<Entry> = {
  ...VERSION_OTHERS,
  amendedBy: isId,
  supersedes: listOf(isId),
  context: shapeOf<NonNullable<Entry["context"]>>({}, { previous: isText, next: isText }),
  pinned: isTrue,
  private: isTrue,
  consolidatedAt: isTime,
  consolidatedByEngineAt: isTime,
  fellBack: isTrue,
  changes: listOf(
    (change) => isRecord(change) && Object.entries(CHANGES).some(([kind, is]) => kind === change.kind && is(change)),
  ),
};

const isVersion = shapeOf<EntryVersion>(VERSION, VERSION_OTHERS);
type Change<Kind> = Omit<EntryChange & { readonly kind: Kind }, "kind">;

const CHANGES: Readonly<Record<EntryChange["kind"], Is>> = {
  edited: shapeOf<Change<"edited">>({ at: isTime, before: isVersion }, {}),
  merged: shapeOf<Change<"merged">>(
    { at: isTime, before: isVersion, said: shapeOf<Omit<Entry, "revision">>(UNREVISED, ENTRY_OTHERS) },
    {},
  ),
  superseded: shapeOf<Change<"superseded">>({ at: isTime }, { by: isId }),
  marked: shapeOf<Change<"marked">>({ at: isTime, by: isId }, {}),
};

export const isEntry = shapeOf<Entry>({ ...UNREVISED, revision: (value) => isCount(value) && value !== 0 }, ENTRY_OTHERS);

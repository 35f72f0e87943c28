/** Key ranges of one user's rows, and pages of them in either direction. */
import type { IDBPIndex, IDBPObjectStore, IndexNames } from "idb";
import type { KeepsakeSchema, StoreName } from "../schema.js";

/** All keys that begin with `prefix`: in IndexedDB's order an array follows every string and number. */
export function withPrefix(...prefix: readonly (string | number)[]): IDBKeyRange {
  return IDBKeyRange.bound(prefix, [...prefix, []], false, true);
}

/** The part of `withPrefix` after (or, in reverse, before) the last element `after`. */
export function pageRange(
  prefix: readonly (string | number)[],
  after: string | number | undefined,
  reverse: boolean,
): IDBKeyRange {
  if (after === undefined) return withPrefix(...prefix);
  return reverse
    ? IDBKeyRange.bound(prefix, [...prefix, after], false, true)
    : IDBKeyRange.bound([...prefix, after], [...prefix, []], true, true);
}

type Source<Name extends StoreName> =
  | IDBPObjectStore<KeepsakeSchema, StoreName[], Name, "readonly">
  | IDBPIndex<KeepsakeSchema, StoreName[], Name, IndexNames<KeepsakeSchema, Name>, "readonly">;

/** At most `limit` rows of a range, from its start, or from its end backwards. */
export async function readPage<Name extends StoreName>(
  source: Source<Name>,
  range: IDBKeyRange,
  limit: number,
  reverse: boolean,
): Promise<KeepsakeSchema[Name]["value"][]> {
  if (!reverse) return source.getAll(range as never, limit);
  const end = await lastOf(source, range, limit);
  return end ? (await source.getAll(end as never)).reverse() : [];
}

/** The part of a range that holds its last `limit` rows; `undefined` where it holds none.
 *
 * getAll reads forwards only, and a cursor is slow row by row: so the key is found where the page begins, and all got from there. */
export async function lastOf<Name extends StoreName>(
  source: Source<Name>,
  range: IDBKeyRange,
  limit: number,
): Promise<IDBKeyRange | undefined> {
  const last = await source.openKeyCursor(range as never, "prev");
  if (!last) return undefined;
  const first = limit > 1 ? await last.advance(limit - 1) : last;
  return first ? IDBKeyRange.bound(first.key, range.upper, false, range.upperOpen) : range;
}

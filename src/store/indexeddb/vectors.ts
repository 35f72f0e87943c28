/** The vector rows of a write: appended to the tail, sealed every 256, zeroed where their entry goes. */
import { unwrap } from "idb";
import type { EntryVectors, VectorSpace } from "../../ports.js";
import type { EntryId, UserId } from "../../types.js";
import type { RangeRow, SpaceState, UserState, WriteTransaction } from "../schema.js";
import { blankRows, isSoundSegment, OpenSegment, ROWS_PER_SEGMENT, segmentOf } from "../segments.js";
import { withPrefix } from "./ranges.js";
import { isSoundTail, tailRow } from "./rows.js";

/** @param leaving ranges of entries that go, and of vectors that are replaced
 * @param put what comes, under the number of one of the spaces */
export async function changeVectors(
  transaction: WriteTransaction,
  userId: UserId,
  spaces: readonly SpaceState[],
  leaving: readonly RangeRow[],
  put: { readonly space: number; readonly of: readonly EntryVectors[] },
): Promise<{ readonly spaces: readonly SpaceState[]; readonly ranges: ReadonlyMap<EntryId, RangeRow> }> {
  const changed: SpaceState[] = [];
  let ranges: ReadonlyMap<EntryId, RangeRow> = new Map();
  for (const space of spaces) {
    const rows = new SpaceRows(transaction, userId, space);
    await rows.remove(leaving.filter((range) => range.space === space.number));
    if (space.number === put.space) ranges = await rows.append(put.of);
    changed.push(rows.state);
  }
  return { spaces: changed, ranges };
}

/** The spaces with this one among them, and its number. */
export function withSpace(
  state: Pick<UserState, "spaces" | "nextSpace">,
  space: VectorSpace,
): Pick<UserState, "spaces" | "nextSpace"> & { readonly number: number } {
  const found = state.spaces.find((known) => isSpace(known, space));
  if (found) return { ...state, number: found.number };
  const number = state.nextSpace;
  return {
    spaces: [...state.spaces, { number, id: space.id, dimension: space.dimension, next: 0, rows: 0 }],
    nextSpace: number + 1,
    number,
  };
}

/** Deletes every row of these spaces. What entries keep of them does no harm: their numbers are never given again. */
export function withoutSpaces(
  transaction: WriteTransaction,
  userId: UserId,
  { spaces, nextSpace }: Pick<UserState, "spaces" | "nextSpace">,
  dropped: readonly VectorSpace[],
): Pick<UserState, "spaces" | "nextSpace"> {
  if (dropped.length === 0) return { spaces, nextSpace };
  const isDropped = (state: SpaceState) => dropped.some((space) => isSpace(state, space));
  for (const { number } of spaces.filter(isDropped)) {
    const range = IDBKeyRange.bound([userId, number], [userId, number, []]);
    for (const store of ["vectorTail", "vectorSegments"] as const) unwrap(transaction.objectStore(store)).delete(range);
  }
  return { spaces: spaces.filter((state) => !isDropped(state)), nextSpace };
}

export function isSpace(state: SpaceState, space: VectorSpace): boolean {
  return state.id === space.id && state.dimension === space.dimension;
}

/** Where rows of these entries lie, by the rows' own word: what a damaged entry says of its ranges cannot be trusted. */
export async function findRanges(
  transaction: WriteTransaction,
  userId: UserId,
  spaces: readonly SpaceState[],
  isMeant: (id: EntryId) => boolean,
): Promise<readonly RangeRow[]> {
  const found: RangeRow[] = [];
  for (const { number, dimension } of spaces) {
    const keys = await transaction.objectStore("vectorSegments").getAllKeys(withPrefix(userId, number));
    for (const key of keys) {
      const sealed = await transaction.objectStore("vectorSegments").get(key);
      if (!sealed || !isSoundSegment(sealed, dimension)) continue;
      for (const [offset, id] of sealed.entryIds.entries())
        if (id !== "" && isMeant(id)) found.push({ space: number, first: key[2] * ROWS_PER_SEGMENT + offset, count: 1 });
    }
    const tail = await transaction.objectStore("vectorTail").getAll(withPrefix(userId, number));
    for (const row of tail)
      if (isSoundTail(row, dimension) && isMeant(row.entryId)) found.push({ space: number, first: row.sequence, count: 1 });
  }
  return found;
}

/** One user's rows in one space. */
class SpaceRows {
  readonly #user: UserId;
  readonly #transaction: WriteTransaction;
  state: SpaceState;

  constructor(transaction: WriteTransaction, userId: UserId, state: SpaceState) {
    this.#transaction = transaction;
    this.#user = userId;
    this.state = state;
  }

  async remove(ranges: readonly RangeRow[]): Promise<void> {
    const { number, next, rows } = this.state;
    const bySegment = new Map<number, number[]>();
    let removed = 0;
    for (const { first, count } of ranges) {
      removed += count;
      for (let sequence = first; sequence < first + count; sequence++) {
        const segment = segmentOf(sequence);
        bySegment.set(segment, [...(bySegment.get(segment) ?? []), sequence]);
      }
    }
    const tail = unwrap(this.#transaction.objectStore("vectorTail"));
    for (const sequence of bySegment.get(segmentOf(next)) ?? []) tail.delete([this.#user, number, sequence]);
    bySegment.delete(segmentOf(next));
    await this.#blank(bySegment);
    this.state = { ...this.state, rows: rows - removed };
  }

  /** @returns where the rows of each entry went */
  async append(of: readonly EntryVectors[]): Promise<ReadonlyMap<EntryId, RangeRow>> {
    const { number, dimension, next, rows } = this.state;
    const added = of.reduce((sum, vectors) => sum + vectors.rows.length / dimension, 0);
    const unsealed = segmentOf(next + added);
    const tail = unwrap(this.#transaction.objectStore("vectorTail"));
    const segments = unwrap(this.#transaction.objectStore("vectorSegments"));
    const ranges = new Map<EntryId, RangeRow>();
    let open = unsealed > segmentOf(next) ? await this.#takeTail() : undefined;
    let sequence = next;
    for (const { entryId, rows: flat } of of) {
      ranges.set(entryId, { space: number, first: sequence, count: flat.length / dimension });
      for (let at = 0; at < flat.length; at += dimension, sequence++) {
        if (segmentOf(sequence) === unsealed) {
          // A copy: cloning a view would store the whole buffer behind it.
          tail.put(tailRow(sequence, entryId, flat.slice(at, at + dimension)), [this.#user, number, sequence]);
          continue;
        }
        open ??= new OpenSegment(dimension);
        open.set(sequence, entryId, flat.subarray(at, at + dimension));
        if (segmentOf(sequence + 1) === segmentOf(sequence)) continue;
        segments.put(open.seal(segmentOf(sequence)), [this.#user, number, segmentOf(sequence)]);
        open = undefined;
      }
    }
    this.state = { ...this.state, next: sequence, rows: rows + added };
    return ranges;
  }

  /** The rows of the tail, in a segment to be filled up; they leave the tail. */
  async #takeTail(): Promise<OpenSegment> {
    const { number, dimension, next } = this.state;
    const range = IDBKeyRange.bound(
      [this.#user, number, segmentOf(next) * ROWS_PER_SEGMENT],
      [this.#user, number, []],
      false,
      true,
    );
    const tail = this.#transaction.objectStore("vectorTail");
    const open = new OpenSegment(dimension);
    // A damaged row becomes a hole, by which its entry is known to have lost its vectors.
    for (const row of await tail.getAll(range)) if (isSoundTail(row, dimension)) open.set(row.sequence, row.entryId, row.row);
    unwrap(tail).delete(range);
    return open;
  }

  async #blank(bySegment: ReadonlyMap<number, readonly number[]>): Promise<void> {
    const store = this.#transaction.objectStore("vectorSegments");
    const { number, dimension } = this.state;
    // One at a time: a thousand forgotten entries may lie in as many segments.
    for (const [segment, rows] of bySegment) {
      const sealed = await store.get([this.#user, number, segment]);
      const blanked = sealed && blankRows(sealed, rows, dimension);
      if (blanked) unwrap(store).put(blanked, [this.#user, number, segment]);
      else unwrap(store).delete([this.#user, number, segment]);
    }
  }
}

/** The vector rows of a write: appended to the tail, sealed every 256, zeroed where their entry goes. */
import { unwrap } from "idb";
import type { EntryVectors, StoreWrite, VectorSpace } from "../../ports.js";
import type { EntryId, UserId } from "../../types.js";
import type { RangeRow, SpaceState, WriteTransaction } from "../schema.js";
import { OpenSegment, ROWS_PER_SEGMENT, blankRows, segmentOf } from "../segments.js";

/** @param removed entries that go
 * @param stored entries that had been stored before this write, so that only these are looked for
 * @returns the spaces after it */
export async function changeVectors(
  transaction: WriteTransaction,
  userId: UserId,
  spaces: readonly SpaceState[],
  change: { readonly removed: ReadonlySet<EntryId>; readonly put: StoreWrite["vectors"]; readonly stored: (id: EntryId) => boolean },
): Promise<readonly SpaceState[]> {
  const put = change.put && change.put.of.length > 0 ? change.put : undefined;
  const changed: SpaceState[] = [];
  for (const space of put ? withSpace(spaces, put.space) : spaces) {
    const of = put && isSpace(space, put.space) ? put.of : [];
    const replaced = of.map(({ entryId }) => entryId).filter(change.stored);
    const rows = new SpaceRows(transaction, userId, space);
    await rows.remove([...change.removed, ...replaced]);
    await rows.append(of);
    changed.push(rows.state);
  }
  return changed;
}

export function isSpace(state: SpaceState, space: VectorSpace): boolean {
  return state.id === space.id && state.dimension === space.dimension;
}

function withSpace(spaces: readonly SpaceState[], space: VectorSpace): readonly SpaceState[] {
  if (spaces.some((state) => isSpace(state, space))) return spaces;
  const number = Math.max(-1, ...spaces.map((state) => state.number)) + 1;
  return [...spaces, { number, id: space.id, dimension: space.dimension, next: 0, rows: 0 }];
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

  async remove(entryIds: readonly EntryId[]): Promise<void> {
    const { number, next, rows } = this.state;
    const ranges = this.#transaction.objectStore("vectorRanges");
    const found = await Promise.all(entryIds.map((id) => ranges.get([this.#user, number, id])));
    const bySegment = new Map<number, number[]>();
    let removed = 0;
    found.forEach((range, index) => {
      if (!range) return;
      removed += range.count;
      unwrap(ranges).delete([this.#user, number, entryIds[index]!]);
      for (const sequence of sequences(range)) bySegment.set(segmentOf(sequence), [...(bySegment.get(segmentOf(sequence)) ?? []), sequence]);
    });
    const tail = unwrap(this.#transaction.objectStore("vectorTail"));
    for (const sequence of bySegment.get(segmentOf(next)) ?? []) tail.delete([this.#user, number, sequence]);
    bySegment.delete(segmentOf(next));
    await this.#blank(bySegment);
    this.state = { ...this.state, rows: rows - removed };
  }

  async append(of: readonly EntryVectors[]): Promise<void> {
    const { number, dimension, next, rows } = this.state;
    const added = of.reduce((sum, vectors) => sum + vectors.rows.length / dimension, 0);
    const unsealed = segmentOf(next + added);
    const tail = unwrap(this.#transaction.objectStore("vectorTail"));
    const segments = unwrap(this.#transaction.objectStore("vectorSegments"));
    const ranges = unwrap(this.#transaction.objectStore("vectorRanges"));
    let open = unsealed > segmentOf(next) ? await this.#takeTail() : undefined;
    let sequence = next;
    for (const { entryId, rows: flat } of of) {
      const range: RangeRow = { first: sequence, count: flat.length / dimension };
      ranges.put(range, [this.#user, number, entryId]);
      for (let at = 0; at < flat.length; at += dimension, sequence++) {
        if (segmentOf(sequence) === unsealed) {
          // A copy: cloning a view would store the whole buffer behind it.
          tail.put({ sequence, entryId, row: flat.slice(at, at + dimension) }, [this.#user, number, sequence]);
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
  }

  /** The rows of the tail, in a segment to be filled up; they leave the tail. */
  async #takeTail(): Promise<OpenSegment> {
    const { number, dimension, next } = this.state;
    const range = IDBKeyRange.bound([this.#user, number, segmentOf(next) * ROWS_PER_SEGMENT], [this.#user, number, []], false, true);
    const tail = this.#transaction.objectStore("vectorTail");
    const open = new OpenSegment(dimension);
    for (const { sequence, entryId, row } of await tail.getAll(range)) open.set(sequence, entryId, row);
    unwrap(tail).delete(range);
    return open;
  }

  async #blank(bySegment: ReadonlyMap<number, readonly number[]>): Promise<void> {
    const store = this.#transaction.objectStore("vectorSegments");
    const { number } = this.state;
    // One at a time: a thousand forgotten entries may lie in as many segments.
    for (const [segment, rows] of bySegment) {
      const sealed = await store.get([this.#user, number, segment]);
      const blanked = sealed && blankRows(sealed, rows);
      if (blanked) unwrap(store).put(blanked, [this.#user, number, segment]);
      else unwrap(store).delete([this.#user, number, segment]);
    }
  }
}

function sequences({ first, count }: RangeRow): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

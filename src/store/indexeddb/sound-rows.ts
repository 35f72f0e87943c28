/** Vector rows by their place, as far as they are sound: how it is told that an entry's vectors are whole. */
import type { EntryId, UserId } from "../../types.js";
import type { RangeRow, ReadTransaction, SpaceState, WriteTransaction } from "../schema.js";
import { isSoundSegment, ROWS_PER_SEGMENT, segmentOf } from "../segments.js";
import { isSoundTail } from "./rows.js";

/** Rows of the segments and the tail that some ranges lie in, as far as they are sound. */
export class SoundRows {
  readonly #rows = new Map<number, { readonly entryId: EntryId; readonly row: Float32Array }>();
  readonly #dimension: number;

  private constructor(dimension: number) {
    this.#dimension = dimension;
  }

  static async of(
    given: ReadTransaction | WriteTransaction,
    { userId, space }: { readonly userId: UserId; readonly space: SpaceState },
    ranges: readonly RangeRow[],
  ): Promise<SoundRows> {
    // One store of either transaction; the union of both is more than the compiler can follow.
    const transaction = given as ReadTransaction;
    const { dimension, number } = space;
    const found = new SoundRows(dimension);
    const touched = new Set<number>();
    for (const { first, count } of ranges)
      for (let segment = segmentOf(first); segment <= segmentOf(first + count - 1); segment++) touched.add(segment);
    for (const segment of touched) {
      const sealed = await transaction.objectStore("vectorSegments").get([userId, number, segment]);
      if (!sealed || !isSoundSegment(sealed, dimension)) continue;
      for (const [offset, entryId] of sealed.entryIds.entries()) {
        if (entryId === "") continue;
        const row = sealed.rows.subarray(offset * dimension, (offset + 1) * dimension);
        found.#rows.set(segment * ROWS_PER_SEGMENT + offset, { entryId, row });
      }
    }
    const tailStart = segmentOf(space.next);
    if (touched.size > 0 && Math.max(...touched) >= tailStart) {
      const tail = await transaction.objectStore("vectorTail").getAll(tailRange(userId, number, tailStart));
      for (const row of tail) if (isSoundTail(row, dimension)) found.#rows.set(row.sequence, row);
    }
    return found;
  }

  has(id: EntryId, { first, count }: RangeRow): boolean {
    for (let sequence = first; sequence < first + count; sequence++) if (this.#rows.get(sequence)?.entryId !== id) return false;
    return true;
  }

  /** The rows of an entry, or `undefined` unless all of them are there. */
  of(id: EntryId, range: RangeRow): Float32Array | undefined {
    if (!this.has(id, range)) return undefined;
    const flat = new Float32Array(range.count * this.#dimension);
    for (let row = 0; row < range.count; row++) flat.set(this.#rows.get(range.first + row)?.row ?? [], row * this.#dimension);
    return flat;
  }
}

/** Rows of the tail from a segment's start on. */
export function tailRange(userId: UserId, space: number, segment: number): IDBKeyRange {
  return IDBKeyRange.bound([userId, space, segment * ROWS_PER_SEGMENT], [userId, space, []], false, true);
}

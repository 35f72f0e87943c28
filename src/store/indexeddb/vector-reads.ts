/** Reads vectors of one space: all of them in segments, or those of single entries. */
import type { VectorSegment } from "../../ports.js";
import type { EntryId, UserId } from "../../types.js";
import type { ReadTransaction, SegmentRow, SpaceState, TailRow } from "../schema.js";
import { checkSegment, liveRows, ROWS_PER_SEGMENT, segmentOf } from "../segments.js";
import type { Connection } from "./connection.js";
import { EntryBlocks } from "./entries.js";

/** Bytes of vectors that one transaction reads. */
const PAGE_BYTES = 8 * 2 ** 20;

interface SegmentPage {
  readonly sealed: readonly SegmentRow[];
  /** Given with the last page, by the same transaction: what a write seals in the meantime is in one of the two. */
  readonly tail: readonly TailRow[] | undefined;
}

/** Every row, in the order of writing. Rows that are written or removed while it runs may come or not; an entry that
 * is replaced may come twice, and the later is the newer. */
export async function* readSegments(connection: Connection, userId: UserId, space: SpaceState): AsyncGenerator<VectorSegment> {
  const limit = Math.max(1, Math.floor(PAGE_BYTES / (ROWS_PER_SEGMENT * space.dimension * 4)));
  const read = (from: number) =>
    connection.run("readonly", ["vectorSegments", "vectorTail"], (transaction) =>
      readSegmentPage(transaction, userId, space, from, limit),
    );
  for (let from = 0; ; ) {
    const { sealed, tail } = await read(from);
    for (const segment of sealed) {
      connection.checkOpen();
      yield liveRows(segment, space.dimension, connection.name);
    }
    if (tail) {
      connection.checkOpen();
      if (tail.length > 0) yield tailRows(tail, space.dimension);
      return;
    }
    from = sealed.at(-1)!.segment + 1;
  }
}

/** In the order asked. */
export async function readVectorsOf(
  connection: Connection,
  userId: UserId,
  space: SpaceState,
  ids: readonly EntryId[],
): Promise<(Float32Array | undefined)[]> {
  const { dimension, number } = space;
  return connection.run("readonly", ["entries", "vectorSegments", "vectorTail"], async (transaction) => {
    const entries = await new EntryBlocks(transaction, userId).find(ids);
    const ranges = ids.map((id) => entries.get(id)?.ranges.find((range) => range.space === number));
    const touched = new Set<number>();
    for (const range of ranges) {
      if (!range) continue;
      for (let segment = segmentOf(range.first); segment <= segmentOf(range.first + range.count - 1); segment++)
        touched.add(segment);
    }
    const rows = new Map<number, Float32Array>();
    for (const segment of touched) {
      const sealed = await transaction.objectStore("vectorSegments").get([userId, number, segment]);
      if (sealed) {
        checkSegment(sealed, dimension, connection.name);
        for (let offset = 0; offset < ROWS_PER_SEGMENT; offset++)
          rows.set(segment * ROWS_PER_SEGMENT + offset, sealed.rows.subarray(offset * dimension, (offset + 1) * dimension));
      } else {
        const tail = await transaction.objectStore("vectorTail").getAll(tailRange(userId, number, segment));
        for (const { sequence, row } of tail) rows.set(sequence, row);
      }
    }
    return ranges.map((range) => {
      if (!range) return undefined;
      const flat = new Float32Array(range.count * dimension);
      for (let row = 0; row < range.count; row++) flat.set(rows.get(range.first + row) ?? [], row * dimension);
      return flat;
    });
  });
}

async function readSegmentPage(
  transaction: ReadTransaction,
  userId: UserId,
  space: SpaceState,
  from: number,
  limit: number,
): Promise<SegmentPage> {
  const range = IDBKeyRange.bound([userId, space.number, from], [userId, space.number, []], false, true);
  const sealed = await transaction.objectStore("vectorSegments").getAll(range, limit);
  if (sealed.length === limit) return { sealed, tail: undefined };
  return { sealed, tail: await transaction.objectStore("vectorTail").getAll(tailRange(userId, space.number, from)) };
}

/** Rows of the tail from a segment's start on. */
function tailRange(userId: UserId, space: number, segment: number): IDBKeyRange {
  return IDBKeyRange.bound([userId, space, segment * ROWS_PER_SEGMENT], [userId, space, []], false, true);
}

function tailRows(tail: readonly TailRow[], dimension: number): VectorSegment {
  const rows = new Float32Array(tail.length * dimension);
  for (const [index, { row }] of tail.entries()) rows.set(row, index * dimension);
  return { entryIds: tail.map(({ entryId }) => entryId), rows };
}

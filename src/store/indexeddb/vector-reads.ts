/** Reads vectors of one space: all of them in segments, or those of single entries. What is damaged or lost is noted. */
import type { VectorSegment } from "../../ports.js";
import type { EntryId, UserId } from "../../types.js";
import type { DamageLog } from "../damage.js";
import type { EntryRow, RangeRow, ReadTransaction, SegmentRow, SpaceState, TailRow } from "../schema.js";
import { isSoundSegment, liveRows, ROWS_PER_SEGMENT } from "../segments.js";
import type { Connection } from "./connection.js";
import { EntryBlocks } from "./entries.js";
import { withPrefix } from "./ranges.js";
import { blockRows, isSoundTail, readState } from "./rows.js";
import { SoundRows, tailRange } from "./sound-rows.js";

/** Bytes of vectors that one transaction reads. */
const PAGE_BYTES = 8 * 2 ** 20;

interface SegmentPage {
  readonly sealed: readonly SegmentRow[];
  readonly segments: readonly number[];
  /** Given with the last page, by the same transaction: what a write seals in the meantime is in one of the two. */
  readonly tail: readonly TailRow[] | undefined;
  /** Rows that there should be in all, given with the last page. */
  readonly rows: number;
}

/** What a space's vectors are read from. */
export interface SpaceReads {
  readonly connection: Connection;
  readonly userId: UserId;
  readonly space: SpaceState;
  readonly log: DamageLog;
}

/** Every row that is sound, in the order of writing. Rows that are written or removed while it runs may come or not; an
 * entry that is replaced may come twice, and the later is the newer. */
export async function* readSegments(reads: SpaceReads): AsyncGenerator<VectorSegment> {
  const { connection, space } = reads;
  const limit = Math.max(1, Math.floor(PAGE_BYTES / (ROWS_PER_SEGMENT * space.dimension * 4)));
  let found = 0;
  let isWhole = true;
  for (let from = 0; ; ) {
    const page = await connection.run("readonly", ["users", "vectorSegments", "vectorTail"], (transaction) =>
      readSegmentPage(transaction, reads, from, limit),
    );
    for (const segment of page.sealed) {
      connection.checkOpen();
      if (!isSoundSegment(segment, space.dimension)) {
        isWhole = false;
        continue;
      }
      const live = liveRows(segment, space.dimension);
      found += live.entryIds.length;
      yield live;
    }
    if (page.tail) {
      connection.checkOpen();
      const tail = page.tail.filter((row) => isSoundTail(row, space.dimension));
      found += tail.length;
      if (tail.length > 0) yield tailRows(tail, space.dimension);
      // Fewer rows than were counted: a record is gone as a whole.
      if (!isWhole || tail.length < page.tail.length || found < page.rows) await noteLost(reads);
      return;
    }
    from = (page.segments.at(-1) as number) + 1;
  }
}

/** In the order asked. */
export async function readVectorsOf(reads: SpaceReads, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]> {
  const { connection, userId, space, log } = reads;
  return connection.run("readonly", ["entries", "vectorSegments", "vectorTail"], async (transaction) => {
    const entries = await new EntryBlocks(transaction, userId, log).find(ids);
    const wanted = ids.map((id) => rangeIn(entries.get(id), space));
    const rows = await SoundRows.of(
      transaction,
      reads,
      wanted.flatMap((range) => range ?? []),
    );
    const found = ids.map((id, at) => wanted[at] && rows.of(id, wanted[at]));
    const lost = ids.filter((_, at) => wanted[at] && !found[at]);
    if (lost.length > 0) note(reads, lost);
    return found;
  });
}

/** Looks for every entry whose vectors are no longer whole. */
async function noteLost(reads: SpaceReads): Promise<void> {
  const { connection, userId, space, log } = reads;
  const lost = await connection.run("readonly", ["entries", "vectorSegments", "vectorTail"], async (transaction) => {
    const store = transaction.objectStore("entries");
    const [keys, blocks] = await Promise.all([store.getAllKeys(withPrefix(userId)), store.getAll(withPrefix(userId))]);
    const placed = blocks
      .flatMap((block, at) => blockRows(block, keys[at]?.[1] ?? "", log).sound)
      .flatMap((row) => {
        const range = rangeIn(row, space);
        return range ? [{ id: row.id, range }] : [];
      });
    const rows = await SoundRows.of(
      transaction,
      reads,
      placed.map(({ range }) => range),
    );
    return placed.filter(({ id, range }) => !rows.has(id, range)).map(({ id }) => id);
  });
  if (lost.length > 0) note(reads, lost);
}

function note({ log, space, connection }: SpaceReads, entryIds: readonly EntryId[]): void {
  const reason = `the vectors of ${entryIds.length} entries in "${connection.name}" fail their checksum or are gone`;
  log.note({ kind: "vectors", space: { id: space.id, dimension: space.dimension }, entryIds, reason });
}

function rangeIn(row: EntryRow | undefined, space: SpaceState): RangeRow | undefined {
  return row?.ranges.find((range) => range.space === space.number);
}

async function readSegmentPage(
  transaction: ReadTransaction,
  { userId, space }: SpaceReads,
  from: number,
  limit: number,
): Promise<SegmentPage> {
  const range = IDBKeyRange.bound([userId, space.number, from], [userId, space.number, []], false, true);
  const store = transaction.objectStore("vectorSegments");
  const [keys, sealed] = await Promise.all([store.getAllKeys(range, limit), store.getAll(range, limit)]);
  const segments = keys.map(([, , segment]) => segment);
  if (sealed.length === limit) return { sealed, segments, tail: undefined, rows: 0 };
  const [tail, { spaces }] = await Promise.all([
    transaction.objectStore("vectorTail").getAll(tailRange(userId, space.number, from)),
    readState(transaction, userId),
  ]);
  return { sealed, segments, tail, rows: spaces.find(({ number }) => number === space.number)?.rows ?? 0 };
}

function tailRows(tail: readonly TailRow[], dimension: number): VectorSegment {
  const rows = new Float32Array(tail.length * dimension);
  for (const [index, { row }] of tail.entries()) rows.set(row, index * dimension);
  return { entryIds: tail.map(({ entryId }) => entryId), rows };
}

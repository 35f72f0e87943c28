/** Sealed runs of vector rows: how one is filled, emptied in places, checked and read. */

import { crc32 } from "../bytes/crc32.js";
import type { VectorSegment } from "../ports.js";
import type { EntryId } from "../types.js";
import { isRecord } from "./row-shapes.js";
import type { SegmentRow } from "./schema.js";

/** Rows of a sealed segment: 384 KB at 384 dimensions, so 10^4 entries are some sixty records. */
export const ROWS_PER_SEGMENT = 256;

/** The segment that a row lies in. */
export function segmentOf(sequence: number): number {
  return Math.floor(sequence / ROWS_PER_SEGMENT);
}

/** A segment while it is filled. */
export class OpenSegment {
  readonly #dimension: number;
  readonly #entryIds: (EntryId | "")[] = new Array<EntryId | "">(ROWS_PER_SEGMENT).fill("");
  readonly #rows: Float32Array;

  constructor(dimension: number) {
    this.#dimension = dimension;
    this.#rows = new Float32Array(ROWS_PER_SEGMENT * dimension);
  }

  set(sequence: number, entryId: EntryId, row: Float32Array): void {
    const offset = sequence % ROWS_PER_SEGMENT;
    this.#entryIds[offset] = entryId;
    this.#rows.set(row, offset * this.#dimension);
  }

  /** What was never set is a hole. */
  seal(segment: number): SegmentRow {
    return { segment, entryIds: this.#entryIds, rows: this.#rows, crc: crc32(this.#rows) };
  }
}

/** The segment with its rows at `sequences` zeroed, so that nothing of a forgotten entry stays; `undefined` when only holes
 * are left, and for a damaged segment: a new checksum would pass it off as sound. */
export function blankRows(sealed: SegmentRow, sequences: readonly number[], dimension: number): SegmentRow | undefined {
  if (!isSoundSegment(sealed, dimension)) return undefined;
  const entryIds = [...sealed.entryIds];
  const rows = sealed.rows.slice();
  for (const sequence of sequences) {
    const offset = sequence % ROWS_PER_SEGMENT;
    entryIds[offset] = "";
    rows.fill(0, offset * dimension, (offset + 1) * dimension);
  }
  return entryIds.every((id) => id === "") ? undefined : { segment: sealed.segment, entryIds, rows, crc: crc32(rows) };
}

/** The rows of a sound segment that are not holes. */
export function liveRows({ entryIds, rows }: SegmentRow, dimension: number): VectorSegment {
  if (!entryIds.includes("")) return { entryIds: entryIds as readonly EntryId[], rows };
  const live = entryIds.filter((id): id is EntryId => id !== "");
  const kept = new Float32Array(live.length * dimension);
  let length = 0;
  entryIds.forEach((id, offset) => {
    if (id === "") return;
    kept.set(rows.subarray(offset * dimension, (offset + 1) * dimension), length);
    length += dimension;
  });
  return { entryIds: live, rows: kept };
}

/** Whether a segment has the shape that was stored, and its checksum. */
export function isSoundSegment(sealed: SegmentRow, dimension: number): boolean {
  return (
    isRecord(sealed) &&
    Number.isInteger(sealed.segment) &&
    Array.isArray(sealed.entryIds) &&
    sealed.entryIds.length === ROWS_PER_SEGMENT &&
    sealed.rows instanceof Float32Array &&
    sealed.rows.length === ROWS_PER_SEGMENT * dimension &&
    crc32(sealed.rows) === sealed.crc
  );
}

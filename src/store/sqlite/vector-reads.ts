/** Vector rows as SQLite keeps them: one blob for each entry and space, with its checksum. */
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";
import type { VectorSegment, VectorSpace } from "../../ports.js";
import type { EntryId } from "../../types.js";
import { crc32 } from "../crc32.js";
import { fromKey, toKey } from "./key.js";

/** Entries whose vectors are read at once. */
const ENTRIES_PER_SEGMENT = 256;

const IN_SPACE = "space = (SELECT id FROM spaces WHERE user = ? AND name = ? AND dimension = ?)";

interface VectorRow {
  readonly position: number;
  readonly entry: Buffer;
  readonly rows: Buffer;
  readonly crc: number;
}

/** The vectors of the next entries in the order of writing, and where to go on; `undefined` at the end.
 * @throws MemoryError "storage-corrupt" naming the entry */
export function readSegment(
  database: Database,
  user: number,
  space: VectorSpace,
  after: number,
): { readonly segment: VectorSegment; readonly last: number } | undefined {
  const select = database.prepare<unknown[], VectorRow>(
    `SELECT position, entry, rows, crc FROM vectors WHERE ${IN_SPACE} AND position > ? ORDER BY position LIMIT ${ENTRIES_PER_SEGMENT}`,
  );
  const found = select.all(user, toKey(space.id), space.dimension, after);
  const last = found.at(-1);
  if (!last) return undefined;
  const runs = found.map((row) => ({ entryId: fromKey(row.entry) as EntryId, rows: checkedRows(row) }));
  const rows = new Float32Array(runs.reduce((length, run) => length + run.rows.length, 0));
  const entryIds: EntryId[] = [];
  for (const run of runs) {
    rows.set(run.rows, entryIds.length * space.dimension);
    for (let row = 0; row < run.rows.length / space.dimension; row++) entryIds.push(run.entryId);
  }
  return { segment: { entryIds, rows }, last: last.position };
}

/** In the order asked.
 * @throws MemoryError "storage-corrupt" naming the entry */
export function readVectorsOf(
  database: Database,
  user: number,
  space: VectorSpace,
  ids: readonly EntryId[],
): (Float32Array | undefined)[] {
  const select = database.prepare<unknown[], VectorRow>(
    `SELECT position, entry, rows, crc FROM vectors WHERE ${IN_SPACE} AND entry = ?`,
  );
  return ids.map((id) => {
    const row = select.get(user, toKey(space.id), space.dimension, toKey(id));
    return row && checkedRows(row);
  });
}

/** Spaces that hold vectors, in the order in which they were first written. */
export function readSpaces(database: Database, user: number): (VectorSpace & { readonly rows: number })[] {
  const select = database.prepare<[number], { name: Buffer; dimension: number; rows: number }>(
    `SELECT name, dimension, SUM(LENGTH(rows)) / 4 / dimension AS rows FROM spaces JOIN vectors ON vectors.space = spaces.id
      WHERE user = ? GROUP BY spaces.id ORDER BY spaces.id`,
  );
  return select.all(user).map((row) => ({ id: fromKey(row.name), dimension: row.dimension, rows: row.rows }));
}

function checkedRows(row: VectorRow): Float32Array {
  // SQLite's buffer need not begin at a multiple of four.
  const rows = new Float32Array(row.rows.byteLength / 4);
  new Uint8Array(rows.buffer).set(row.rows);
  if (crc32(rows) === row.crc) return rows;
  throw new MemoryError(
    "storage-corrupt",
    `the vectors of the entry ${fromKey(row.entry)} fail their checksum; rebuild the memory from its texts`,
  );
}

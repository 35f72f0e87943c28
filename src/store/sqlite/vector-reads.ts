/** Vector rows as SQLite keeps them: one blob for each entry and space, with its checksum. */
import type { Database } from "better-sqlite3";
import { crc32 } from "../../bytes/crc32.js";
import type { VectorSegment, VectorSpace } from "../../ports.js";
import type { EntryId } from "../../types.js";
import type { DamageLog } from "../damage.js";
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

/** What vectors are read from. */
export interface VectorReads {
  readonly database: Database;
  readonly user: number;
  readonly space: VectorSpace;
  readonly log: DamageLog;
}

/** The vectors of the next entries in the order of writing, and where to go on; `undefined` at the end. */
export function readSegment(
  { database, user, space, log }: VectorReads,
  after: number,
): { readonly segment: VectorSegment; readonly last: number } | undefined {
  const select = database.prepare<unknown[], VectorRow>(
    `SELECT position, entry, rows, crc FROM vectors WHERE ${IN_SPACE} AND position > ? ORDER BY position LIMIT ${ENTRIES_PER_SEGMENT}`,
  );
  const found = select.all(user, toKey(space.id), space.dimension, after);
  const last = found.at(-1);
  if (!last) return undefined;
  const read = found.map((row) => ({ entryId: fromKey(row.entry) as EntryId, rows: soundRows(row, space) }));
  const runs = read.flatMap(({ entryId, rows: flat }) => (flat ? [{ entryId, rows: flat }] : []));
  note(
    log,
    space,
    read.filter(({ rows: flat }) => !flat).map(({ entryId }) => entryId),
  );
  const rows = new Float32Array(runs.reduce((length, run) => length + run.rows.length, 0));
  const entryIds: EntryId[] = [];
  for (const run of runs) {
    rows.set(run.rows, entryIds.length * space.dimension);
    for (let row = 0; row < run.rows.length / space.dimension; row++) entryIds.push(run.entryId);
  }
  return { segment: { entryIds, rows }, last: last.position };
}

/** In the order asked. */
export function readVectorsOf(
  { database, user, space, log }: VectorReads,
  ids: readonly EntryId[],
): (Float32Array | undefined)[] {
  const select = database.prepare<unknown[], VectorRow>(
    `SELECT position, entry, rows, crc FROM vectors WHERE ${IN_SPACE} AND entry = ?`,
  );
  const lost: EntryId[] = [];
  const found = ids.map((id) => {
    const row = select.get(user, toKey(space.id), space.dimension, toKey(id));
    const rows = row && soundRows(row, space);
    if (row && !rows) lost.push(id);
    return rows;
  });
  note(log, space, lost);
  return found;
}

/** Spaces that hold vectors, in the order in which they were first written. */
export function readSpaces(database: Database, user: number): (VectorSpace & { readonly rows: number })[] {
  const select = database.prepare<[number], { name: Buffer; dimension: number; rows: number }>(
    `SELECT name, dimension, SUM(LENGTH(rows)) / 4 / dimension AS rows FROM spaces JOIN vectors ON vectors.space = spaces.id
      WHERE user = ? GROUP BY spaces.id ORDER BY spaces.id`,
  );
  return select.all(user).map((row) => ({ id: fromKey(row.name), dimension: row.dimension, rows: row.rows }));
}

function note(log: DamageLog, space: VectorSpace, entryIds: readonly EntryId[]): void {
  if (entryIds.length === 0) return;
  const reason = `the vectors of ${entryIds.length} entries, ${entryIds[0]} the first, fail their checksum`;
  log.note({ kind: "vectors", space: { id: space.id, dimension: space.dimension }, entryIds, reason });
}

function soundRows(row: VectorRow, { dimension }: VectorSpace): Float32Array | undefined {
  if (!(row.rows instanceof Uint8Array) || row.rows.byteLength % (4 * dimension) !== 0) return undefined;
  // SQLite's buffer need not begin at a multiple of four.
  const rows = new Float32Array(row.rows.byteLength / 4);
  new Uint8Array(rows.buffer).set(row.rows);
  return crc32(rows) === row.crc ? rows : undefined;
}

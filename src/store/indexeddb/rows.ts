/** Rows with their checksums: how one is made, and what of one that was read can be trusted. */

import { crc32 } from "../../bytes/crc32.js";
import { MemoryError } from "../../errors.js";
import type { Entry, EntryId, Turn, TurnId, UserId } from "../../types.js";
import { checksumOf } from "../checksum.js";
import { type DamageLog, turnsNamedIn } from "../damage.js";
import { isEntry, isRecord, isTurn } from "../row-shapes.js";
import {
  type EntryBlock,
  type EntryRow,
  NO_STATE,
  type RangeRow,
  type ReadTransaction,
  type TailRow,
  type TurnRow,
  type UserState,
  type WriteTransaction,
} from "../schema.js";

export function entryRow(entry: Entry, ranges: readonly RangeRow[]): EntryRow {
  return { id: entry.id, entry, ranges, checksum: checksumOf([entry, ranges]) };
}

export function turnRow(user: UserId, turn: Turn): TurnRow {
  return { user, turn, checksum: checksumOf(turn) };
}

/** A block's rows; the damaged ones, which are noted, apart, so that a write to the block leaves them as they are. */
export interface BlockRows {
  readonly sound: readonly EntryRow[];
  readonly damaged: readonly EntryRow[];
}

export function blockRows(block: EntryBlock | undefined, first: string, log: DamageLog): BlockRows {
  if (block === undefined) return { sound: [], damaged: [] };
  if (!isRecord(block) || !Array.isArray(block.rows)) {
    const reason = `a block of entries is not of the shape that was stored`;
    log.note({ kind: "entry", id: first as EntryId, isRun: true, turnIds: turnsNamedIn(block), reason });
    return { sound: [], damaged: [] };
  }
  const rows: readonly EntryRow[] = block.rows;
  const damaged = rows.filter((row) => !isSound(row));
  for (const row of damaged) {
    const id = isRecord(row) && typeof row.id === "string" ? row.id : `(unnamed, in the block of ${first})`;
    log.note({ kind: "entry", id: id as EntryId, turnIds: turnsNamedIn(row), reason: `the entry ${id} fails its checksum` });
  }
  return { sound: damaged.length === 0 ? rows : rows.filter((row) => !damaged.includes(row)), damaged };
}

function isSound(row: EntryRow): boolean {
  return (
    isRecord(row) &&
    isEntry(row.entry) &&
    row.entry.id === row.id &&
    Array.isArray(row.ranges) &&
    row.checksum === checksumOf([row.entry, row.ranges])
  );
}

/** The turn of a row, or `undefined` for none and for a damaged one, which is noted. */
export function soundTurn(row: TurnRow | undefined, log: DamageLog, id?: TurnId): Turn | undefined {
  if (row === undefined) return undefined;
  if (isRecord(row) && isTurn(row.turn) && row.checksum === checksumOf(row.turn)) return row.turn;
  const named = id ?? (isRecord(row) && isRecord(row.turn) ? String(row.turn.id) : "(unnamed)");
  log.note({ kind: "turn", id: named as TurnId, reason: `the turn ${named} fails its checksum` });
  return undefined;
}

export function tailRow(sequence: number, entryId: EntryId, row: Float32Array): TailRow {
  return { sequence, entryId, row, crc: crc32(row) };
}

export function isSoundTail(tail: TailRow, dimension: number): boolean {
  return (
    isRecord(tail) &&
    Number.isInteger(tail.sequence) &&
    tail.row instanceof Float32Array &&
    tail.row.length === dimension &&
    (tail.crc === undefined || crc32(tail.row) === tail.crc)
  );
}

/** The counters of a user.
 * @throws MemoryError "storage-corrupt" when they are not what was stored */
export async function readState(transaction: ReadTransaction | WriteTransaction, userId: UserId): Promise<UserState> {
  // One store of either transaction; the union of both is more than the compiler can follow.
  const state = (await (transaction as ReadTransaction).objectStore("users").get(userId)) ?? NO_STATE;
  if (isState(state)) return state;
  throw new MemoryError(
    "storage-corrupt",
    `the counters of the user "${userId}" are not of the shape that was stored; call repair`,
  );
}

function isState(state: UserState): boolean {
  return (
    isRecord(state) &&
    [state.revision, state.turns, state.entries, state.nextSequence, state.nextSpace].every(Number.isInteger) &&
    Array.isArray(state.spaces) &&
    state.spaces.every(
      (space) => isRecord(space) && [space.number, space.dimension, space.next, space.rows].every(Number.isInteger),
    )
  );
}

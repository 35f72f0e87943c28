/** Bodies as SQLite keeps them, JSON beside its checksum: what of them can be trusted. */
import type { Entry, EntryId, Turn, TurnId } from "../../types.js";
import { checksumOf } from "../checksum.js";
import { type DamageLog, turnsNamedIn } from "../damage.js";
import { isEntry, isTurn } from "../row-shapes.js";
import { fromKey } from "./key.js";

export interface BodyRow {
  readonly id: Buffer;
  readonly body: string;
  /** `undefined` in a file of version 1, which had none. */
  readonly checksum: number | null | undefined;
}

/** The entry of a row, or `undefined` for a damaged one, which is noted. */
export function soundEntry(row: BodyRow, log: DamageLog): Entry | undefined {
  const entry = sound(row);
  if (isEntry(entry)) return entry;
  const id = fromKey(row.id);
  const reason = `the entry ${id} fails its checksum`;
  log.note({ kind: "entry", id: id as EntryId, turnIds: turnsNamedIn(String(row.body)), reason });
  return undefined;
}

/** The turn of a row, or `undefined` for a damaged one, which is noted. */
export function soundTurn(row: BodyRow, log: DamageLog): Turn | undefined {
  const turn = sound(row);
  if (isTurn(turn)) return turn;
  const id = fromKey(row.id);
  log.note({ kind: "turn", id: id as TurnId, reason: `the turn ${id} fails its checksum` });
  return undefined;
}

function sound({ body, checksum }: BodyRow): unknown {
  if (typeof body !== "string" || (checksum !== undefined && checksumOf(body) !== checksum)) return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

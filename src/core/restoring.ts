/** Merges a backup into what is stored: adds what is missing, replaces what is older, leaves the rest, and brings back nothing that was
 * forgotten. Restoring twice, or going on after a kill, changes nothing more. */

import type { ByteSource } from "../backup/byte-reader.js";
import type { BackupDamage, BackupRow } from "../backup/format.js";
import { rereadable } from "../backup/peek.js";
import { readBackup } from "../backup/read-backup.js";
import { MemoryError } from "../errors.js";
import type { EntryId, ImportOptions, ImportReport, TurnId } from "../types.js";
import { pause } from "./pause.js";
import { RestoreTally } from "./restore-tally.js";
import { RestoredConversations } from "./restored-conversations.js";
import { RestoredRows, type RestoringParts } from "./restored-rows.js";

/** Rows written at once: some tens of milliseconds, after which another write comes through. */
const SLICE = 256;
type Told = Pick<ImportOptions, "password" | "partial" | "onProgress">;

/** Restores a backup. It is read twice: nothing is written before all of it was found whole.
 * @throws MemoryError "backup-damaged" with the place of the damage, and nothing was restored then; "wrong-password",
 * "unsupported"; the signal's reason, and what was restored by then stays */
export async function restoreBackup(
  given: ByteSource,
  { password, partial = false, onProgress }: Told,
  parts: RestoringParts,
  signal: AbortSignal | undefined,
): Promise<ImportReport> {
  const source = await rereadable(given, signal);
  const tally = new RestoreTally(source.size, onProgress);
  const checked = await checkBackup(source, password, tally, signal);
  const { damage } = checked;
  if (damage && !partial) throw refused(damage);
  const rows = new RestoredRows({
    ...parts,
    conversations: new RestoredConversations(parts.store),
    tally,
    hasGraph: checked.hasGraph && !damage,
  });
  try {
    for await (const piece of ahead(readBackup(source, { password }))) {
      if ("damage" in piece) {
        if (damage) break;
        throw refused(piece.damage);
      }
      if (piece.bytes > checked.bytes) break;
      const kept = piece.rows.filter((row) => !isRemoved(row, checked));
      for (let from = 0; from < kept.length; from += SLICE) {
        signal?.throwIfAborted();
        const slice = kept.slice(from, from + SLICE);
        await parts.inQueue(() => rows.write(slice, signal));
        await pause();
      }
      tally.read(source.size + piece.bytes);
    }
    await parts.inQueue(() => rows.writeMeta(signal));
  } finally {
    // Also what was restored before it ended is embedded.
    parts.wake();
  }
  tally.read(2 * source.size);
  return tally.report(damage);
}

/** Asks for the next piece while the one before is worked on: the platform inflates it meanwhile. */
async function* ahead<T>(pieces: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = pieces.next();
  try {
    for (let piece = await next; !piece.done; piece = await next) {
      next = pieces.next();
      // Told when its turn comes.
      next.catch(() => undefined);
      yield piece.value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

interface Checked {
  /** How far it is whole. */
  readonly bytes: number;
  readonly damage: BackupDamage | undefined;
  readonly removedEntries: ReadonlySet<EntryId>;
  readonly removedTurns: ReadonlySet<TurnId>;
  readonly hasGraph: boolean;
}

async function checkBackup(
  source: Blob,
  password: string | undefined,
  tally: RestoreTally,
  signal: AbortSignal | undefined,
): Promise<Checked> {
  const removedEntries = new Set<EntryId>();
  const removedTurns = new Set<TurnId>();
  let bytes = 0;
  let hasGraph = false;
  for await (const piece of readBackup(source, { password })) {
    signal?.throwIfAborted();
    if ("damage" in piece) return { bytes, damage: piece.damage, removedEntries, removedTurns, hasGraph };
    for (const row of piece.rows) {
      if ("memory" in row) hasGraph = row.memory.nodes !== undefined;
      if (!("removed" in row)) continue;
      for (const id of row.removed.entries) removedEntries.add(id);
      for (const id of row.removed.turns) removedTurns.add(id);
    }
    ({ bytes } = piece);
    tally.read(bytes);
  }
  return { bytes, damage: undefined, removedEntries, removedTurns, hasGraph };
}

function isRemoved(row: BackupRow, { removedEntries, removedTurns }: Checked): boolean {
  if ("entry" in row) return removedEntries.has(row.entry.id);
  return "turn" in row && removedTurns.has(row.turn.id);
}

function refused({ byte, frame, reason }: BackupDamage): MemoryError {
  return new MemoryError(
    "backup-damaged",
    `the backup is damaged from byte ${byte} on (frame ${frame}): ${reason}; nothing was restored (pass { partial: true } to take what comes before)`,
  );
}

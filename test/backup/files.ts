/** Backups as bytes, for tests. */

import type { BackupRow } from "../../src/backup/format.js";
import { type BackupPiece, readBackup } from "../../src/backup/read-backup.js";
import { writeBackup } from "../../src/backup/write-backup.js";
import { entryOf } from "../retrieve/entries.js";

export function rowsWith(texts: readonly string[]): BackupRow[] {
  return [
    { memory: { name: "test", userId: "me", entries: texts.length, turns: 0, writtenAt: Date.UTC(2026, 10, 30) } },
    ...texts.map(
      (text, index): BackupRow => ({
        entry: entryOf(text, { id: `entry-${index}` as never }),
        ...(index % 2 === 0 && { usage: { accessCount: index, lastAccessedAt: index } }),
      }),
    ),
  ];
}

export async function written(rows: readonly BackupRow[], password?: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const pages = (async function* () {
    for (let from = 0; from < rows.length; from += 50) yield rows.slice(from, from + 50);
  })();
  for await (const chunk of writeBackup(pages, { password })) {
    chunks.push(chunk.slice());
    // As a transfer does.
    chunk.fill(0);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

export interface ReadBack {
  readonly rows: readonly BackupRow[];
  readonly damage?: Extract<BackupPiece, { readonly damage: unknown }>["damage"];
}

/** @param pieceBytes how much the source gives at a time */
export async function readBack(bytes: Uint8Array, password?: string, pieceBytes = 10_000): Promise<ReadBack> {
  const source = (async function* () {
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.slice(from, from + pieceBytes);
  })();
  const rows: BackupRow[] = [];
  for await (const piece of readBackup(source, { password })) {
    if ("damage" in piece) return { rows, damage: piece.damage };
    rows.push(...piece.rows);
  }
  return { rows };
}

/** Where each frame begins, by its own size. */
export function framesOf(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = view.getUint32(at + 16, true);
    frames.push(bytes.subarray(at, at + size));
    at += size;
  }
  return frames;
}

export function joinedFrames(frames: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(frames.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const frame of frames) {
    all.set(frame, at);
    at += frame.length;
  }
  return all;
}

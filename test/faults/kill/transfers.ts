/** What comes into a memory and goes out of it as files while it is busy: chats, backups, and its own compaction. */

import { writeBackup } from "../../../src/backup/write-backup.js";
import type { Entry, Turn } from "../../../src/types.js";
import { conversationId, entry, turn, turnId } from "../../store/samples.js";
import type { KnownEntry, SaidTurn } from "../ledger.js";
import type { ToldMemory } from "../told-memory.js";

const AT = 1_780_000_000_000;
const SPACING_MS = 60_000;

/** A chat as a file, and its messages as the memory will know them. */
export interface ChatFile {
  readonly file: Blob;
  readonly turns: readonly SaidTurn[];
}

/** @param name of the chat, which no other has */
export function chatOf(name: string, texts: readonly string[]): ChatFile {
  const lines = texts.map((content, at) =>
    JSON.stringify({ id: `m${at}`, role: "user", content, conversation: name, timestamp: AT + at * SPACING_MS }),
  );
  const turns = texts.map((text, at) => ({
    id: `messages:${name}:m${at}`,
    conversationId: `messages:${name}`,
    text,
    isStatement: true,
  }));
  return { file: new Blob([lines.join("\n")]), turns };
}

/** A backup of another device, and what must be there once it is restored. */
export interface BackupFile extends ChatFile {
  readonly entries: readonly KnownEntry[];
}

/** @param code digits that no other backup has, 16 at most */
export async function backupOf(code: string, texts: readonly string[]): Promise<BackupFile> {
  const turns = texts.map((text, at): Turn => ({ ...turn(`restored ${code} ${at}`, text, `restored ${code}`), sequence: at }));
  const entries = turns.map(
    ({ id, text }, at): Entry => ({
      ...entry(`01KC${code.padStart(16, "0")}${String(at).padStart(6, "0")}`, text),
      conversationId: conversationId(`restored ${code}`),
      identifiers: [],
      tags: [],
      sources: [{ turnId: turnId(id), role: "user", quote: text }],
      revision: 1,
    }),
  );
  const memory = { name: "another", userId: "me", entries: entries.length, turns: turns.length, writtenAt: AT };
  async function* pages() {
    yield [{ memory }];
    yield turns.map((one) => ({ turn: one }));
    yield entries.map((one) => ({ entry: one }));
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of writeBackup(pages())) parts.push(part);
  return {
    file: new Blob(parts),
    turns: turns.map(({ id, conversationId: conversation, text }) => ({
      id,
      conversationId: conversation,
      text,
      isStatement: true,
    })),
    entries: entries.map(({ id, text, sources }) => ({ id, text, turnIds: sources.map((source) => source.turnId) })),
  };
}

/** Writes everything out and reads it in again: nothing may change by it.
 * @param earlier a backup of this memory from before, which may not bring back what was forgotten since
 * @returns the backup */
export async function throughBackup({ memory }: ToldMemory, earlier: Blob | undefined): Promise<Blob> {
  if (earlier) await memory.import(earlier, { format: "backup" });
  const file = await new Response(memory.export()).blob();
  const { damaged } = await memory.import(file, { format: "backup" });
  if (damaged > 0) throw new Error(`${damaged} parts of a backup that was just written are damaged`);
  return file;
}

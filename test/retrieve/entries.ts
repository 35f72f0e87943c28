/** Makes entries and indexes for the tests of this room. */

import type { Embedder } from "../../src/ports.js";
import type { Indexes } from "../../src/retrieve/coarse.js";
import { embeddingTexts, indexEntry } from "../../src/retrieve/entry-index.js";
import { EntryTable } from "../../src/retrieve/entry-table.js";
import { Bm25Index } from "../../src/retrieve/lexical.js";
import type { ConversationId, Entry, EntryId, TurnId } from "../../src/types.js";
import { FlatIndex } from "../../src/vector/flat.js";

export const at = (text: string): number => Date.parse(text);

/** An entry that says `text`, by the user at noon of 1 May 2026 unless told otherwise. */
export function entryOf(
  text: string,
  changes: Partial<Entry> & { readonly id?: EntryId; readonly speaker?: string; readonly role?: "user" | "assistant" } = {},
): Entry {
  const { speaker, role = "user", ...rest } = changes;
  const saidAt = rest.saidAt ?? at("2026-05-01T12:00:00Z");
  return {
    id: `entry-${text.slice(0, 60)}` as EntryId,
    conversationId: "c" as ConversationId,
    revision: 1,
    subject: speaker ?? role,
    text,
    indexText: text,
    kind: "fact",
    tags: [],
    saidAt,
    createdAt: saidAt,
    validFrom: saidAt,
    sources: [{ turnId: "t" as TurnId, role, quote: text, ...(speaker !== undefined ? { speaker } : {}) }],
    identifiers: [],
    salience: 0.5,
    evidence: 1,
    sessionId: `session-${saidAt}`,
    ...rest,
  };
}

/** Indexes that hold the entries, found by words alone unless there is an embedder. */
export async function indexesOf(entries: readonly Entry[], embedder?: Embedder): Promise<Indexes> {
  const dimension = embedder?.dimension ?? 4;
  const indexes: Indexes = { table: new EntryTable(), lexical: new Bm25Index(), vector: new FlatIndex({ dimension }) };
  for (const entry of entries) indexEntry(indexes, entry, embedder ? await embedder.embed(embeddingTexts(entry)) : undefined);
  return indexes;
}

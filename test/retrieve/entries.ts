/** Makes entries and indexes for the tests of this room. */

import { MemoryIndex } from "../../src/core/memory-index.js";
import type { Embedder } from "../../src/ports.js";
import { embeddingTexts } from "../../src/retrieve/entry-index.js";
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
export async function indexesOf(entries: readonly Entry[], embedder?: Embedder): Promise<MemoryIndex> {
  const { id, dimension } = embedder ?? { id: "none", dimension: 4 };
  const index = new MemoryIndex({ space: { id, dimension }, createVectorIndex: () => new FlatIndex({ dimension }) });
  for (const entry of entries) index.put(entry, embedder && (await embedder.embed(embeddingTexts(entry))));
  return index;
}

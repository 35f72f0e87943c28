/** Brings entries into and out of all indexes together, so that they never disagree about a slot. */

import type { LexicalDocument } from "../ports.js";
import { splitSentences } from "../text/sentences.js";
import { analyseTerms, termsOf } from "../text/terms.js";
import type { Entry, EntryId } from "../types.js";
import type { Indexes } from "./coarse.js";

/** Characters of an entry that are embedded. */
const EMBEDDED_LENGTH = 1_500;
/** Sentences that have a vector of their own. */
const MAX_SENTENCES = 12;
/** Terms that a neighbour lends. */
const NEIGHBOUR_TERMS = 40;

/** What is embedded for an entry: "Speaker: text" (no prefix for user and assistant), then its sentences alike where there are several.
 * The first text's vector is the entry's row 0. */
export function embeddingTexts(entry: Pick<Entry, "indexText" | "sources">): string[] {
  const speaker = entry.sources[0]?.speaker;
  const prefix = speaker === undefined ? "" : `${speaker}: `;
  const text = entry.indexText.slice(0, EMBEDDED_LENGTH);
  const sentences = splitSentences(text).slice(0, MAX_SENTENCES);
  return [prefix + text, ...(sentences.length > 1 ? sentences.map((sentence) => prefix + sentence) : [])];
}

/** @param terms of the entry's own text */
export function lexicalDocument(entry: Entry, terms: readonly string[]): LexicalDocument {
  const speaker = entry.sources[0]?.speaker;
  return {
    terms,
    speakerTerms: speaker === undefined ? [] : termsOf(speaker),
    previousTerms: entry.context?.previous ? termsOf(entry.context.previous).slice(-NEIGHBOUR_TERMS) : [],
    nextTerms: entry.context?.next ? termsOf(entry.context.next).slice(0, NEIGHBOUR_TERMS) : [],
  };
}

/** Puts an entry into every index; one of the same id is replaced.
 * @param rows its vectors, flat, as `embeddingTexts` orders them; without them it is found by words alone, and vectors that an earlier
 * version of it had are dropped
 * @returns its slot
 * @throws MemoryError "dimension-mismatch" | "invalid-vector": then it is in no index */
export function indexEntry(indexes: Indexes, entry: Entry, rows?: Float32Array): number {
  const slot = indexes.table.put(entry);
  try {
    if (rows?.some((value) => value !== 0)) indexes.vector.add(slot, rows);
    else indexes.vector.remove(slot);
  } catch (error) {
    unindexEntry(indexes, entry.id);
    throw error;
  }
  const { terms, words } = analyseTerms(entry.indexText);
  indexes.lexical.add(slot, lexicalDocument(entry, terms));
  indexes.softLinks?.add(slot, words);
  return slot;
}

/** Takes an entry out of every index; one that is not there is no error. */
export function unindexEntry(indexes: Indexes, id: EntryId): void {
  const slot = indexes.table.remove(id);
  if (slot === undefined) return;
  indexes.vector.remove(slot);
  indexes.lexical.remove(slot);
  indexes.softLinks?.remove(slot);
}

/** What the indexes see of an entry: texts for the embedder, terms for the lexical one. */

import type { LexicalDocument } from "../ports.js";
import { splitSentences } from "../text/sentences.js";
import { termsOf } from "../text/terms.js";
import type { Entry } from "../types.js";

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
  const sentences = embeddedSentences(entry);
  return [prefix + text, ...(sentences.length > 1 ? sentences.map((sentence) => prefix + sentence) : [])];
}

/** The sentences that have vectors, in the order of the entry's rows: row 0 is that of the only one, else of the whole text. */
export function embeddedSentences({ indexText }: Pick<Entry, "indexText">): string[] {
  return splitSentences(indexText.slice(0, EMBEDDED_LENGTH)).slice(0, MAX_SENTENCES);
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

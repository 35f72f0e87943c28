/** What the indexes see of an entry: terms for the lexical one, texts for the embedder. */

import type { LexicalDocument } from "../ports.js";
import { splitSentences } from "../text/sentences.js";
import { analyseTerms, termsOf } from "../text/terms.js";
import type { Entry } from "../types.js";

/** Characters of a text that are embedded; the embedders cut at 256 pieces, a little less in English. */
const EMBEDDED_LENGTH = 1_500;
/** Sentences that get a vector of their own. */
const MAX_SENTENCES = 12;
/** Terms of the neighbouring turns that count. */
const CONTEXT_TERMS = 40;

export interface EntryTerms {
  readonly document: LexicalDocument;
  /** Distinct words, for soft links. */
  readonly words: readonly string[];
}

export function termsOfEntry(entry: Entry): EntryTerms {
  const { terms, words } = analyseTerms(entry.indexText);
  const speaker = entry.sources[0]?.speaker;
  return {
    document: {
      terms,
      // "user" and "assistant" are roles: as words they would only be noise.
      speakerTerms: speaker === undefined ? [] : termsOf(speaker),
      previousTerms: termsOf(entry.context?.previous ?? "").slice(-CONTEXT_TERMS),
      nextTerms: termsOf(entry.context?.next ?? "").slice(0, CONTEXT_TERMS),
    },
    words,
  };
}

/** The whole text (`Speaker: text` for a named speaker), then its sentences where it has several. */
export function embeddedTexts(entry: Pick<Entry, "indexText" | "sources">): string[] {
  const speaker = entry.sources[0]?.speaker;
  const text = entry.indexText.slice(0, EMBEDDED_LENGTH);
  const whole = speaker === undefined ? text : `${speaker}: ${text}`;
  const sentences = splitSentences(text).slice(0, MAX_SENTENCES);
  return sentences.length > 1 ? [whole, ...sentences] : [whole];
}

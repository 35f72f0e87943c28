/** The sentences of a turn with their places in it, and the clauses of a sentence. */

import { splitSentences } from "../text/sentences.js";

export interface PlacedSentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Sentences are looked at so far; a turn with more is a document. */
const MAX_SENTENCES = 400;

export function placedSentences(text: string): PlacedSentence[] {
  let from = 0;
  return splitSentences(text)
    .slice(0, MAX_SENTENCES)
    .map((sentence) => {
      const start = text.indexOf(sentence, from);
      from = start + sentence.length;
      return { text: sentence, start, end: from };
    });
}

const CLAUSE = /[;；，、]|,\s|\s[-–—]\s|\b(?:but|although|though|while|whereas|aber|obwohl|pero|aunque)\b|但是?|不过|虽然/iu;

/** A sentence's clauses, in order; "I hate the cold, but I ski" denies only in part. */
export function clausesOf(sentence: string): string[] {
  const clauses = sentence.split(CLAUSE).filter((clause) => /[\p{L}\p{N}]/u.test(clause));
  return clauses.length > 0 ? clauses : [sentence];
}

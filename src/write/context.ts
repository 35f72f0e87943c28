/** The words of neighbouring turns that an entry carries for the lexical index. */

/** Words that are kept: about 40 of them are no stop words, and 40 terms of a neighbour count. Half as many cost .007 of
 * recall at 10 by words alone on LoCoMo. */
const WORDS = 80;
/** Characters that are looked at: scripts without spaces have no words to count. */
const CHARACTERS = 640;

/** Turns further apart are of different sessions, and no neighbours. */
export const SESSION_GAP_MS = 60 * 60 * 1_000;

/** The end of the turn before. */
export function previousContext(text: string): string {
  const words = text
    .slice(-CHARACTERS * 4)
    .trim()
    .split(/\s+/);
  return words.slice(-WORDS).join(" ").slice(-CHARACTERS);
}

/** The start of the turn after. */
export function nextContext(text: string): string {
  const words = text
    .slice(0, CHARACTERS * 4)
    .trim()
    .split(/\s+/);
  return words.slice(0, WORDS).join(" ").slice(0, CHARACTERS);
}

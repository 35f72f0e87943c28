/** What a question that points at something ("it", "that project") may mean: the question with each thing put in that the last turns
 * name, for a model to choose from. */

import type { RecentTurn } from "../ports.js";
import { newestTexts, phrasesIn, resolveReferences, trimPhrase } from "./references.js";

/** Readings that a model compares; further back a pronoun seldom points. */
const MOST = 8;
/** Capitalised words that begin a sentence: rules take them for no name, a model can tell. */
const BEGINNING = /(?<=^|[.!?]\s+)\p{Lu}[\p{L}\p{N}'’-]*(?:\s+\p{Lu}[\p{L}\p{N}'’-]*)*/gu;

/** @param recent oldest first, without the question itself
 * @returns what the last turns name first, at most eight; none where the question points at nothing */
export function possibleReadings(question: string, recent: readonly RecentTurn[]): readonly string[] {
  const own = question.toLowerCase();
  const named = newestTexts(recent).flatMap((text) => [...beginningsIn(text), ...phrasesIn(text)]);
  const distinct = new Map(named.map((name) => [name.toLowerCase(), name]));
  const readings = [...distinct]
    .filter(([folded]) => !own.includes(folded))
    .slice(0, MOST)
    // As if the last turn had named this one thing, by its title.
    .flatMap(([, name]) => resolveReferences(question, [{ role: "user", text: `"${name}"`, at: 0 }]) ?? []);
  return [...new Set(readings)];
}

/** Those inside their sentence `phrasesIn` finds. */
function beginningsIn(text: string): string[] {
  return [...text.matchAll(BEGINNING)]
    .map(([words]) => trimPhrase(words.replace(/['’]s$/, "")))
    .filter((name) => name.length > 2);
}

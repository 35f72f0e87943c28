/** What a question that points at something ("it", "that project") may mean: the question with each thing put in that the last turns
 * name, for a model to choose from. */

import type { RecentTurn } from "../ports.js";
import { termsOf } from "../text/terms.js";
import { ELLIPSIS, kindIn, newestTexts, PERSON, phrasesIn, THING, trimPhrase } from "./references.js";

/** Readings that a model compares; further back a pronoun seldom points. */
const MOST = 8;
/** Capitalised words that begin a sentence: rules take them for no name, a model can tell. */
const BEGINNING = /(?<=^|[.!?]\s+)\p{Lu}[\p{L}\p{N}'’-]*(?:\s+\p{Lu}[\p{L}\p{N}'’-]*)*/gu;
const POSSESSIVE = /^(?:his|hers|its|theirs?)$/i;

/** @param recent oldest first, without the question itself
 * @returns what the last turns name first, at most eight; none where the question points at nothing */
export function possibleReadings(question: string, recent: readonly RecentTurn[]): readonly string[] {
  const slot = slotOf(question);
  if (!slot) return [];
  const own = question.toLowerCase();
  const named = newestTexts(recent).flatMap((text) => [...beginningsIn(text), ...phrasesIn(text)]);
  const distinct = new Map(named.map((name) => [name.toLowerCase(), name]));
  return [...distinct]
    .filter(([folded]) => !own.includes(folded))
    .slice(0, MOST)
    .map(([, name]) => slot(name));
}

/** Those inside their sentence `phrasesIn` finds. */
function beginningsIn(text: string): string[] {
  return [...text.matchAll(BEGINNING)]
    .map(([words]) => trimPhrase(words.replace(/['’]s$/, "")))
    .filter((name) => name.length > 2);
}

/** @returns puts a name where the question points; undefined where it points at nothing */
function slotOf(question: string): ((name: string) => string) | undefined {
  const kind = kindIn(question);
  if (kind) return (name) => question.replace(kind[0], () => name);
  const pointer = PERSON.test(question) ? PERSON : THING.test(question) ? THING : undefined;
  if (pointer) return (name) => question.replace(pointer, (words, at: number) => inPlaceOf(words, name, question.slice(at)));
  return ELLIPSIS.test(question) && termsOf(question).length <= 3 ? (name) => `${question} ${name}` : undefined;
}

/** @param rest of the question, from the pointer on */
function inPlaceOf(pointer: string, name: string, rest: string): string {
  // "her" owns what follows it, where that is a word of its own weight.
  const isOwner =
    POSSESSIVE.test(pointer) || (/^her$/i.test(pointer) && termsOf(/^\w+\s+(\w+)/.exec(rest)?.[1] ?? "").length > 0);
  const put = isOwner ? `${name}'s` : name;
  // "is that" points by its last word alone.
  return / that$/i.test(pointer) ? pointer.replace(/that$/i, () => put) : put;
}

/** Which replies repeat what is to be forgotten: "I like oolong" is not gone while "Noted, oolong it is" stays. */

import type { Store } from "../ports.js";
import { findIdentifiers } from "../text/identifiers.js";
import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { fold, termsOf } from "../text/terms.js";
import type { Entry, Turn, TurnId } from "../types.js";
import { pause } from "./pause.js";

/** Turns looked at after what was said; a longer run without the user is no reply any more. */
const MAX_REPLIES = 16;
/** Share of a quote's terms that makes a text a repetition of it. */
const REPEATED_SHARE = 0.5;
/** Turns followed between two pauses. */
const SLICE = 100;

/** A reply and the quotes before it that it may repeat. */
export interface Reply {
  readonly turn: Turn;
  readonly quotes: readonly string[];
}

/** The turns that reply to `turns` and repeat their quotes: those that follow in the session until the user speaks again.
 * @param quotes what is forgotten of each turn */
export async function repliesThatRepeat(
  store: Store,
  turns: readonly Turn[],
  quotes: ReadonlyMap<TurnId, readonly string[]>,
  signal: AbortSignal | undefined,
): Promise<Map<TurnId, Reply>> {
  const found = new Map<TurnId, Reply>();
  for (const [index, { id, conversationId, sessionId, sequence: after }] of turns.entries()) {
    if (index % SLICE === SLICE - 1) await pause();
    const own = quotes.get(id) ?? [];
    const following = await store.listTurns({ conversationId, after, limit: MAX_REPLIES });
    signal?.throwIfAborted();
    for (const turn of following) {
      if (turn.role === "user" || turn.sessionId !== sessionId) break;
      if (own.some((quote) => repeats(turn.text, quote)))
        found.set(turn.id, { turn, quotes: [...(found.get(turn.id)?.quotes ?? []), ...own] });
    }
  }
  return found;
}

/** Whether an entry says nothing but what such replies repeat. A name in common is not enough for that: what was said of
 * somebody is another memory. */
export function isEcho({ sources }: Entry, replies: ReadonlyMap<TurnId, Reply>): boolean {
  if (sources.length === 0) return false;
  return sources.every(({ turnId, quote }) => replies.get(turnId)?.quotes.some((forgotten) => repeatsWords(quote, forgotten)));
}

/** Whether a text repeats something telling of a quote: an identifier, a number of two digits or more, half of its words, or
 * a name. Too much is taken rather than too little; a preview shows it. */
export function repeats(text: string, quote: string): boolean {
  if (repeatsWords(text, quote)) return true;
  const names = namesOf(quote);
  for (const [name, inside] of namesOf(text)) if (names.has(name) && (inside || names.get(name))) return true;
  return false;
}

function repeatsWords(text: string, quote: string): boolean {
  const folded = fold(text);
  if (findIdentifiers(quote).some((identifier) => folded.includes(fold(identifier)))) return true;
  const said = new Set(termsOf(text));
  const terms = new Set(termsOf(quote));
  const repeated = [...terms].filter((term) => said.has(term));
  return repeated.some((term) => /\d{2}/.test(term)) || (repeated.length > 0 && repeated.length >= terms.size * REPEATED_SHARE);
}

const CAPITALISED = /(^|[.!?\n]\s*|[\s("'“‘-])(\p{Lu}[\p{L}\p{M}]+)/gu;

/** Words with a capital, folded, and whether one stands inside a sentence: at its start any word has one. */
function namesOf(text: string): Map<string, boolean> {
  const names = new Map<string, boolean>();
  for (const { index, 1: lead = "", 2: word = "" } of text.matchAll(CAPITALISED)) {
    const name = fold(word);
    if (ENGLISH_STOP_WORDS.has(name)) continue;
    const before = text.slice(0, index + lead.length).trimEnd();
    const isInside = before !== "" && !/[.!?\n]$/.test(before);
    names.set(name, isInside || names.get(name) === true);
  }
  return names;
}

/** What a person means by "forget everything about my knee": entries and turns that speak of it, by words and by meaning, and
 * those that only point at it ("she", "it") in the same breath. A guess, so it is only ever previewed. */

import type { Store } from "../ports.js";
import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { termsOf } from "../text/terms.js";
import type { EntryId, Turn, TurnId } from "../types.js";
import type { EntryEmbedder } from "./entry-embedder.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";

/** Cosine from which a text speaks of a topic without a word in common. Unrelated sentences reach about .3. */
const SAME_TOPIC = 0.5;
/** Where an entry names the topic, others that come this near to its cosine, and not below the floor, belong to it. */
const NEAR_SHARE = 0.75;
const NEAR_FLOOR = 0.15;
/** Share of a topic's weight of known words that a text must hold. */
const NAMED_SHARE = 0.6;
/** Turns after one that is meant, in which a pronoun can point at it. */
const MAX_FOLLOWING = 6;
/** What is longer says something of its own, whatever pronoun is in it. */
const MAX_OWN_TERMS = 5;
const PAGE = 1_000;

const COMMAND =
  /^\s*(?:please\s+)?(?:forget|delete|erase|remove)?\s*(?:everything|anything|all|whatever|what|the things?)?\s*(?:that\s+)?(?:i(?:'ve| have)?\s+(?:ever\s+)?(?:said|told you|mentioned|wrote))?\s*(?:about|of|on|regarding|concerning|with)?\s+/i;
const PARTS = /\s*(?:[,;/]|\band\b|\bor\b|\bund\b|\boder\b|\by\b|\bet\b|、|，|和|以及)\s*/i;
const PERSON = /^(?:\S+\s+){0,2}(?:she|he|they|her|his|him|their|them|ella|él|sie|er|elle|il)\b|^(?:她|他)/i;
const THING = /^(?:it|its|it's|that|that's|this|those|these|they|there|es|das|eso)\b|^(?:它|那|这)/i;
const NAME_INSIDE = /(?<=[\p{Ll}\d,;:)]\s)\p{Lu}[\p{L}\p{M}]+/gu;
const CALENDAR =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i;

export interface ForgetQueryParts {
  readonly store: Store;
  readonly index: MemoryIndex;
  readonly embedder: EntryEmbedder;
}

export interface QueryMatch {
  readonly entryIds: ReadonlySet<EntryId>;
  readonly turns: readonly Turn[];
}

/** The topics of a query: "my knee operation and the physiotherapy" has two. */
export function topicsOf(query: string): string[] {
  const asked = query.replace(COMMAND, "").replace(/[.!?]+\s*$/, "");
  const topics = (asked.trim() === "" ? query : asked).split(PARTS).map((part) => part.trim());
  return topics.filter((topic) => termsOf(topic).length > 0 || topic.length > 2);
}

export async function matchQuery(query: string, parts: ForgetQueryParts, signal?: AbortSignal): Promise<QueryMatch> {
  const entryIds = new Set<EntryId>();
  const turns = new Map<TurnId, Turn>();
  const topics = topicsOf(query).map((topic) => new Topic(topic, parts.index));
  for (const topic of topics) for (const id of await nearEntries(topic, parts, signal)) entryIds.add(id);
  const meant = new Set(entriesOf(parts.index, entryIds).flatMap(({ sources }) => sources.map(({ turnId }) => turnId)));
  await walk(parts.store, signal, (turn, before) => {
    if (topics.some((topic) => topic.isNamedIn(turn.text)) || meant.has(turn.id) || pointsBack(turn, before, turns))
      turns.set(turn.id, turn);
  });
  for (const entry of parts.index.table) {
    // An entry that comes from nothing but such turns says nothing else.
    if (entry.sources.length > 0 && entry.sources.every(({ turnId }) => turns.has(turnId))) entryIds.add(entry.id);
  }
  return { entryIds, turns: [...turns.values()] };
}

/** The words of a topic that the memory knows, by how much they tell. */
class Topic {
  readonly text: string;
  readonly #weights: ReadonlyMap<string, number>;
  readonly #total: number;

  constructor(text: string, { lexical }: MemoryIndex) {
    this.text = text;
    const terms = [...new Set(termsOf(text))];
    const known = terms.filter((term) => lexical.documentFrequency(term) > 0);
    // What no entry says can still stand in turns that became none.
    this.#weights = new Map((known.length > 0 ? known : terms).map((term) => [term, Math.max(0.1, lexical.idf(term))]));
    this.#total = [...this.#weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  isNamedIn(text: string): boolean {
    if (this.#total === 0) return false;
    let held = 0;
    for (const term of new Set(termsOf(text))) held += this.#weights.get(term) ?? 0;
    return held >= this.#total * NAMED_SHARE;
  }
}

async function nearEntries(topic: Topic, { index, embedder }: ForgetQueryParts, signal?: AbortSignal): Promise<EntryId[]> {
  const named = [...index.table].filter(({ indexText, text }) => topic.isNamedIn(indexText) || topic.isNamedIn(text));
  const found = named.map(({ id }) => id);
  const query = await embedder.embedder.embed([topic.text], { signal });
  const scores = index.vector.scoreAll?.(query);
  if (!scores) return found;
  const cosineOf = (slot: number | undefined) => (slot === undefined ? 0 : (scores.best[slot] ?? 0));
  const best = Math.max(0, ...named.map(({ id }) => cosineOf(index.table.slotOf(id))));
  const least = named.length > 0 ? Math.min(SAME_TOPIC, Math.max(NEAR_FLOOR, best * NEAR_SHARE)) : SAME_TOPIC;
  for (const { id } of index.table) if (cosineOf(index.table.slotOf(id)) >= least) found.push(id);
  return found;
}

function entriesOf(index: MemoryIndex, ids: ReadonlySet<EntryId>) {
  return [...ids].flatMap((id) => index.entry(id) ?? []);
}

/** Whether a turn only goes on about one that is meant: it begins with a pronoun and names nobody and little else. */
function pointsBack(turn: Turn, before: readonly Turn[], meant: ReadonlyMap<TurnId, Turn>): boolean {
  if (turn.role !== "user") return false;
  const last = before.findLast(({ role, sessionId }) => role === "user" && sessionId === turn.sessionId);
  if (!last || !meant.has(last.id)) return false;
  if (!PERSON.test(turn.text) && !THING.test(turn.text)) return false;
  if (new Set(termsOf(turn.text)).size > MAX_OWN_TERMS) return false;
  return [...turn.text.matchAll(NAME_INSIDE)].every(
    ([name]) => CALENDAR.test(name) || ENGLISH_STOP_WORDS.has(name.toLowerCase()),
  );
}

/** Every turn in order, with those before it in its conversation. */
async function walk(
  store: Store,
  signal: AbortSignal | undefined,
  visit: (turn: Turn, before: readonly Turn[]) => void,
): Promise<void> {
  const before = new Map<string, Turn[]>();
  for (let after = -1; ; ) {
    const page = await store.listTurns({ after, limit: PAGE });
    signal?.throwIfAborted();
    for (const turn of page) {
      const recent = before.get(turn.conversationId) ?? [];
      visit(turn, recent);
      before.set(turn.conversationId, [...recent, turn].slice(-MAX_FOLLOWING));
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.sequence;
    await pause();
  }
}

/** What a person means by "forget everything about my knee": entries and turns that speak of it, by words and by meaning, and
 * those that only point at it ("she", "it") in the same breath. A guess, so it is only ever previewed. */

import type { Store } from "../ports.js";
import { ENGLISH_STOP_WORDS, VAGUE_WORDS } from "../text/stopwords.js";
import { termsOf } from "../text/terms.js";
import type { EntryId, Turn, TurnId } from "../types.js";
import { isAnother } from "./another.js";
import type { EntryEmbedder } from "./entry-embedder.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";

/** Cosine from which a text speaks of a topic that no entry names, and of one that is named; in the package's static space
 * unrelated sentences reach .36 and names more. */
const SAME_TOPIC = 0.4;
const SAME_AS_NAMED = 0.55;
/** Share of the best one's cosine, and how many at most. */
const NEAR_BEST = 0.8;
const MOST_SAME = 20;
/** A topic with words that the memory does not know ("my knee operation"): what is near to it and to the entries that name the rest
 * ("The physiotherapist for the knee …") is taken for it, from this mean of both cosines. */
const NEAR_BOTH = 0.25;
const MOST_NEAR = 3;
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
  /** Whether half of its words stand in no entry. */
  readonly hasUnknown: boolean;

  constructor(text: string, { lexical }: MemoryIndex) {
    this.text = text;
    const terms = [...new Set(termsOf(text))];
    const known = terms.filter((term) => lexical.documentFrequency(term) > 0);
    const telling = terms.filter((term) => !VAGUE_WORDS.has(term));
    this.hasUnknown = telling.filter((term) => !known.includes(term)).length * 2 >= telling.length;
    // What no entry says can still stand in turns that became none.
    this.#weights = new Map((known.length > 0 ? known : terms).map((term) => [term, Math.max(0.1, lexical.idf(term))]));
    this.#total = [...this.#weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  isNamedIn(text: string): boolean {
    if (this.#total === 0) return false;
    let held = 0;
    for (const term of new Set(termsOf(text))) held += this.#weights.get(term) ?? 0;
    return held >= this.#total * NAMED_SHARE && !isAnother(this.text, text);
  }
}

async function nearEntries(topic: Topic, { index, embedder }: ForgetQueryParts, signal?: AbortSignal): Promise<EntryId[]> {
  const { table, vector } = index;
  const isOfTopic = ({ id }: { readonly id: EntryId }) => !isAnother(topic.text, index.entry(id)?.text ?? "");
  const named = [...table].filter(({ indexText, text }) => topic.isNamedIn(indexText) || topic.isNamedIn(text));
  const found = new Set(named.map(({ id }) => id));
  // The static space knows no other script, and takes all of it for the same.
  if (!/\p{Script=Latin}/u.test(topic.text)) return [...found];
  const scores = vector.scoreAll?.(await embedder.embedder.embed([topic.text], { signal }));
  if (!scores) return [...found];
  const cosines = [...table].flatMap(({ id }) => {
    const slot = table.slotOf(id);
    return slot === undefined || found.has(id) ? [] : [{ id, slot, cosine: scores.best[slot] ?? 0 }];
  });
  const best = cosines.reduce((most, { cosine }) => Math.max(most, cosine), 0);
  const least = Math.max(named.length > 0 ? SAME_AS_NAMED : SAME_TOPIC, best * NEAR_BEST);
  for (const { id } of highest(
    cosines.filter((one) => one.cosine >= least && isOfTopic(one)),
    MOST_SAME,
  ))
    found.add(id);
  if (named.length > 0 && topic.hasUnknown && vector.rowsOf) {
    const beside = vector.scoreAll?.(
      meanOf(
        named.flatMap(({ id }) => rowOf(index, id) ?? []),
        vector.dimension,
      ),
    );
    const near = cosines.map(({ id, slot, cosine }) => ({ id, cosine: (cosine + (beside?.best[slot] ?? 0)) / 2 }));
    for (const { id } of highest(
      near.filter((one) => one.cosine >= NEAR_BOTH && isOfTopic(one)),
      MOST_NEAR,
    ))
      found.add(id);
  }
  return [...found];
}

function highest<S extends { readonly cosine: number }>(scored: readonly S[], most: number): S[] {
  return [...scored].sort((one, other) => other.cosine - one.cosine).slice(0, most);
}

/** The vector of an entry's whole text. */
function rowOf({ table, vector }: MemoryIndex, id: EntryId): Float32Array[] {
  const slot = table.slotOf(id);
  const rows = slot === undefined ? undefined : vector.rowsOf?.(slot);
  return rows ? [rows.subarray(0, vector.dimension)] : [];
}

/** The direction between some vectors, of unit length. */
function meanOf(rows: readonly Float32Array[], dimension: number): Float32Array {
  const mean = new Float32Array(dimension);
  for (const row of rows) for (let at = 0; at < dimension; at++) mean[at] = (mean[at] ?? 0) + (row[at] ?? 0);
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
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

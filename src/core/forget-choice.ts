/** What a target of `forget` means in what is stored now: entries, parts of entries, and turns. */

import type { Store } from "../ports.js";
import type { Entry, EntryId, ForgetTarget, Source, Turn, TurnId } from "../types.js";
import { isEcho, repliesThatRepeat } from "./echoes.js";
import type { Preview } from "./forget-previews.js";
import type { QueryMatch } from "./forget-query.js";
import { pause } from "./pause.js";

const PAGE = 1_000;

export interface StrippedEntry {
  readonly entry: Entry;
  /** Sources that stay, one or more. */
  readonly kept: readonly Source[];
}

export interface ForgetChoice {
  /** Entries that go. */
  readonly entries: readonly Entry[];
  /** Entries that were said elsewhere too, and stay without what is forgotten. */
  readonly stripped: readonly StrippedEntry[];
  readonly turns: readonly Turn[];
}

/** Targets that mean where or when something was said. */
export type PlaceTarget = Extract<
  ForgetTarget,
  { readonly conversationId: unknown } | { readonly said: unknown } | { readonly everything: true }
>;

const NOTHING: ForgetChoice = { entries: [], stripped: [], turns: [] };

/** Everything of a place.
 * @param table every entry, level with the store */
export async function chosenByPlace(
  target: PlaceTarget,
  table: readonly Entry[],
  store: Store,
  signal?: AbortSignal,
): Promise<ForgetChoice> {
  const turns = await turnsOf(target, store, signal);
  if ("everything" in target) return { entries: table, stripped: [], turns };
  const ids = new Set(turns.map(({ id }) => id));
  const lost = await lostSources(target, table, ids, store);
  const entries: Entry[] = [];
  const stripped: StrippedEntry[] = [];
  for (const entry of table) {
    const kept = entry.sources.filter(({ turnId }) => !ids.has(turnId) && !(lost.has(turnId) && means(target, entry)));
    if (kept.length === 0 && (entry.sources.length > 0 || means(target, entry))) entries.push(entry);
    else if (kept.length < entry.sources.length) stripped.push({ entry, kept });
  }
  return { entries, stripped, turns };
}

/** Entries and turns that are meant, the replies that repeat them with the entries that say nothing else, and the turns that no
 * other entry comes from. */
export async function chosenByMatch(
  { entryIds, turns: meant }: QueryMatch,
  table: readonly Entry[],
  store: Store,
  signal?: AbortSignal,
): Promise<ForgetChoice> {
  const asked = table.filter(({ id }) => entryIds.has(id));
  if (asked.length === 0 && meant.length === 0) return NOTHING;
  const quotes = new Map<TurnId, string[]>(meant.map(({ id, text }) => [id, [text]]));
  for (const { turnId, quote } of asked.flatMap(({ sources }) => sources))
    quotes.set(turnId, [...(quotes.get(turnId) ?? []), quote]);
  const said = (await store.turns([...quotes.keys()])).filter((turn) => turn !== undefined);
  signal?.throwIfAborted();
  const replies = await repliesThatRepeat(store, said, quotes, signal);
  const entries: Entry[] = [];
  const elsewhere = new Set<TurnId>();
  for (const entry of table) {
    if (entryIds.has(entry.id) || isEcho(entry, replies)) entries.push(entry);
    else for (const { turnId } of entry.sources) elsewhere.add(turnId);
  }
  const turns = new Map([...said, ...[...replies.values()].map(({ turn }) => turn)].map((turn) => [turn.id, turn]));
  return { entries, stripped: [], turns: [...turns.values()].filter(({ id }) => !elsewhere.has(id)) };
}

/** What a preview showed, as far as it is still there; nothing that was not shown.
 * @param except entries that stay, with the turns that they come from */
export async function chosenByPreview(
  { sources, turnIds }: Preview,
  except: ReadonlySet<EntryId>,
  table: readonly Entry[],
  store: Store,
): Promise<ForgetChoice> {
  const staying = new Set(table.filter(({ id }) => except.has(id)).flatMap((entry) => entry.sources.map(({ turnId }) => turnId)));
  const going = [...turnIds].filter((id) => !staying.has(id));
  const ids = new Set(going);
  const entries: Entry[] = [];
  const stripped: StrippedEntry[] = [];
  for (const entry of table) {
    if (except.has(entry.id)) continue;
    const shown = sources.get(entry.id);
    const kept = entry.sources.filter(({ turnId }) => !ids.has(turnId) && !shown?.has(turnId));
    if (kept.length === 0 && (shown || entry.sources.length > 0)) entries.push(entry);
    else if (kept.length < entry.sources.length) stripped.push({ entry, kept });
  }
  return { entries, stripped, turns: (await store.turns(going)).filter((turn) => turn !== undefined) };
}

/** Every turn that the target means, whether an entry came of it or not. */
async function turnsOf(target: PlaceTarget, store: Store, signal: AbortSignal | undefined): Promise<Turn[]> {
  const found: Turn[] = [];
  for (let after = -1; ; ) {
    const page = await store.listTurns({
      after,
      limit: PAGE,
      ...("conversationId" in target && { conversationId: target.conversationId }),
    });
    signal?.throwIfAborted();
    found.push(...page.filter(({ at }) => !("said" in target) || isSaid(target, at)));
    const last = page.at(-1);
    if (!last || page.length < PAGE) return found;
    after = last.sequence;
    await pause();
  }
}

/** Turns that entries of the target come from and that are no longer stored: only the entry can tell whose they were. */
async function lostSources(
  target: PlaceTarget,
  table: readonly Entry[],
  found: ReadonlySet<TurnId>,
  store: Store,
): Promise<ReadonlySet<TurnId>> {
  const unknown = new Set<TurnId>();
  for (const entry of table)
    if (means(target, entry)) for (const { turnId } of entry.sources) if (!found.has(turnId)) unknown.add(turnId);
  const ids = [...unknown];
  const turns = await store.turns(ids);
  return new Set(ids.filter((_, index) => turns[index] === undefined));
}

function means(target: PlaceTarget, entry: Entry): boolean {
  if ("conversationId" in target) return entry.conversationId === target.conversationId;
  return "said" in target && isSaid(target, entry.saidAt);
}

function isSaid({ said }: Extract<PlaceTarget, { readonly said: unknown }>, at: number): boolean {
  return at >= said.from && at < said.to;
}

/** Forgetting: the entries, their vectors, the turns that they come from, and every copy of those turns. */

import type { EntryVectors, Store } from "../ports.js";
import type { Entry, EntryId, ForgetPreview, ForgetTarget, Forgotten, Turn, TurnId } from "../types.js";
import { nextContext, previousContext } from "../write/context.js";
import type { Follower } from "./follower.js";
import type { MemoryIndex } from "./memory-index.js";
import type { UsageLedger } from "./usage-ledger.js";

const PAGE = 1_000;

export interface ForgettingParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly follower: Follower;
  readonly usage: UsageLedger;
}

export class Forgetting {
  readonly #parts: ForgettingParts;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
  }

  /** What a target means now. Turns that another, remaining entry comes from stay. */
  async preview(target: ForgetTarget, signal?: AbortSignal): Promise<ForgetPreview> {
    const { table } = this.#parts.index();
    const chosen = [...table].filter((entry) => means(target, entry));
    const ids = new Set(chosen.map(({ id }) => id));
    const kept = new Set<TurnId>();
    for (const entry of table) if (!ids.has(entry.id)) for (const { turnId } of entry.sources) kept.add(turnId);
    const sources = new Set(chosen.flatMap((entry) => entry.sources.map(({ turnId }) => turnId)).filter((id) => !kept.has(id)));
    const turns = "entryIds" in target ? await this.#turns([...sources]) : await this.#turnsOf(target, sources, kept, signal);
    return { entries: chosen, turns };
  }

  async forget(target: ForgetTarget, signal?: AbortSignal): Promise<Forgotten> {
    const { store, index, follower, usage } = this.#parts;
    const { entries, turns } = await this.preview(target, signal);
    const entryIds = entries.map(({ id }) => id);
    const turnIds = turns.map(({ id }) => id);
    if (entryIds.length === 0 && turnIds.length === 0) return { entryIds, turnIds, remaining: 0 };
    const ids = new Set(entryIds);
    const cleared = [...index().table].flatMap((entry) => (ids.has(entry.id) ? [] : (withoutCopies(entry, turns) ?? [])));
    usage.forget(entryIds);
    const commit = await store.write(
      {
        entries: cleared,
        removeEntries: entryIds,
        removeTurns: turnIds,
        expect: cleared.map(({ id, revision }) => ({ entryId: id, revision })),
      },
      { signal },
    );
    await follower.committed(commit, new Map<EntryId, EntryVectors["rows"]>(), entryIds);
    return { entryIds, turnIds, remaining: await this.#remaining(entryIds, turnIds) };
  }

  /** Looks in the store itself for what should be gone. */
  async #remaining(entryIds: readonly EntryId[], turnIds: readonly TurnId[]): Promise<number> {
    const { store, index } = this.#parts;
    const [entries, turns, vectors, used] = await Promise.all([
      store.entries(entryIds),
      store.turns(turnIds),
      store.vectorsOf(index().space, entryIds),
      store.usage(entryIds),
    ]);
    return [...entries, ...turns, ...vectors, ...used].filter((row) => row !== undefined).length;
  }

  async #turns(ids: readonly TurnId[]): Promise<Turn[]> {
    const turns = await this.#parts.store.turns(ids);
    return turns.filter((turn) => turn !== undefined);
  }

  /** Every turn that the target means, whether an entry came of it or not. */
  async #turnsOf(
    target: Exclude<ForgetTarget, { readonly entryIds: readonly EntryId[] }>,
    sources: ReadonlySet<TurnId>,
    kept: ReadonlySet<TurnId>,
    signal: AbortSignal | undefined,
  ): Promise<Turn[]> {
    const found: Turn[] = [];
    for (let after = -1; ; ) {
      const page = await this.#parts.store.listTurns({
        after,
        limit: PAGE,
        ...("conversationId" in target && { conversationId: target.conversationId }),
      });
      signal?.throwIfAborted();
      for (const turn of page) {
        const meant = sources.has(turn.id) || !("said" in target) || (turn.at >= target.said.from && turn.at < target.said.to);
        if (meant && !kept.has(turn.id)) found.push(turn);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return found;
      after = last.sequence;
    }
  }
}

function means(target: ForgetTarget, entry: Entry): boolean {
  if ("entryIds" in target) return target.entryIds.includes(entry.id);
  if ("conversationId" in target) return entry.conversationId === target.conversationId;
  if ("said" in target) return entry.saidAt >= target.said.from && entry.saidAt < target.said.to;
  if (target.everything === true) return true;
  throw new TypeError("forget takes { entryIds }, { conversationId }, { said } or { everything: true }");
}

/** The entry without the words of forgotten neighbours, or undefined when it holds none. */
function withoutCopies(entry: Entry, turns: readonly Turn[]): Entry | undefined {
  const { context } = entry;
  if (!context) return undefined;
  const previous = context.previous !== undefined && turns.some(({ text }) => previousContext(text) === context.previous);
  const next = context.next !== undefined && turns.some(({ text }) => nextContext(text) === context.next);
  if (!previous && !next) return undefined;
  const { context: _, ...rest } = entry;
  const left = {
    ...(!previous && context.previous !== undefined && { previous: context.previous }),
    ...(!next && context.next !== undefined && { next: context.next }),
  };
  return { ...rest, ...(Object.keys(left).length > 0 && { context: left }) };
}

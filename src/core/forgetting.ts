/** Forgetting: the entries, their vectors, the turns that they come from, and every copy of those turns. */

import type { EntryVectors, Store } from "../ports.js";
import type { Entry, EntryId, ForgetPreview, ForgetTarget, Forgotten, Turn } from "../types.js";
import { nextContext, previousContext } from "../write/context.js";
import type { EntryEmbedder } from "./entry-embedder.js";
import type { Follower } from "./follower.js";
import { chooseForgotten, type ForgetChoice } from "./forget-choice.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";
import { countRemains } from "./remains.js";
import { type ForgottenContexts, withoutContexts, withSources } from "./stripping.js";
import type { UsageLedger } from "./usage-ledger.js";

/** Rows looked at between two pauses: some milliseconds. */
const SLICE = 1_000;

export interface ForgettingParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly embedder: () => EntryEmbedder;
  readonly follower: Follower;
  readonly usage: UsageLedger;
}

export class Forgetting {
  readonly #parts: ForgettingParts;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
  }

  /** What a target means now. */
  async preview(target: ForgetTarget, signal?: AbortSignal): Promise<ForgetPreview> {
    const { entries, turns } = await this.#choose(target, signal);
    return { entries, turns };
  }

  /** Calls must not run beside other writes of this handle.
   * @param isLast lets what other handles wrote meanwhile be; what it holds is counted as remaining
   * @throws MemoryError "conflict" when another handle wrote meanwhile; nothing is forgotten then */
  async forget(target: ForgetTarget, isLast: boolean, signal?: AbortSignal): Promise<Forgotten> {
    const { store, index, follower, usage, embedder } = this.#parts;
    const level = follower.applied;
    const choice = await this.#choose(target, signal);
    const entryIds = choice.entries.map(({ id }) => id);
    const turnIds = choice.turns.map(({ id }) => id);
    if (entryIds.length === 0 && turnIds.length === 0 && choice.stripped.length === 0) {
      await this.#dropUnread();
      return { entryIds, turnIds, remaining: 0 };
    }
    const changed = await this.#changed(choice, signal);
    const reworded = changed.filter(({ before, after }) => isReworded(before, after)).map(({ after }) => after);
    const vectors = await embedder().embed(reworded, signal);
    const commit = await store.write(
      {
        entries: changed.map(({ after }) => after),
        vectors: { space: index().space, of: vectors },
        removeEntries: entryIds,
        removeTurns: turnIds,
        expect: [...choice.entries, ...changed.map(({ before }) => before)].map(({ id, revision }) => ({
          entryId: id,
          revision,
        })),
        // What came meanwhile may hold words of what is forgotten.
        ...(!isLast && { expectStore: level }),
      },
      { signal },
    );
    usage.forget(entryIds);
    await follower.committed(
      commit,
      new Map<EntryId, EntryVectors["rows"]>(vectors.map(({ entryId, rows }) => [entryId, rows])),
      entryIds,
    );
    await this.#dropUnread();
    return { entryIds, turnIds, remaining: await countRemains(store, { entryIds, turnIds, quotes: quotesOf(choice) }) };
  }

  /** A row that is damaged beyond reading may hold what is forgotten, and no scan would find it there. */
  async #dropUnread(): Promise<void> {
    const { store, follower } = this.#parts;
    if (!(await store.damaged()).some(({ kind }) => kind !== "vectors")) return;
    await store.dropDamaged();
    await follower.catchUp();
  }

  #choose(target: ForgetTarget, signal: AbortSignal | undefined): Promise<ForgetChoice> {
    const { index, store } = this.#parts;
    return chooseForgotten(target, [...index().table], store, signal);
  }

  /** Entries that stay and lose something: a source, or a neighbour's words. */
  async #changed(
    { entries, stripped, turns }: ForgetChoice,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly before: Entry; readonly after: Entry }[]> {
    const firsts = await this.#parts.store.turns(stripped.flatMap(({ kept }) => kept[0]?.turnId ?? []));
    const rest = new Map(stripped.map(({ entry, kept }, at) => [entry.id, withSources(entry, kept, firsts[at])]));
    const gone = new Set(entries.map(({ id }) => id));
    const contexts = await contextsOf(turns, signal);
    const changed: { before: Entry; after: Entry }[] = [];
    const table = [...this.#parts.index().table];
    for (const [at, before] of table.entries()) {
      if (at % SLICE === SLICE - 1) await pause();
      signal?.throwIfAborted();
      if (gone.has(before.id)) continue;
      const left = rest.get(before.id);
      const after = withoutContexts(left ?? before, contexts) ?? left;
      if (after) changed.push({ before, after });
    }
    return changed;
  }
}

async function contextsOf(turns: readonly Turn[], signal: AbortSignal | undefined): Promise<ForgottenContexts> {
  const previous = new Set<string>();
  const next = new Set<string>();
  for (const [at, { text }] of turns.entries()) {
    if (at % SLICE === SLICE - 1) await pause();
    signal?.throwIfAborted();
    previous.add(previousContext(text));
    next.add(nextContext(text));
  }
  return { previous, next };
}

/** Whether an entry's vectors are no longer those of its words; the speaker's name is embedded with them. */
function isReworded(before: Entry, after: Entry): boolean {
  return before.indexText !== after.indexText || before.sources[0]?.speaker !== after.sources[0]?.speaker;
}

function quotesOf({ entries, stripped }: ForgetChoice): string[] {
  const quotes = entries.flatMap(({ sources }) => sources.map(({ quote }) => quote));
  // What was said elsewhere too is still stored, and rightly so.
  for (const { entry, kept } of stripped) {
    const left = new Set(kept.map(({ quote }) => quote));
    for (const { quote } of entry.sources) if (!left.has(quote)) quotes.push(quote);
  }
  return quotes;
}

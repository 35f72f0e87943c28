/** Forgetting: the entries, their vectors, the turns that they come from, and every copy of those turns. */

import type { EntryVectors, Store, StoreWrite } from "../ports.js";
import type { Entry, EntryId, ForgetPreview, ForgetTarget, Forgotten, Turn, TurnId } from "../types.js";
import { nextContext, previousContext } from "../write/context.js";
import { findSecrets, withoutSecrets } from "../write/secrets.js";
import type { EntryEmbedder } from "./entry-embedder.js";
import type { Follower } from "./follower.js";
import { chosenByMatch, chosenByPlace, chosenByPreview, type ForgetChoice } from "./forget-choice.js";
import { ForgetPreviews, type PreviewedTarget } from "./forget-previews.js";
import { matchQuery } from "./forget-query.js";
import type { ForgottenMarks } from "./forgotten-marks.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";
import { findRemains } from "./remains.js";
import { type ForgottenContexts, withoutContexts, withoutPointers, withSources } from "./stripping.js";
import type { UsageLedger } from "./usage-ledger.js";

/** Rows looked at between two pauses: some milliseconds. */
const SLICE = 1_000;

/** A part of the memory that keeps rows of its own of what was said. */
export interface ForgetCascade {
  /** Its name in the proof. */
  readonly part: string;
  /** What the same write must put so that nothing of a forgotten target is left there, and how many rows that removes. */
  forgetting(
    target: ForgetTarget,
    entryIds: readonly EntryId[],
    turnIds: readonly TurnId[],
  ): Promise<{ readonly meta: NonNullable<StoreWrite["meta"]>; readonly forgotten: number }>;
}

export interface ForgettingParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly embedder: () => EntryEmbedder;
  readonly follower: Follower;
  readonly usage: UsageLedger;
  readonly marks: ForgottenMarks;
  readonly cascades: readonly ForgetCascade[];
  readonly newId: () => string;
}

interface Changed {
  readonly before: Entry;
  readonly after: Entry;
  readonly loses: "sources" | "neighbours" | "pointers";
}

export class Forgetting {
  readonly #parts: ForgettingParts;
  readonly #previews: ForgetPreviews;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
    this.#previews = new ForgetPreviews(parts.newId);
  }

  /** What a target means now. */
  async preview(target: ForgetTarget, signal?: AbortSignal): Promise<ForgetPreview> {
    const choice = await this.#choose(target, signal);
    const { entries, turns } = choice;
    const changed = await this.#changed(choice, signal);
    return {
      entries,
      turns,
      stripped: changed.filter(({ loses }) => loses !== "pointers").map(({ before, after }) => ({ before, after })),
      token: this.#previews.keep(target as PreviewedTarget, entries, turns),
    };
  }

  /** What was asked for when a preview was asked for. */
  meaningOf(target: ForgetTarget): PreviewedTarget {
    return "preview" in target ? this.#previews.get(target.preview).target : target;
  }

  /** Calls must not run beside other writes of this handle.
   * @param isLate lets what other handles wrote meanwhile be; what it holds is counted as remaining
   * @throws MemoryError "not-found" for a preview that is not known any more; "conflict" when another handle wrote meanwhile;
   * nothing is forgotten then */
  async forget(target: ForgetTarget, isLate: boolean, signal?: AbortSignal): Promise<Forgotten> {
    const { store, index, follower, usage, embedder, marks, cascades } = this.#parts;
    const level = follower.applied;
    const choice = await this.#choose(target, signal);
    const meaning = this.meaningOf(target);
    const entryIds = choice.entries.map(({ id }) => id);
    const turnIds = choice.turns.map(({ id }) => id);
    const changed = await this.#changed(choice, signal);
    const reworded = changed.filter(({ before, after }) => isReworded(before, after)).map(({ after }) => after);
    const vectors = await embedder().embed(reworded, signal);
    const introduction = vectors.length > 0 ? embedder().introduction : undefined;
    const quotes = quotesOf(choice);
    const marked = await marks.rowsFor(
      choice.turns,
      isPlace(meaning) ? [] : [...quotes, ...choice.turns.map(({ text }) => text)],
      signal,
    );
    const removed: Record<string, number> = { entries: entryIds.length, turns: turnIds.length };
    for (const { loses } of changed) if (loses !== "pointers") removed[loses] = (removed[loses] ?? 0) + 1;
    const cascaded: Record<string, unknown> = {};
    for (const cascade of cascades) {
      const { meta, forgotten } = await cascade.forgetting(meaning, entryIds, turnIds);
      Object.assign(cascaded, meta);
      if (forgotten > 0) removed[cascade.part] = forgotten;
    }
    if (Object.values(removed).some((count) => count > 0)) {
      const commit = await store.write(
        {
          entries: changed.map(({ after }) => after),
          vectors: { space: index().space, of: vectors },
          removeEntries: entryIds,
          removeTurns: turnIds,
          meta: { ...introduction, ...marked.meta, ...cascaded },
          expect: [...choice.entries, ...changed.map(({ before }) => before)].map(({ id, revision }) => ({
            entryId: id,
            revision,
          })),
          // What came meanwhile may hold words of what is forgotten.
          ...(!isLate && { expectStore: level }),
        },
        { signal },
      );
      if (introduction) embedder().introduced();
      usage.forget(entryIds);
      await follower.committed(
        commit,
        new Map<EntryId, EntryVectors["rows"]>(vectors.map(({ entryId, rows }) => [entryId, rows])),
        entryIds,
      );
    }
    if ("preview" in target) this.#previews.drop(target.preview);
    await this.#dropUnread();
    const { rows, tables, ...remains } = await findRemains(store, { entryIds, turnIds, quotes });
    return {
      entryIds,
      turnIds,
      strippedIds: changed.filter(({ loses }) => loses !== "pointers").map(({ before }) => before.id),
      removed,
      marks: marked.count,
      scanned: { rows, tables },
      ...remains,
    };
  }

  /** A row that is damaged beyond reading may hold what is forgotten, and no scan would find it there; nor can anybody choose one that
   * is no entry by its shape. */
  async #dropUnread(): Promise<void> {
    const { store, follower, index } = this.#parts;
    const aside = [...index().aside.keys()];
    if (aside.length > 0) await follower.committed(await store.write({ removeEntries: aside }), new Map(), aside);
    if (!(await store.damaged()).some(({ kind }) => kind !== "vectors")) return;
    await store.dropDamaged();
    await follower.catchUp();
  }

  async #choose(target: ForgetTarget, signal: AbortSignal | undefined): Promise<ForgetChoice> {
    const { index, store, embedder } = this.#parts;
    const table = [...index().table];
    if ("preview" in target) return chosenByPreview(this.#previews.get(target.preview), new Set(target.except), table, store);
    if ("entryIds" in target) return chosenByMatch({ entryIds: new Set(target.entryIds), turns: [] }, table, store, signal);
    if (!("query" in target)) return chosenByPlace(target, table, store, signal);
    return chosenByMatch(
      await matchQuery(target.query, { store, index: index(), embedder: embedder() }, signal),
      table,
      store,
      signal,
    );
  }

  /** Entries that stay and lose something: a source, a neighbour's words, or what they point at. */
  async #changed({ entries, stripped, turns }: ForgetChoice, signal: AbortSignal | undefined): Promise<Changed[]> {
    const firsts = await this.#parts.store.turns(stripped.flatMap(({ kept }) => kept[0]?.turnId ?? []));
    const rest = new Map(stripped.map(({ entry, kept }, at) => [entry.id, withSources(entry, kept, firsts[at])]));
    const gone = new Set(entries.map(({ id }) => id));
    const contexts = await contextsOf(turns, signal);
    const changed: Changed[] = [];
    const table = [...this.#parts.index().table];
    for (const [at, before] of table.entries()) {
      if (at % SLICE === SLICE - 1) await pause();
      signal?.throwIfAborted();
      if (gone.has(before.id)) continue;
      const left = rest.get(before.id);
      const alone = withoutContexts(left ?? before, contexts);
      const free = withoutPointers(alone ?? left ?? before, gone);
      const after = free ?? alone ?? left;
      if (after) changed.push({ before, after, loses: left ? "sources" : alone ? "neighbours" : "pointers" });
    }
    return changed;
  }
}

function isPlace(target: PreviewedTarget): boolean {
  return "conversationId" in target || "said" in target;
}

async function contextsOf(turns: readonly Turn[], signal: AbortSignal | undefined): Promise<ForgottenContexts> {
  const previous = new Set<string>();
  const next = new Set<string>();
  const secrets = [...new Set(turns.flatMap(({ text }) => findSecrets(text)))];
  for (const [at, { text }] of turns.entries()) {
    if (at % SLICE === SLICE - 1) await pause();
    signal?.throwIfAborted();
    // Neighbours hold its words without its secrets.
    for (const read of new Set([text, withoutSecrets(text, secrets)])) {
      previous.add(previousContext(read));
      next.add(nextContext(read));
    }
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

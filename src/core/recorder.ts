/** The write path: turns in, entries out, one transaction. */

import type { ConversationRef } from "../backend.js";
import type { Clock, EntryVectors, Statement, Store, WriteOutput, Writer } from "../ports.js";
import { termsOf } from "../text/terms.js";
import type { Entry, EntryId, TurnInput, Written } from "../types.js";
import { leastUseful } from "../write/capacity.js";
import { nextContext } from "../write/context.js";
import { findDuplicate, mergeSources, normalised } from "../write/merge.js";
import { untilSettled } from "./conflict.js";
import type { OpenConversation } from "./conversations.js";
import type { EntryEmbedder } from "./entry-embedder.js";
import type { Follower } from "./follower.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";
import { type NewTurn, turnRows } from "./turn-rows.js";
import type { UsageLedger } from "./usage-ledger.js";

/** Turns before the new ones that the writer sees, and turns that it reads at a time: some milliseconds of work. */
const RECENT_TURNS = 12;
const WRITER_BATCH = 32;
/** Evicted beyond the excess, as a share of the capacity, so that not every record evicts. */
const EVICTION_SLACK = 0.01;

/** A text whose rarest word stands in more entries than this is no telling one; it is stored again. */
const MAX_ALIKE = 200;

/** Turns up to which a record is decided anew whenever another handle has written anything; a long history would be read again
 * for every small write elsewhere. */
const MOST_SERIAL = 32;

type Refused = Written["refused"][number];
type NewEntry = Omit<Entry, "revision">;

export interface RecorderParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly embedder: () => EntryEmbedder;
  readonly follower: Follower;
  /** Brings indexes and conversations level with the store. */
  readonly catchUp: () => Promise<void>;
  readonly usage: UsageLedger;
  readonly writer: Writer;
  /** Loads what reading these texts needs; never rejects. */
  readonly prepareLanguages: (texts: readonly string[]) => Promise<void>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly timeZone: string;
  readonly capacity: number;
}

export class Recorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Calls must not run side by side: the order of records is the order of their turns.
   * @param open gives the conversation as it is now, anew for every try */
  async record(
    ref: ConversationRef,
    open: () => Promise<OpenConversation>,
    input: TurnInput,
    signal?: AbortSignal,
  ): Promise<Written> {
    return untilSettled(async (isLast) => this.#try(ref, await open(), input, isLast, signal), this.#parts.catchUp);
  }

  async #try(
    ref: ConversationRef,
    conversation: OpenConversation,
    input: TurnInput,
    isLast: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Written> {
    const { store, follower, clock, newId, usage } = this.#parts;
    const level = follower.applied;
    const now = clock.now();
    const rows = turnRows(input, { conversationId: ref.id, now, newId, last: conversation.window.turns.at(-1) });
    const { fresh, refused } = await this.#fresh(rows);
    if (ref.incognito) {
      conversation.window.add(fresh);
      return { ...NOTHING, refused: [...refused, ...fresh.map(({ text }) => ({ text, reason: "incognito" as const }))] };
    }
    if (fresh.length === 0) return { ...NOTHING, refused };

    const output = await this.#written(conversation, fresh, input, signal);
    signal?.throwIfAborted();
    const { added, changed, merged } = this.#decide(output.statements, fresh, now);
    // The link to the turn before is a gain for search; it must not be what a record fails of.
    if (!isLast) this.#linkPrevious(conversation, fresh, changed);
    const evicted = await this.#evict(added, now, new Set(changed.keys()));
    const stored = added.filter(({ id }) => !evicted.has(id));
    const vectors: EntryVectors[] = await this.#parts.embedder().embed(stored, signal);
    const removed = [...evicted.keys()].filter((id) => evicted.get(id) !== NEW);

    const commit = await store.write(
      {
        turns: fresh,
        entries: [...stored, ...[...changed.values()].map(({ entry }) => entry)],
        vectors: { space: this.#parts.index().space, of: vectors },
        removeEntries: removed,
        expect: [
          ...[...changed.values()].map(({ entry, revision }) => ({ entryId: entry.id, revision })),
          // What was pinned or said again meanwhile is not evicted.
          ...removed.map((entryId) => ({ entryId, revision: evicted.get(entryId) ?? NEW })),
        ],
        // Its words stand beside the new ones: what another handle forgot meanwhile must not come back so.
        expectTurns: conversation.window.turns.slice(-1).map(({ id }) => id),
        expectNewTurns: fresh.map(({ id }) => id),
        // What was looked for and not found, such as the same statement or a turn before, must not have come meanwhile.
        ...(!isLast && fresh.length <= MOST_SERIAL && { expectStore: level }),
      },
      { signal },
    );
    usage.forget(removed);
    await follower.committed(commit, new Map(vectors.map(({ entryId, rows }) => [entryId, rows])), removed);
    conversation.window.add(fresh);
    conversation.lastEntryId = entryOfTurn(commit.entries, fresh.at(-1));
    const byId = new Map(commit.entries.map((entry) => [entry.id, entry]));
    return {
      turnIds: fresh.map(({ id }) => id),
      stored: stored.flatMap(({ id }) => byId.get(id) ?? []),
      merged,
      superseded: [],
      marked: [],
      fallbacks: [],
      refused: [...refused, ...output.refused],
    };
  }

  /** The writer's statements, in batches, so that a recall or an abort comes through while a long history is read. */
  async #written(
    conversation: OpenConversation,
    fresh: readonly NewTurn[],
    input: TurnInput,
    signal: AbortSignal | undefined,
  ): Promise<WriteOutput> {
    const { writer, timeZone } = this.#parts;
    const recalled = input.recalled?.items.flatMap(({ text, sources }) => [text, ...sources.map(({ quote }) => quote)]) ?? [];
    const statements: Statement[] = [];
    const refused: Refused[] = [];
    await this.#parts.prepareLanguages(fresh.map(({ text }) => text));
    let recent = conversation.window.recent();
    for (let from = 0; from < fresh.length; from += WRITER_BATCH) {
      if (from > 0) await pause();
      const turns = fresh.slice(from, from + WRITER_BATCH);
      const next = fresh[from + WRITER_BATCH];
      const output = await writer.write({ turns, recent, recalled, timeZone, ...(next && { next }) }, { signal });
      signal?.throwIfAborted();
      statements.push(...output.statements);
      refused.push(...output.refused);
      recent = turns.slice(-RECENT_TURNS);
    }
    return { statements, refused };
  }

  /** Leaves out what is stored already or says nothing. */
  async #fresh(rows: readonly NewTurn[]): Promise<{ readonly fresh: NewTurn[]; readonly refused: Refused[] }> {
    const stored = await this.#parts.store.turns(rows.map(({ id }) => id));
    const seen = new Set<string>();
    const fresh: NewTurn[] = [];
    const refused: Refused[] = [];
    rows.forEach((row, index) => {
      if (stored[index] || seen.has(row.id)) refused.push({ text: row.text, reason: "already-recorded" });
      else if (row.text.trim() === "") refused.push({ text: row.text, reason: "empty" });
      else fresh.push(row);
      seen.add(row.id);
    });
    return { fresh, refused };
  }

  /** New entries, and stored ones that the same statement adds evidence to. */
  #decide(statements: readonly Statement[], fresh: readonly NewTurn[], now: number) {
    const { newId } = this.#parts;
    const added = new Map<string, NewEntry>();
    const changed = new Map<EntryId, { readonly entry: NewEntry; readonly revision: number }>();
    const merged: { into: EntryId; text: string }[] = [];
    const turns = new Map(fresh.map((turn) => [turn.id, turn]));
    for (const statement of statements) {
      const turn = turns.get(statement.turnId);
      if (!turn) continue;
      const key = `${statement.subject}\n${normalised(statement.text)}`;
      const among = added.get(key);
      const stored = among ? undefined : findDuplicate(statement, this.#alike(statement));
      if (among) added.set(key, mergeSources(among, statement));
      else if (stored)
        changed.set(stored.id, {
          entry: mergeSources(changed.get(stored.id)?.entry ?? stored, statement),
          revision: stored.revision,
        });
      else added.set(key, newEntry(statement, turn, newId() as EntryId, now));
      const into = among ?? stored;
      if (into) merged.push({ into: into.id, text: statement.text });
    }
    return { added: [...added.values()], changed, merged };
  }

  /** Stored entries that may say the same: those that hold the statement's rarest word. */
  #alike({ indexText }: Statement): Entry[] {
    const { table, lexical } = this.#parts.index();
    const rarest = termsOf(indexText).reduce<{ readonly term: string; readonly count: number } | undefined>((best, term) => {
      const count = lexical.documentFrequency(term);
      return best && best.count <= count ? best : { term, count };
    }, undefined);
    if (!rarest || rarest.count === 0 || rarest.count > MAX_ALIKE) return [];
    return [...lexical.postings(rarest.term)].flatMap((slot) => table.entry(slot) ?? []);
  }

  /** The entry of the turn before learns how the conversation went on: an answer is found by the words around it. */
  #linkPrevious(
    conversation: OpenConversation,
    fresh: readonly NewTurn[],
    changed: Map<EntryId, { readonly entry: NewEntry; readonly revision: number }>,
  ): void {
    const first = fresh[0];
    const last = conversation.window.turns.at(-1);
    const { table } = this.#parts.index();
    const slot = conversation.lastEntryId === undefined ? undefined : table.slotOf(conversation.lastEntryId);
    const stored = slot === undefined ? undefined : table.entry(slot);
    if (!first || !last || !stored || first.sessionId !== last.sessionId) return;
    const before = changed.get(stored.id)?.entry ?? stored;
    const entry = { ...before, context: { ...before.context, next: nextContext(first.text) } };
    changed.set(stored.id, { entry, revision: stored.revision });
  }

  /** @returns what must go so that the capacity holds, with the revision it was judged by; {@link NEW} for what comes with this record */
  async #evict(added: readonly NewEntry[], now: number, keep: ReadonlySet<EntryId>): Promise<ReadonlyMap<EntryId, number>> {
    const { capacity, usage } = this.#parts;
    const { table } = this.#parts.index();
    const excess = table.size + added.length - capacity;
    if (excess <= 0) return new Map();
    const kept = [...table].filter(({ id }) => !keep.has(id));
    const used = await usage.of(kept.map(({ id }) => id));
    const unused = { accessCount: 0, lastAccessedAt: 0 };
    const evictable = [
      ...kept.map((entry, index) => ({ entry, usage: used[index] ?? unused })),
      ...added.map((entry) => ({ entry: { ...entry, revision: NEW }, usage: unused })),
    ];
    const revisions = new Map(evictable.map(({ entry }) => [entry.id, entry.revision]));
    const evicted = leastUseful(evictable, excess + Math.floor(capacity * EVICTION_SLACK), now);
    return new Map(evicted.map((id) => [id, revisions.get(id) ?? NEW]));
  }
}

/** Revision of what is not stored yet. */
const NEW = 0;

const NOTHING: Written = { turnIds: [], stored: [], merged: [], superseded: [], marked: [], fallbacks: [], refused: [] };

function newEntry({ turnId: _, ...statement }: Statement, turn: NewTurn, id: EntryId, now: number): NewEntry {
  return {
    ...statement,
    id,
    conversationId: turn.conversationId,
    sessionId: turn.sessionId,
    createdAt: now,
    validFrom: statement.saidAt,
    evidence: 1,
    ...(turn.private && { private: true as const }),
  };
}

function entryOfTurn(entries: readonly Entry[], turn: NewTurn | undefined): EntryId | undefined {
  return turn && entries.find(({ sources }) => sources.some(({ turnId }) => turnId === turn.id))?.id;
}

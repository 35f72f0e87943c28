/** The write path: turns in, entries out, one transaction. */

import type { ConversationRef } from "../backend.js";
import { MemoryError } from "../errors.js";
import type { CallOptions, Clock, EntryVectors, Statement, Store } from "../ports.js";
import { ROLE_TAG } from "../retrieve/played-last.js";
import type { Entry, EntryId, Timestamp, TurnInput, Written } from "../types.js";
import { nextContext } from "../write/context.js";
import type { OpenFrame } from "../write/role-play.js";
import { untilSettled } from "./conflict.js";
import type { OpenConversation } from "./conversations.js";
import { Decisions } from "./decisions.js";
import type { EntryEmbedder } from "./entry-embedder.js";
import { type Eviction, NOTHING_EVICTED } from "./eviction.js";
import type { Follower } from "./follower.js";
import type { ForgottenMarks } from "./forgotten-marks.js";
import type { Intake, Taken } from "./intake.js";
import { withoutSecretsOf } from "./masking.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";
import { type NewEntry, Relatives } from "./relatives.js";
import { type NewTurn, turnRows } from "./turn-rows.js";
import type { UsageLedger } from "./usage-ledger.js";

/** Entries decided on between two pauses: some milliseconds of work. */
const SLICE = 6;

/** Turns up to which a record is decided anew whenever another handle has written anything; a long history would be read again
 * for every small write elsewhere. */
const MOST_SERIAL = 32;

type Refused = Written["refused"][number];

export interface RecorderParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly embedder: () => EntryEmbedder;
  readonly follower: Follower;
  /** Brings indexes and conversations level with the store. */
  readonly catchUp: () => Promise<void>;
  readonly usage: UsageLedger;
  readonly intake: Intake;
  readonly eviction: Eviction;
  /** Of what the person had forgotten: an app that records its history anew must not bring it back. */
  readonly marks: Pick<ForgottenMarks, "forgottenIds" | "permitted" | "state">;
  /** Told what became of every record. */
  readonly onWritten: (written: Written) => void;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly timeZone: string;
}

export class Recorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Calls must not run side by side: the order of records is the order of their turns.
   * @param open gives the conversation as it is now, anew for every try
   * @param isOld it was said before, as what is imported: words that were forgotten stay so, and not only messages */
  async record(
    ref: ConversationRef,
    open: () => Promise<OpenConversation>,
    input: TurnInput,
    { signal, isOld = false }: CallOptions & { readonly isOld?: boolean } = {},
  ): Promise<Written> {
    const written = await untilSettled(
      async (isLate) => this.#try(ref, await open(), input, { isLate, isOld }, signal),
      this.#parts.catchUp,
    );
    this.#parts.onWritten(written);
    return written;
  }

  async #try(
    ref: ConversationRef,
    conversation: OpenConversation,
    input: TurnInput,
    { isLate, isOld }: { readonly isLate: boolean; readonly isOld: boolean },
    signal: AbortSignal | undefined,
  ): Promise<Written> {
    const { store, follower, clock, newId, usage, marks } = this.#parts;
    const level = follower.applied;
    const state = await marks.state();
    const now = clock.now();
    const rows = turnRows(input, { conversationId: ref.id, now, newId, last: conversation.window.turns.at(-1) });
    const { fresh, refused } = await this.#fresh(rows, isOld);
    if (ref.incognito) {
      conversation.window.add(fresh);
      return { ...NOTHING, refused: [...refused, ...fresh.map(({ text }) => ({ text, reason: "incognito" as const }))] };
    }
    if (fresh.length === 0) return { ...NOTHING, refused };

    const { turns: masked, before, refused: withheld } = withoutSecretsOf(fresh, conversation.window.turns);
    const recalled = input.recalled?.items.flatMap(({ text, sources }) => [text, ...sources.map(({ quote }) => quote)]) ?? [];
    const intake = await this.#parts.intake.read(
      masked,
      before,
      recalled,
      signal,
      async (limit) => {
        const last = await store.listTurns({ conversationId: ref.id, limit, reverse: true });
        return withoutSecretsOf(last.reverse(), []).turns;
      },
      roleBegun(conversation, this.#parts.index()),
    );
    const embedder = this.#parts.embedder();
    const index = this.#parts.index();
    const decisions = await this.#decide(intake.taken, index, embedder, now, signal);
    // The link to the turn before is a gain for search, and room can be made by the next record: a record must not fail of them.
    if (!isLate) this.#linkPrevious(conversation, masked, decisions);
    const evicted = isLate ? NOTHING_EVICTED : await this.#parts.eviction.choose(decisions, index, now);
    const added = decisions.added.filter(({ id }) => !evicted.fresh.has(id));
    const changed = [...decisions.changed.values()];
    const vectors = await vectorsOf([...added, ...changed.map(({ entry }) => entry)], decisions, index, embedder, signal);
    const removed = evicted.stored.map(({ entryId }) => entryId);
    const isSerial = !isLate && (fresh.length <= MOST_SERIAL || removed.length > 0);
    const expectStore = isSerial ? level : await this.#unforgotten(state);

    const commit = await store.write(
      {
        turns: fresh,
        entries: [...added, ...changed.map(({ entry }) => entry)],
        vectors: { space: index.space, of: vectors },
        meta: { ...evicted.meta, ...(vectors.length > 0 && embedder.introduction) },
        removeEntries: removed,
        expect: [
          ...changed.map(({ entry, revision }) => ({ entryId: entry.id, revision })),
          // What was pinned or said again meanwhile is not evicted.
          ...evicted.stored,
        ],
        // Its words stand beside the new ones: what another handle forgot meanwhile must not come back so.
        expectTurns: conversation.window.turns.slice(-1).map(({ id }) => id),
        expectNewTurns: fresh.map(({ id }) => id),
        // What was looked for and not found, such as the same statement or a turn before, must not have come meanwhile.
        expectStore,
      },
      { signal },
    );
    if (vectors.length > 0) embedder.introduced();
    usage.forget(removed);
    await follower.committed(commit, new Map(vectors.map(({ entryId, rows }) => [entryId, rows])), removed);
    conversation.window.add(fresh);
    conversation.role = intake.open ?? null;
    conversation.lastEntryId = entryOfTurn(commit.entries, fresh.at(-1));
    const byId = new Map(commit.entries.map((entry) => [entry.id, entry]));
    return {
      turnIds: fresh.map(({ id }) => id),
      // What was split off an entry and is over is told as superseded.
      stored: added.flatMap(({ id, validTo }) => (validTo === undefined ? (byId.get(id) ?? []) : [])),
      ...decisions.told,
      fallbacks: intake.fallbacks,
      refused: [...refused, ...withheld, ...intake.refused, ...decisions.withdrawn],
    };
  }

  /** The store's revision now, where nothing was forgotten since `state`: what others may write all the time, and what must not come
   * back with this record.
   * @throws MemoryError "conflict" */
  async #unforgotten(state: string): Promise<number> {
    const { store, marks } = this.#parts;
    const revision = await store.revision();
    if ((await marks.state()) === state) return revision;
    throw new MemoryError("conflict", "something was forgotten while this was decided");
  }

  /** Leaves out what is stored already, was forgotten or says nothing. */
  async #fresh(rows: readonly NewTurn[], isOld: boolean): Promise<{ readonly fresh: NewTurn[]; readonly refused: Refused[] }> {
    const { store, marks } = this.#parts;
    const ids = rows.map(({ id }) => id);
    const stored = await store.turns(ids);
    const seen = new Set<string>();
    const forgotten = await marks.forgottenIds(ids);
    const permitted = isOld ? await marks.permitted(rows) : rows;
    const fresh: NewTurn[] = [];
    const refused: Refused[] = [];
    rows.forEach((row, index) => {
      const left = permitted[index];
      if (stored[index] || seen.has(row.id)) refused.push({ text: row.text, reason: "already-recorded" });
      else if (forgotten.has(row.id) || !left) refused.push({ text: row.text, reason: "forgotten" });
      else if (left.text.trim() === "") refused.push({ text: row.text, reason: "empty" });
      else fresh.push(left);
      seen.add(row.id);
    });
    return { fresh, refused };
  }

  /** What each statement becomes, in the order in which they were made. */
  async #decide(
    taken: readonly Taken[],
    index: MemoryIndex,
    embedder: EntryEmbedder,
    now: Timestamp,
    signal: AbortSignal | undefined,
  ): Promise<Decisions> {
    const { store, timeZone } = this.#parts;
    const newId = (): EntryId => this.#parts.newId() as EntryId;
    const decisions = new Decisions({ index, relatives: new Relatives(index, store), newId, now, timeZone });
    const entries = taken.map(({ statement, turn }) => newEntry(statement, turn, newId(), now));
    const stored = entries.filter((_, at) => !taken[at]?.onlyAmends);
    const rows = new Map((await embedder.embed(stored, signal)).map((one) => [one.entryId, one.rows]));
    for (const [at, { amending, onlyAmends }] of taken.entries()) {
      if (at % SLICE === SLICE - 1) await pause();
      signal?.throwIfAborted();
      const entry = entries[at] as NewEntry;
      if (onlyAmends) await decisions.withdraw(entry, amending);
      else await decisions.take(entry, rows.get(entry.id), amending);
    }
    return decisions;
  }

  /** The entry of the turn before learns how the conversation went on: an answer is found by the words around it. */
  #linkPrevious(conversation: OpenConversation, turns: readonly NewTurn[], decisions: Decisions): void {
    const [first] = turns;
    const last = conversation.window.turns.at(-1);
    if (!first || !last || conversation.lastEntryId === undefined || first.sessionId !== last.sessionId) return;
    decisions.link(conversation.lastEntryId, nextContext(first.text));
  }
}

/** A role that is played since before the turns that a conversation holds: as it was left, or as the entries of those turns tell when it
 * was opened again. */
function roleBegun({ role, window }: OpenConversation, { table }: MemoryIndex): OpenFrame | undefined {
  if (role !== undefined) return role ?? undefined;
  const held = new Map(window.turns.map(({ id, sessionId }) => [id, sessionId]));
  for (const { tags, sources } of table) {
    const sessionId = sources[0] && held.get(sources[0].turnId);
    const declared = sources.at(-1);
    if (sessionId !== undefined && declared && tags.includes(ROLE_TAG)) return { frame: declared, sessionId };
  }
  return undefined;
}

/** Vectors of what gets new words; what keeps its words keeps its vectors. */
async function vectorsOf(
  entries: readonly NewEntry[],
  decisions: Decisions,
  index: MemoryIndex,
  embedder: EntryEmbedder,
  signal: AbortSignal | undefined,
): Promise<EntryVectors[]> {
  const known: EntryVectors[] = [];
  const unknown: NewEntry[] = [];
  for (const entry of entries) {
    const rows = decisions.rowsOf(entry.id);
    if (rows) known.push({ entryId: entry.id, rows });
    else if (index.entry(entry.id)?.indexText !== entry.indexText) unknown.push(entry);
  }
  return unknown.length === 0 ? known : [...known, ...(await embedder.embed(unknown, signal))];
}

const NOTHING: Written = { turnIds: [], stored: [], merged: [], superseded: [], marked: [], fallbacks: [], refused: [] };

/** What a statement becomes. */
export function newEntry({ turnId: _, ...statement }: Statement, turn: NewTurn, id: EntryId, now: number): NewEntry {
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

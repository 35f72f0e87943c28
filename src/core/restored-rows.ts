/** Writes rows of a backup: each decision is made on what is stored at that moment. */

import type { BackupRow } from "../backup/format.js";
import { isEntry } from "../backup/shapes.js";
import type { Store, StoreWrite } from "../ports.js";
import { checksumOf } from "../store/checksum.js";
import { unconsolidated } from "../store/graph-rows.js";
import type { Entry, EntryId, Source, Turn, Usage } from "../types.js";
import { untilSettled } from "./conflict.js";
import type { EvictedEntry } from "./eviction-queue.js";
import type { Follower } from "./follower.js";
import type { ForgottenMarks } from "./forgotten-marks.js";
import type { MemoryIndex } from "./memory-index.js";
import type { RestoreTally } from "./restore-tally.js";
import type { RestoredConversations } from "./restored-conversations.js";
import { RestoredGraph } from "./restored-graph.js";
import { restoredMeta } from "./restored-meta.js";
import { withSources } from "./stripping.js";
import type { UsageLedger } from "./usage-ledger.js";

export interface RestoringParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly follower: Follower;
  readonly usage: UsageLedger;
  readonly marks: ForgottenMarks;
  /** Runs a task between the writes of this handle. */
  readonly inQueue: <T>(task: () => Promise<T>) => Promise<T>;
  /** Has restored entries embedded, and what was learned read. */
  readonly wake: () => void;
}

interface RestoredRowsParts extends RestoringParts {
  readonly conversations: RestoredConversations;
  readonly tally: RestoreTally;
  /** Whether what was made of the entries comes with them, in the graph. */
  readonly hasGraph: boolean;
}

/** Relaxed writes between two that wait for the disk: a crash of the machine may take them, and the same import brings them again. */
const RELAXED_WRITES = 16;
/** Of this device: when a backup was last taken in. */
const RESTORED_KEY = "restored";

type EntryRow = Extract<BackupRow, { readonly entry: Entry }>;

/** What may come back, as it was at one state of the marks. */
interface Permitted {
  readonly state: string;
  /** For each turn, itself, without forgotten sentences, or undefined. */
  readonly turns: readonly (Turn | undefined)[];
  readonly entries: readonly EntryRow[];
}

export class RestoredRows {
  readonly #parts: RestoredRowsParts;
  readonly #graph: RestoredGraph;
  readonly #meta = new Map<string, unknown>();
  /** Checksums of the words that entries have in the backup. */
  readonly #words = new Map<EntryId, number>();
  /** Writes since the disk has confirmed one. The first waits for it: what is there already may be of a run that was killed. */
  #relaxed = RELAXED_WRITES;
  #wrote = false;

  constructor(parts: RestoredRowsParts) {
    this.#parts = parts;
    const { store, index } = parts;
    this.#graph = new RestoredGraph({ store, isHere: (id) => this.#hasSameWords(index().entry(id)) });
  }

  /** Inside the write queue. */
  async write(rows: readonly BackupRow[], signal: AbortSignal | undefined): Promise<void> {
    const { conversations } = this.#parts;
    for (const row of rows) {
      if ("memory" in row) conversations.writtenAt = row.memory.writtenAt;
      if ("meta" in row) this.#meta.set(row.meta, row.value);
      if ("entry" in row) this.#words.set(row.entry.id, checksumOf(row.entry.indexText));
    }
    await this.#writeSaid(rows, signal);
    await this.#writeGraph(rows, signal);
  }

  async #writeSaid(rows: readonly BackupRow[], signal: AbortSignal | undefined): Promise<void> {
    const { store, follower, marks, tally } = this.#parts;
    const placed = await this.#placed(rows.flatMap((row) => ("turn" in row ? [row.turn] : [])));
    const entries = rows.flatMap((row) => ("entry" in row ? [row] : []));
    if (placed.length === 0 && entries.length === 0) return;
    let permitted: Permitted | undefined;
    await untilSettled(
      async () => {
        const revision = await store.revision();
        const state = await marks.state();
        // What takes long is done anew only where something was forgotten meanwhile, so that a busy handle beside does not win for ever.
        if (permitted?.state !== state)
          permitted = { state, turns: await marks.permitted(placed), entries: await this.#permitted(entries) };
        const fresh = await this.#fresh(placed, permitted.turns);
        const decided = await this.#decide(permitted.entries);
        if (fresh.turns.length > 0 || decided.entries.length > 0 || decided.usage.length > 0) {
          // What was looked for and not found, such as a mark of what was forgotten, must not have come meanwhile.
          await this.#commit({ ...decided, turns: fresh.turns, expectStore: revision }, signal);
        }
        tally.recorded += fresh.turns.length;
        tally.forgotten += fresh.forgotten;
        tally.entries += decided.entries.length;
      },
      () => follower.catchUp(),
    );
  }

  /** After the entries that it rests on. */
  async #writeGraph(rows: readonly BackupRow[], signal: AbortSignal | undefined): Promise<void> {
    const { follower } = this.#parts;
    const known = rows.filter((row) => "node" in row || "edge" in row);
    if (known.length === 0) return;
    await untilSettled(
      async () => {
        const expectStore = follower.applied;
        const graph = await this.#graph.decide(known);
        if (graph) await this.#commit({ graph, expectStore }, signal);
      },
      () => follower.catchUp(),
    );
  }

  async #commit(batch: StoreWrite, signal: AbortSignal | undefined): Promise<void> {
    const { store, follower, tally } = this.#parts;
    const durable = this.#relaxed >= RELAXED_WRITES;
    const commit = await store.write({ ...batch, durable }, { signal });
    this.#relaxed = durable ? 0 : this.#relaxed + 1;
    this.#wrote = true;
    if (durable) tally.confirmed();
    await follower.committed(commit, new Map(), []);
  }

  #hasSameWords(entry: Entry | undefined): boolean {
    return entry !== undefined && this.#words.get(entry.id) === checksumOf(entry.indexText);
  }

  /** What a person decided on the one device that a backup was made of, where this one has nothing of the kind. When it resolves, all
   * that was written is on the disk. */
  async writeMeta(signal: AbortSignal | undefined): Promise<void> {
    const { store, follower, conversations, tally } = this.#parts;
    const { writtenAt } = conversations;
    const permitted = async (waiting: readonly EvictedEntry[]) =>
      (await this.#permitted(waiting.filter(isEntry).map((entry) => ({ entry })))).map(({ entry }) => entry as EvictedEntry);
    await untilSettled(
      async () => {
        const revision = await store.revision();
        const added = await restoredMeta(this.#meta, { store, permitted, hasNew: tally.recorded > 0 });
        const isConfirmed = !this.#wrote && (await store.meta(RESTORED_KEY)) === writtenAt;
        if (Object.keys(added).length === 0 && isConfirmed) return;
        // A write that changes nothing would not wait for those before it.
        const meta = { ...added, [RESTORED_KEY]: writtenAt };
        await follower.vectorsCommitted((await store.write({ meta, expectStore: revision }, { signal })).revision);
      },
      () => follower.catchUp(),
    );
    tally.confirmed();
  }

  /** Turns where they are to be stored. */
  async #placed(turns: readonly Turn[]): Promise<Turn[]> {
    const { conversations, tally } = this.#parts;
    tally.messages += turns.length;
    const placed: Turn[] = [];
    for (const turn of turns) {
      tally.conversation(turn.conversationId);
      placed.push({ ...turn, conversationId: await conversations.of(turn) });
    }
    return placed;
  }

  /** Those that are not stored and may be, and how many may not. */
  async #fresh(
    turns: readonly Turn[],
    permitted: readonly (Turn | undefined)[],
  ): Promise<{ readonly turns: readonly Omit<Turn, "sequence">[]; readonly forgotten: number }> {
    const stored = await this.#parts.store.turns(turns.map(({ id }) => id));
    const missing = permitted.filter((_, at) => stored[at] === undefined);
    const fresh = missing.flatMap((turn) => {
      if (!turn) return [];
      const { sequence: _, ...row } = turn;
      return [row];
    });
    return { turns: fresh, forgotten: missing.length - fresh.length };
  }

  /** Entries without what was forgotten of them. */
  async #permitted(rows: readonly EntryRow[]): Promise<EntryRow[]> {
    const { marks } = this.#parts;
    const sourcesOf = ({ entry }: EntryRow) =>
      entry.sources.map(({ turnId, quote }) => ({ id: turnId as string, text: quote, at: entry.saidAt }));
    const asked = rows.flatMap(sourcesOf);
    const answers = await marks.permitted(asked);
    // Without marks the same list comes back, and nothing is to be looked at.
    if (answers === asked) return [...rows];
    let next = 0;
    const kept: EntryRow[] = [];
    for (const row of rows) {
      const { entry } = row;
      const sources = entry.sources.filter(({ quote }) => answers[next++]?.text === quote);
      const left = await this.#without(entry, sources);
      if (left) kept.push({ ...row, entry: left });
    }
    return kept;
  }

  async #without(entry: Entry, sources: readonly Source[]): Promise<Entry | undefined> {
    const { marks, store } = this.#parts;
    if (sources.length === 0 && entry.sources.length > 0) return undefined;
    const [turn] = sources.length < entry.sources.length ? await store.turns([(sources[0] as Source).turnId]) : [];
    const { context, ...rest } = sources.length < entry.sources.length ? withSources(entry, sources, turn) : entry;
    const { previous = "", next = "" } = context ?? {};
    const [before, after, own] = await marks.permitted([{ text: previous }, { text: next }, { text: rest.indexText }]);
    if (own?.text !== rest.indexText) return undefined;
    const words = {
      ...(previous !== "" && before?.text === previous && { previous }),
      ...(next !== "" && after?.text === next && { next }),
    };
    return { ...rest, ...(Object.keys(words).length > 0 && { context: words }) };
  }

  /** New entries, those that are newer than what is stored, and use that is more than was counted here. */
  async #decide(
    rows: readonly EntryRow[],
  ): Promise<{ readonly entries: readonly Entry[]; readonly usage: NonNullable<StoreWrite["usage"]> }> {
    const { store, usage, hasGraph } = this.#parts;
    // Of two rows of one entry the later is as it was last.
    const latest = [...new Map(rows.map((row) => [row.entry.id, row])).values()];
    const ids = latest.map(({ entry }) => entry.id);
    const stored = await store.entries(ids);
    const told = latest.filter((row) => row.usage !== undefined);
    const used = await usage.of(told.map(({ entry }) => entry.id));
    const revisions = stored.map((entry) => (isEntry(entry) ? entry.revision : 0));
    const newer = latest.filter(({ entry }, at) => entry.revision > (revisions[at] as number));
    return {
      // What was made of other words, or stayed in the graph of the memory that it comes from, is made anew.
      entries: newer.map(({ entry }) => (hasGraph && this.#hasSameWords(entry) ? entry : unconsolidated(entry))),
      usage: told.flatMap(({ entry, usage: given }, at) => {
        const more = given && moreThan(used[at], given);
        return more ? [{ entryId: entry.id, usage: more }] : [];
      }),
    };
  }
}

/** The larger of both, where the told one is larger in anything. */
function moreThan(used: Usage = { accessCount: 0, lastAccessedAt: 0 }, told: Usage): Usage | undefined {
  const { accessCount, lastAccessedAt } = told;
  if (accessCount <= used.accessCount && lastAccessedAt <= used.lastAccessedAt) return undefined;
  return {
    accessCount: Math.max(accessCount, used.accessCount),
    lastAccessedAt: Math.max(lastAccessedAt, used.lastAccessedAt),
  };
}

/** Consolidation: memories into the graph, batch by batch, in the background; one handle at a time, and each batch all or nothing. */

import { applyOperations } from "../ltm/apply.js";
import { checkOperations, type OperationRules, type Refusals } from "../ltm/operations.js";
import { identitiesIn } from "../ltm/scrub/identities.js";
import { KnownNames, type KnownPerson } from "../ltm/scrub/known-names.js";
import type { CallOptions, Clock, ConsolidationBatch, Consolidator, Store } from "../ports.js";
import type { Consolidation, ConsolidationJob, Entry } from "../types.js";
import { untilSettled } from "./conflict.js";
import { ConsolidationGraph } from "./consolidation-graph.js";
import { ConsolidationJobs, isDue, isOver, spending, spentToday } from "./consolidation-jobs.js";
import type { Follower } from "./follower.js";
import { type GivingWayParts, giveWay } from "./giving-way.js";
import type { HandleLocks } from "./handle-locks.js";
import { KnownPeople } from "./known-people.js";
import type { MemoryIndex } from "./memory-index.js";
import type { UsageLedger } from "./usage-ledger.js";
import { type ConsolidatorPlace, mayLearn, WaitingEntries } from "./waiting-entries.js";

/** Memories of one batch: those of some twelve turns, with what is behind. */
const BATCH = 24;
export const CONSOLIDATION_LOCK = "consolidation";

const NOTHING = { nodes: [], edges: [] };

export interface ConsolidatingParts extends GivingWayParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly follower: Follower;
  readonly usage: UsageLedger;
  readonly locks: HandleLocks;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly consolidator: Consolidator;
  /** Runs a task between the writes of this handle, level with the store. */
  readonly between: <T>(task: () => Promise<T>) => Promise<T>;
  readonly catchUp: () => Promise<void>;
  /** Aborts when the memory is closed. */
  readonly ended: AbortSignal;
}

export interface Batch {
  readonly job: ConsolidationJob;
  readonly entries: readonly Entry[];
}

/** What a consolidator was shown, and wants. */
export interface Answer {
  readonly batch: ConsolidationBatch;
  readonly operations: readonly unknown[];
}

/** What a batch came to. */
export interface Finished {
  readonly operations: number;
  readonly refused: Refusals;
  readonly entries: number;
}

export class Consolidating {
  readonly graph: ConsolidationGraph;
  readonly #parts: ConsolidatingParts;
  readonly #jobs: ConsolidationJobs;
  readonly #waiting: Readonly<Record<ConsolidatorPlace, WaitingEntries>>;
  readonly #people: KnownPeople;

  constructor(parts: ConsolidatingParts) {
    this.#parts = parts;
    this.#people = new KnownPeople(parts.index);
    this.#waiting = { device: new WaitingEntries(parts, "device"), engine: new WaitingEntries(parts, "engine") };
    this.graph = new ConsolidationGraph(parts);
    this.#jobs = new ConsolidationJobs(parts.store);
  }

  async jobs(): Promise<readonly ConsolidationJob[]> {
    return (await this.#jobs.row()).jobs;
  }

  /** Everything that waits, as the only handle that does.
   * @param maxBatches all by default
   * @throws the signal's reason; what the store throws, and every batch before stays */
  async run({
    signal,
    maxBatches = Number.POSITIVE_INFINITY,
    onProgress,
  }: CallOptions & {
    readonly maxBatches?: number;
    readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  } = {}): Promise<Consolidation> {
    const { locks } = this.#parts;
    const tally = { batches: 0, entries: 0, operations: 0, refused: {} as Record<string, number> };
    const never = new AbortController().signal;
    await locks.hold(
      CONSOLIDATION_LOCK,
      async () => {
        for (;;) {
          signal?.throwIfAborted();
          const batch = tally.batches < maxBatches ? await this.next("device", this.#parts.consolidator.id, signal) : undefined;
          if (!batch) break;
          const { operations, refused, entries } = await this.#consolidate(batch, signal);
          tally.batches++;
          tally.entries += entries;
          tally.operations += operations;
          for (const [reason, count] of Object.entries(refused)) tally.refused[reason] = (tally.refused[reason] ?? 0) + count;
          onProgress?.({ done: tally.entries, total: tally.entries + this.#waiting.device.inLine });
          await giveWay(this.#parts, signal);
        }
      },
      signal ?? never,
    );
    return { ...tally, ...(await this.standing()) };
  }

  /** Nodes and edges of the graph, and memories that wait. */
  async standing(place: ConsolidatorPlace = "device"): Promise<Pick<Consolidation, "nodes" | "edges" | "left">> {
    const { counts = { nodes: 0, edges: 0 } } = await this.#parts.store.graph({ counts: true });
    return { ...counts, left: await this.#waiting[place].count() };
  }

  /** The batch that such a consolidator left behind, or a new one, which is journalled before anything is done with it. */
  next(place: ConsolidatorPlace, consolidator: string, signal: AbortSignal | undefined): Promise<Batch | undefined> {
    const { store, clock, newId, between, index, follower } = this.#parts;
    return between(() =>
      untilSettled(async () => {
        const row = await this.#jobs.row();
        const now = clock.now();
        const jobs = row.jobs.filter((job) => !isOver(job) && this.#placeOf(job) === place);
        const left = jobs.find((job) => isDue(job, now));
        // What is no longer so stays here.
        if (left) return { job: left, entries: left.entryIds.flatMap((id) => [index().entry(id)].filter(isLearnable)) };
        const taken = new Set(jobs.flatMap(({ entryIds }) => entryIds));
        const entries = await this.#waiting[place].next(BATCH, taken);
        if (entries.length === 0) return undefined;
        const job: ConsolidationJob = {
          id: newId(),
          state: "queued",
          consolidator,
          createdAt: now,
          updatedAt: now,
          entryIds: entries.map(({ id }) => id),
          attempts: 0,
        };
        const commit = await store.write({ meta: this.#jobs.with(row, job), expectStore: follower.applied }, { signal });
        await follower.committed(commit, new Map(), []);
        return { job, entries };
      }, this.#parts.catchUp),
    );
  }

  #placeOf({ consolidator }: ConsolidationJob): ConsolidatorPlace {
    return consolidator === this.#parts.consolidator.id ? "device" : "engine";
  }

  async #consolidate(batch: Batch, signal: AbortSignal | undefined): Promise<Finished> {
    return this.commit(batch, await this.answerOfDevice(batch.entries, signal), [], signal);
  }

  /** What the device makes of memories by itself. */
  async answerOfDevice(entries: readonly Entry[], signal: AbortSignal | undefined): Promise<Answer> {
    const { consolidator } = this.#parts;
    const fragments = entries.map(({ indexText, kind, subject }, at) => ({ fragment: at + 1, text: indexText, kind, subject }));
    const seen = consolidator.isBlind ? NOTHING : await this.graph.anchors(entries);
    const options = { signal, pause: () => giveWay(this.#parts, signal) };
    const operations = await consolidator.consolidate({ fragments, ...seen }, options);
    // Knowledge of things may say what is near it already; a person's own is told apart by its name.
    const isGeneral = operations.some((operation) => operation.type === "addNode" && operation.node.scope !== "own");
    const around = consolidator.isBlind && isGeneral ? await this.graph.anchors(entries) : seen;
    return { batch: { fragments, ...around }, operations };
  }

  /** About how many tokens went to engines and came back today. */
  async spentToday(): Promise<number> {
    return spentToday(await this.#jobs.row(), this.#parts.clock.now());
  }

  /** Writes how a job stands.
   * @param tokens that it has cost since the last time */
  put(job: ConsolidationJob, tokens = 0): Promise<void> {
    const { store, between, follower, catchUp, clock } = this.#parts;
    return between(() =>
      untilSettled(async () => {
        const [row, now] = [await this.#jobs.row(), clock.now()];
        const meta = this.#jobs.with(row, { ...job, updatedAt: now }, tokens > 0 ? spending(row, tokens, now) : {});
        await follower.committed(await store.write({ meta, expectStore: follower.applied }), new Map(), []);
      }, catchUp),
    );
  }

  /** Whoever the memory knows by name. */
  people(): Promise<readonly KnownPerson[]> {
    return this.#people.all();
  }

  /** What is sound of the answers becomes part of the graph, and the job is done.
   * @param beside is done with it and not counted */
  async commit(
    { job, entries }: Batch,
    answer: Answer,
    beside: readonly Answer[],
    signal: AbortSignal | undefined,
  ): Promise<Finished> {
    const { store, index, between, clock, follower, usage } = this.#parts;
    const names = new KnownNames(await this.people());
    const identifies = (text: string) => identitiesIn(text, names).length > 0;
    const check = async ({ batch, operations }: Answer) => {
      await giveWay(this.#parts, signal);
      const allowsOwn = batch.fragments.every(({ subject }) => subject !== undefined);
      return checkOperations(operations, batch, { identifies, allowsOwn } satisfies OperationRules);
    };
    const { sound, refused } = await check(answer);
    const all = [...sound];
    for (const other of beside) all.push(...(await check(other)).sound);
    const known = [answer, ...beside].flatMap(({ batch }) => batch.nodes);
    await giveWay(this.#parts, signal);
    return between(() =>
      untilSettled(async () => {
        const [row, around] = await Promise.all([this.#jobs.row(), this.graph.around(all, known, entries)]);
        // What was changed, forgotten or evicted meanwhile is not what was looked at.
        const current = entries.flatMap(({ id, indexText }) => {
          const now = index().entry(id);
          return now?.indexText === indexText ? now : [];
        });
        const ids = new Set(current.map(({ id }) => id));
        const entryOf = (fragment: number) => [entries[fragment - 1]?.id].find((id) => id !== undefined && ids.has(id));
        const [cycle, now] = [row.cycle + 1, clock.now()];
        const graph = applyOperations(all, around, { entryOf, cycle, now });
        const { swept, gone } = await this.graph.sweep(row.swept, cycle, new Set(graph.nodes.map(({ id }) => id)));
        const { outbound: _, returned: __, ...kept } = job;
        const isWhole = current.length === entries.length;
        const done: ConsolidationJob = {
          ...(isWhole ? job : kept),
          state: "committed",
          entryIds: [...ids],
          updatedAt: now,
          attempts: Math.max(1, job.attempts),
          done: sound.length,
          refused,
        };
        const isByEngine = this.#placeOf(job) === "engine";
        // By a clock that was set back, a use may lie in the future: it must not bring a memory back for ever.
        const used = await usage.of([...ids]);
        const commit = await store.write(
          {
            entries: current.map((entry, at) => {
              const consolidatedAt = Math.max(now, used[at]?.lastAccessedAt ?? 0);
              return { ...entry, consolidatedAt, ...(isByEngine && { consolidatedByEngineAt: consolidatedAt }) };
            }),
            expect: current.map(({ id, revision }) => ({ entryId: id, revision })),
            expectStore: follower.applied,
            graph: { ...graph, removeNodes: [...graph.removeNodes, ...gone] },
            meta: this.#jobs.with(row, done, { cycle, swept: swept ?? "" }),
          },
          { signal },
        );
        await follower.committed(commit, new Map(), []);
        return { operations: sound.length, refused, entries: current.length };
      }, this.#parts.catchUp),
    );
  }
}

function isLearnable(entry: Entry | undefined): entry is Entry {
  return entry !== undefined && mayLearn(entry);
}

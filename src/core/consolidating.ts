/** Consolidation: memories into the graph, batch by batch, in the background; one handle at a time, and each batch all or nothing. */

import { applyOperations, type GraphNeighbourhood } from "../ltm/apply.js";
import { faded, isBelowFloor } from "../ltm/confidence.js";
import { isNegated } from "../ltm/likeness.js";
import { nodeId } from "../ltm/node-id.js";
import { checkOperations, type Refusals } from "../ltm/operations.js";
import { identitiesIn } from "../ltm/scrub/identities.js";
import { KnownNames } from "../ltm/scrub/known-names.js";
import type { CallOptions, Clock, ConsolidationBatch, Consolidator, GraphOperation, Store } from "../ports.js";
import { termsOf } from "../text/terms.js";
import type { Consolidation, ConsolidationJob, Entry, EntryId } from "../types.js";
import { untilSettled } from "./conflict.js";
import { ConsolidationJobs, isDue, isOver } from "./consolidation-jobs.js";
import type { Follower } from "./follower.js";
import type { HandleLocks } from "./handle-locks.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";
import type { UsageLedger } from "./usage-ledger.js";

/** Memories of one batch: those of some twelve turns, with what is behind. */
const BATCH = 24;
/** Stems of a batch by which the part of the graph is found that a consolidator sees, and nodes for each. */
const ANCHOR_TERMS = 48;
const NODES_PER_TERM = 4;
/** Nodes looked at for their fading with each batch. */
const SWEEP = 256;
/** Support rows of a node that is merged. */
const ALL = 100_000;
const LOCK = "consolidation";

export interface ConsolidatingParts {
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
}

interface Batch {
  readonly job: ConsolidationJob;
  readonly entries: readonly Entry[];
}

export class Consolidating {
  readonly #parts: ConsolidatingParts;
  readonly #jobs: ConsolidationJobs;

  constructor(parts: ConsolidatingParts) {
    this.#parts = parts;
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
    const { locks, store } = this.#parts;
    const tally = { batches: 0, entries: 0, operations: 0, refused: {} as Record<string, number> };
    const never = new AbortController().signal;
    await locks.hold(
      LOCK,
      async () => {
        for (;;) {
          signal?.throwIfAborted();
          const batch = tally.batches < maxBatches ? await this.#next(signal) : undefined;
          if (!batch) break;
          const { operations, refused, entries } = await this.#consolidate(batch, signal);
          tally.batches++;
          tally.entries += entries;
          tally.operations += operations;
          for (const [reason, count] of Object.entries(refused)) tally.refused[reason] = (tally.refused[reason] ?? 0) + count;
          onProgress?.({ done: tally.entries, total: tally.entries + (await this.#waiting()).length });
          await pause();
        }
      },
      signal ?? never,
    );
    const { counts = { nodes: 0, edges: 0 } } = await store.graph({ counts: true });
    return { ...tally, ...counts, left: (await this.#waiting()).length };
  }

  /** The batch that was left behind, or a new one, which is journalled before anything is done with it. */
  #next(signal: AbortSignal | undefined): Promise<Batch | undefined> {
    const { store, clock, newId, between, index, follower, consolidator } = this.#parts;
    return between(() =>
      untilSettled(async () => {
        const row = await this.#jobs.row();
        const now = clock.now();
        const left = row.jobs.find((job) => isDue(job, now));
        if (left) return { job: left, entries: left.entryIds.flatMap((id) => index().entry(id) ?? []) };
        const taken = new Set(row.jobs.filter((job) => !isOver(job)).flatMap(({ entryIds }) => entryIds));
        const entries = (await this.#waiting()).filter(({ id }) => !taken.has(id)).slice(0, BATCH);
        if (entries.length === 0) return undefined;
        const job: ConsolidationJob = {
          id: newId(),
          state: "queued",
          consolidator: consolidator.id,
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

  /** Memories that were never consolidated in their present words, oldest first; then those used again since. */
  async #waiting(): Promise<Entry[]> {
    const { index, usage } = this.#parts;
    const may = [...index().table].filter((entry) => entry.private !== true && entry.validTo === undefined);
    const fresh = may.filter(({ consolidatedAt }) => consolidatedAt === undefined);
    if (fresh.length > 0) return fresh.sort((one, other) => (one.id < other.id ? -1 : 1));
    const used = await usage.of(may.map(({ id }) => id));
    return may.filter(({ consolidatedAt = 0 }, at) => (used[at]?.lastAccessedAt ?? 0) > consolidatedAt);
  }

  async #consolidate(
    { job, entries }: Batch,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly operations: number; readonly refused: Refusals; readonly entries: number }> {
    const { store, consolidator, index, between, clock, follower } = this.#parts;
    const table = index().table;
    const names = new KnownNames(
      [...new Set([...table.speakers(), ...entries.map(({ subject }) => subject)])].map((name) => ({ name })),
    );
    const batch: ConsolidationBatch = {
      fragments: entries.map(({ indexText, kind, subject }, at) => ({ fragment: at + 1, text: indexText, kind, subject })),
      ...(await this.#anchors(entries)),
    };
    const wanted = await consolidator.consolidate(batch, { signal });
    const { sound, refused } = checkOperations(wanted, batch, {
      identifies: (text) => identitiesIn(text, names).length > 0,
      allowsOwn: consolidator.place === "device",
    });
    const around = await this.#around(sound, batch, entries);
    return between(() =>
      untilSettled(async () => {
        const row = await this.#jobs.row();
        // What was changed, forgotten or evicted meanwhile is not what was looked at.
        const still = entries.filter(({ id, indexText }) => index().entry(id)?.indexText === indexText);
        const ids = new Set(still.map(({ id }) => id));
        const cycle = row.cycle + 1;
        const now = clock.now();
        const graph = applyOperations(
          sound.filter(
            (operation) => !("support" in operation) || operation.support.some((fragment) => ids.has(idOf(entries, fragment))),
          ),
          around,
          {
            entryOf: (fragment) => (ids.has(idOf(entries, fragment)) ? idOf(entries, fragment) : undefined),
            cycle,
            now,
          },
        );
        const { swept, gone } = await this.#sweep(row.swept, cycle, new Set(graph.nodes.map(({ id }) => id)));
        const current = still.flatMap(({ id }) => index().entry(id) ?? []);
        const done: ConsolidationJob = {
          ...job,
          state: "committed",
          updatedAt: now,
          attempts: job.attempts + 1,
          done: sound.length,
          refused,
        };
        const commit = await store.write(
          {
            entries: current.map((entry) => ({ ...entry, consolidatedAt: now })),
            expect: current.map(({ id, revision }) => ({ entryId: id, revision })),
            expectStore: follower.applied,
            graph: { ...graph, removeNodes: [...graph.removeNodes, ...gone] },
            meta: this.#jobs.with(row, done, { cycle, ...(swept === undefined ? { swept: "" } : { swept }) }),
          },
          { signal },
        );
        await follower.committed(commit, new Map(), []);
        return { operations: sound.length, refused, entries: current.length };
      }, this.#parts.catchUp),
    );
  }

  /** The part of the graph that the fragments speak of, with its neighbours. */
  async #anchors(entries: readonly Entry[]): Promise<Pick<ConsolidationBatch, "nodes" | "edges">> {
    const { store, index } = this.#parts;
    const frequency = (term: string) => index().lexical.documentFrequency(term);
    const terms = [...new Set(entries.flatMap(({ indexText }) => termsOf(indexText)))]
      .sort((one, other) => frequency(one) - frequency(other))
      .slice(0, ANCHOR_TERMS);
    const { nodes } = await store.graph({ terms, limit: NODES_PER_TERM });
    const { edges } = await store.graph({ edgesOf: nodes.map(({ id }) => id), limit: NODES_PER_TERM });
    const ends = edges.flatMap(({ from, to }) => [from, to]);
    const all = await store.graph({ nodes: [...new Set([...nodes.map(({ id }) => id), ...ends])] });
    return { nodes: all.nodes, edges };
  }

  /** All that the operations touch, as it is stored. */
  async #around(
    operations: readonly GraphOperation[],
    batch: ConsolidationBatch,
    entries: readonly Entry[],
  ): Promise<GraphNeighbourhood> {
    const { store } = this.#parts;
    const ids = new Map(batch.nodes.map(({ id }) => [id, id]));
    const wanted = new Set(ids.keys());
    const edges = new Set<string>();
    const merged: string[] = [];
    for (const operation of operations) {
      if (operation.type === "addNode") {
        const { scope = "general" } = operation.node;
        const id = nodeId(operation.node, scope);
        ids.set(operation.node.id, id);
        wanted.add(id);
        wanted.add(nodeId(operation.node, scope, !isNegated(operation.node.statement)));
      } else if (operation.type === "addEdge") edges.add(`${ids.get(operation.from)} ${operation.edge} ${ids.get(operation.to)}`);
      else if (operation.type === "merge") merged.push(...[operation.from, operation.into].flatMap((id) => ids.get(id) ?? []));
    }
    const moved = merged.length > 0 ? await store.graph({ edgesOf: merged, supportOf: merged, limit: ALL }) : undefined;
    const ofEdges = moved?.edges.map(({ from, type, to }) => `${from} ${type} ${to}`) ?? [];
    const part = await store.graph({
      nodes: [...wanted],
      edges: [...edges],
      supportOf: ofEdges,
      supportBy: entries.map(({ id }) => id),
      limit: ALL,
    });
    return {
      nodes: part.nodes,
      edges: [...part.edges, ...(moved?.edges ?? [])],
      support: [...part.support, ...(moved?.support ?? [])],
    };
  }

  /** Some nodes further on each time: what has faded below the floor goes.
   * @returns where it stopped; `undefined` at the end of the graph */
  async #sweep(
    after: string | undefined,
    cycle: number,
    busy: ReadonlySet<string>,
  ): Promise<{ readonly swept: string | undefined; readonly gone: readonly string[] }> {
    const list = { limit: SWEEP, ...(after !== undefined && after !== "" && { after }) };
    const { nodes } = await this.#parts.store.graph({ list });
    const isGone = ({ id, confidence, cycle: last }: (typeof nodes)[number]) =>
      !busy.has(id) && isBelowFloor(faded(confidence, cycle - last));
    return {
      swept: nodes.length < SWEEP ? undefined : nodes.at(-1)?.id,
      gone: nodes.filter(isGone).map(({ id }) => id),
    };
  }
}

function idOf(entries: readonly Entry[], fragment: number): EntryId {
  return entries[fragment - 1]?.id ?? ("" as EntryId);
}

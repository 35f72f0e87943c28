/** Consolidation: memories into the graph, batch by batch, in the background; one handle at a time, and each batch all or nothing. */

import type { BackendOptions } from "../backend.js";
import { applyOperations } from "../ltm/apply.js";
import { checkOperations, type OperationRules, type Refusal, type Refusals } from "../ltm/operations.js";
import { identitiesIn } from "../ltm/scrub/identities.js";
import { KnownNames, type KnownPerson } from "../ltm/scrub/known-names.js";
import type { NameTagger } from "../ltm/scrub/name-tagger.js";
import type { CallOptions, ConsolidationBatch, Consolidator } from "../ports.js";
import type { Consolidation, Entry } from "../types.js";
import { associationsOf } from "./associations.js";
import { type Batch, BatchQueue, type BatchQueueParts } from "./batch-queue.js";
import { untilSettled } from "./conflict.js";
import { ConsolidationGraph } from "./consolidation-graph.js";
import { ConsolidationJobs, type StoredJob, withoutWait, withoutWords } from "./consolidation-jobs.js";
import { type GivingWayParts, giveWay } from "./giving-way.js";
import type { HandleLocks } from "./handle-locks.js";
import { KnownPeople } from "./known-people.js";
import { type NodeText, PersonNodes } from "./person-nodes.js";
import type { ConsolidatorPlace } from "./waiting-entries.js";
import type { Allowed } from "./withholding.js";

/** Held while the device consolidates by itself. */
const CONSOLIDATION_LOCK = "consolidation";

const NOTHING = { nodes: [], edges: [] };

export interface ConsolidatingParts extends GivingWayParts, BatchQueueParts {
  readonly options: Pick<BackendOptions, "userId">;
  readonly locks: HandleLocks;
  readonly consolidator: Consolidator;
  /** Aborts when the memory is closed. */
  readonly ended: AbortSignal;
}

/** What a consolidator was shown, and wants. */
export interface Answer {
  readonly batch: ConsolidationBatch;
  readonly operations: readonly unknown[];
  /** Finds names in it that the memory does not know; absent where none is loaded. */
  readonly tagger?: NameTagger | undefined;
}

/** What a batch came to. */
export interface Finished {
  readonly operations: number;
  readonly refused: Refusals;
  readonly entries: number;
}

export class Consolidating {
  readonly graph: ConsolidationGraph;
  readonly queue: BatchQueue;
  readonly #parts: ConsolidatingParts;
  readonly #jobs: ConsolidationJobs;
  readonly #people: KnownPeople;

  constructor(parts: ConsolidatingParts) {
    this.#parts = parts;
    this.#people = new KnownPeople(parts.index);
    this.graph = new ConsolidationGraph(parts);
    this.queue = new BatchQueue(parts);
    this.#jobs = new ConsolidationJobs(parts.store);
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
    const { locks, consolidator } = this.#parts;
    const wanted = { place: "device", consolidator: consolidator.id } as const;
    const tally = { batches: 0, entries: 0, operations: 0, refused: {} as Record<string, number> };
    const never = new AbortController().signal;
    await locks.hold(
      CONSOLIDATION_LOCK,
      async () => {
        for (;;) {
          signal?.throwIfAborted();
          const batch = tally.batches < maxBatches ? await this.queue.next(wanted, { signal }) : undefined;
          if (!batch) break;
          const answer = await this.answerOfDevice(batch.entries, signal);
          const { operations, refused, entries } = await this.commit(batch, answer, [], signal);
          tally.batches++;
          tally.entries += entries;
          tally.operations += operations;
          for (const [reason, count] of Object.entries(refused)) tally.refused[reason] = (tally.refused[reason] ?? 0) + count;
          onProgress?.({ done: tally.entries, total: tally.entries + this.queue.inLine });
          await giveWay(this.#parts, signal);
        }
      },
      signal ?? never,
    );
    return { ...tally, ...(await this.standing()) };
  }

  /** Nodes and edges of the graph, and memories that wait. */
  async standing(
    place: ConsolidatorPlace = "device",
    allows?: Allowed,
  ): Promise<Pick<Consolidation, "nodes" | "edges" | "left">> {
    const { counts = { nodes: 0, edges: 0 } } = await this.#parts.store.graph({ counts: true });
    return { ...counts, left: await this.queue.count(place, allows) };
  }

  /** What the device makes of memories by itself. */
  async answerOfDevice(given: Batch["entries"], signal: AbortSignal | undefined): Promise<Answer> {
    const { consolidator } = this.#parts;
    const entries = given.filter(isThere);
    const fragments = given.flatMap((entry, at) =>
      entry ? { fragment: at + 1, text: entry.indexText, kind: entry.kind, subject: entry.subject } : [],
    );
    const seen = consolidator.isBlind ? NOTHING : await this.graph.anchors(entries);
    const options = { signal, pause: () => giveWay(this.#parts, signal) };
    const operations = await consolidator.consolidate({ fragments, ...seen }, options);
    // Knowledge of things may say what is near it already; a person's own is told apart by its name.
    const isGeneral = operations.some((operation) => operation.type === "addNode" && operation.node.scope !== "own");
    const around = consolidator.isBlind && isGeneral ? await this.graph.anchors(entries) : seen;
    const together = await associationsOf(this.#parts, given);
    const nodes = new Map([...around.nodes, ...together.nodes].map((node) => [node.id, node]));
    return {
      batch: { fragments, nodes: [...nodes.values()], edges: around.edges },
      operations: [...operations, ...together.operations],
    };
  }

  /** Whoever the memory knows by name. */
  people(): Promise<readonly KnownPerson[]> {
    return this.#people.all();
  }

  /** What is sound of the answers becomes part of the graph, and the job is done.
   * @param beside is done with it and not counted */
  async commit(
    { job, entries: given }: Batch,
    answer: Answer,
    beside: readonly Answer[],
    signal: AbortSignal | undefined,
  ): Promise<Finished> {
    const { store, index, between, clock, follower, usage } = this.#parts;
    const entries = given.filter(isThere);
    const { sound, refused } = await this.#checked(answer, given, signal);
    const all = [...sound];
    for (const other of beside) all.push(...(await this.#checked(other, given, signal)).sound);
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
        const entryOf = (fragment: number) => [given[fragment - 1]?.id].find((id) => id !== undefined && ids.has(id));
        const [cycle, now] = [row.cycle + 1, clock.now()];
        const late: Refusal[] = [];
        const graph = applyOperations(all, around, { entryOf, cycle, now, onRefused: (reason) => late.push(reason) });
        const { swept, gone } = await this.graph.sweep(row.swept, cycle, new Set(graph.nodes.map(({ id }) => id)));
        // What is unsound only beside all that is stored, of whichever answer.
        const [done, counted] = [Math.max(0, sound.length - late.length), withRefusals(refused, late)];
        // Forgetting took what it had to from the journal, not from here.
        const { answer: _, ...stored } = withoutWait(row.jobs.find(({ id }) => id === job.id) ?? withoutWords(job));
        const over: StoredJob = {
          ...(current.length === given.length ? stored : withoutWords(stored)),
          state: "committed",
          entryIds: [...ids],
          updatedAt: now,
          attempts: Math.max(1, stored.attempts),
          done,
          refused: counted,
        };
        const isByEngine = this.queue.placeOf(job) === "engine";
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
            meta: this.#jobs.with(row, over, { cycle, swept: swept ?? "" }),
          },
          { signal },
        );
        await follower.committed(commit, new Map(), []);
        return { operations: done, refused: counted, entries: current.length };
      }, this.#parts.catchUp),
    );
  }

  /** @param entries of the batch, by the numbers of their fragments */
  async #checked({ batch, operations, tagger }: Answer, entries: Batch["entries"], signal: AbortSignal | undefined) {
    const names = new KnownNames(await this.people());
    await giveWay(this.#parts, signal);
    const persons = new PersonNodes(names, tagger);
    const allowsOwn = batch.fragments.every(({ subject }) => subject !== undefined);
    // An answer of this device is made of the very words of its sources, in lower case: how those are written tells what it is.
    const isOfSomebody = (operation: unknown): boolean => {
      const { node, support } = generalNode(operation) ?? {};
      if (!node || !Array.isArray(support)) return false;
      const sources = support.flatMap((fragment) => entries[Number(fragment) - 1]?.indexText ?? []);
      return (
        (allowsOwn && persons.isWrittenAsName(node, sources)) || (tagger !== undefined && persons.comesFromName(node, sources))
      );
    };
    const identifies = allowsOwn
      ? (text: string) => identitiesIn(text, names).length > 0
      : (text: string) => persons.identifies(text);
    const rules = { identifies, allowsOwn, userIds: [this.#parts.options.userId] } satisfies OperationRules;
    const impersonal = operations.filter((operation) => !isOfSomebody(operation));
    const { sound, refused } = checkOperations(impersonal, batch, rules);
    const left = new Array<Refusal>(operations.length - impersonal.length).fill("names an identity");
    return { sound, refused: withRefusals(refused, left) };
  }
}

function isThere(entry: Entry | undefined): entry is Entry {
  return entry !== undefined;
}

function withRefusals(refused: Refusals, more: readonly Refusal[]): Refusals {
  const all: Partial<Record<Refusal, number>> = { ...refused };
  for (const reason of more) all[reason] = (all[reason] ?? 0) + 1;
  return all;
}

/** What a consolidator asks for where it asks for a node that everybody may see; nothing here trusts its shape. */
function generalNode(operation: unknown): { readonly node: NodeText; readonly support: unknown } | undefined {
  const { type, node, support } = Object(operation) as Readonly<Record<string, unknown>>;
  const { name, statement, scope } = Object(node) as Readonly<Record<string, unknown>>;
  if (type !== "addNode" || scope === "own" || typeof name !== "string") return undefined;
  return { node: { name, ...(typeof statement === "string" && { statement }) }, support };
}

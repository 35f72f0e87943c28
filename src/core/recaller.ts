/** The read path: a question in, a recall out, within its time. */

import type { BackendOptions, ConversationRef } from "../backend.js";
import type { Clock, Store, Tokenizer } from "../ports.js";
import { LiteController } from "../retrieve/controller.js";
import { platformWait, within } from "../retrieve/deadline.js";
import type { LinkedEntries } from "../retrieve/linked.js";
import { recall } from "../retrieve/recall.js";
import { LiteSelector } from "../retrieve/selector.js";
import { selectorWeightsFor } from "../retrieve/selector-weights.js";
import type { EntryFilter, Recall, RecallOptions } from "../types.js";
import type { Conversations } from "./conversations.js";
import type { GraphWalk } from "./graph-walk.js";
import type { IndexKeeper } from "./index-keeper.js";
import { lazily } from "./lazily.js";
import type { ModelDesk } from "./model-desk.js";
import { type PreparationSettings, prepare, withPreparation } from "./preparation.js";
import type { UsageLedger } from "./usage-ledger.js";

export interface RecallerParts {
  readonly options: BackendOptions;
  readonly store: Store;
  readonly keeper: IndexKeeper;
  readonly conversations: Conversations;
  readonly usage: UsageLedger;
  readonly model: ModelDesk;
  /** By which the graph may have changed last. */
  readonly graphRevision: () => number;
  readonly clock: Clock;
  /** Fine milliseconds, for deadlines and traces. */
  readonly stopwatch: Clock;
  readonly tokenizer: Tokenizer;
  /** Applies what other handles wrote. */
  readonly level: () => Promise<void>;
  readonly prepareLanguages: (texts: readonly string[]) => Promise<void>;
  readonly onMissing: PreparationSettings["onMissing"];
}

export class Recaller {
  readonly #parts: RecallerParts;
  /** `undefined` where it must be looked up. */
  #hasGraph: boolean | undefined;
  #graph: GraphWalk | undefined;
  /** Revision whose graph is remembered. */
  #walkedAt: number | undefined;
  readonly #controller = new LiteController();
  #running = 0;
  #endedAt = Number.NEGATIVE_INFINITY;
  /** A memory without a graph does without its file. */
  readonly #walk: () => Promise<GraphWalk>;

  constructor(parts: RecallerParts) {
    this.#parts = parts;
    this.#walk = lazily(() => import("./graph-walk.js").then(({ GraphWalk }) => new GraphWalk(parts.store)));
  }

  /** Milliseconds since a recall was at work. */
  get unreadMs(): number {
    return this.#running > 0 ? 0 : this.#parts.stopwatch.now() - this.#endedAt;
  }

  async recall(ref: ConversationRef, text: string, options: Omit<RecallOptions, "signal">, signal: AbortSignal): Promise<Recall> {
    this.#running++;
    try {
      return await this.#answer(ref, text, options, signal);
    } finally {
      this.#running--;
      this.#endedAt = this.#parts.stopwatch.now();
    }
  }

  async #answer(
    ref: ConversationRef,
    text: string,
    options: Omit<RecallOptions, "signal">,
    signal: AbortSignal,
  ): Promise<Recall> {
    const { keeper, conversations, usage, model, clock, stopwatch, tokenizer, options: settled, ...parts } = this.#parts;
    const deadlineMs = options.deadlineMs ?? settled.deadlineMs;
    const started = stopwatch.now();
    const linking = (options.knowledge ?? true) ? this.#linked(text, deadlineMs, signal) : Promise.resolve(undefined);
    // Awaited below, unless something fails before that.
    linking.catch(() => undefined);
    const recent = await prepare(
      {
        level: parts.level,
        languages: () => parts.prepareLanguages([text]),
        recent: async () => (await conversations.of(ref)).window.recent(),
      },
      { deadlineMs, stopwatch, signal, onMissing: parts.onMissing },
    );
    const linked = await linking;
    const preparedMs = stopwatch.now() - started;
    const now = options.at ?? clock.now();
    const leftMs = Math.max(0, deadlineMs - preparedMs);
    const found = await keeper.use(({ indexes, embedder, dimension }) => {
      const selector = selectorFor(dimension);
      return recall(
        { text, recent: recent.filter(({ at }) => at <= now), now, timeZone: settled.timeZone },
        {
          ...indexes,
          ...model.cast(leftMs, selector),
          embedder,
          clock: stopwatch,
          lite: { controller: this.#controller, selector },
          ...((options.knowledge ?? true) && { link: (query) => this.#linked(query, leftMs, signal) }),
          tokenizer,
        },
        {
          k: options.k ?? settled.k,
          contextTokens: options.contextTokens ?? settled.contextTokens,
          deadlineMs: leftMs,
          plan: settled.plan,
          filter: { ...options.filter, ...(options.at !== undefined && { said: until(options.filter?.said, options.at) }) },
          signal,
          ...(linked && { linked }),
          ...(options.trace !== undefined && { trace: options.trace }),
        },
      );
    });
    if (options.touch !== false && !ref.incognito)
      usage.touch(
        found.items.map(({ entryId }) => entryId),
        clock.now(),
      );
    return withPreparation(found, preparedMs);
  }

  /** What the graph leads to, where it answers in time; recall does without it where the store fails. */
  async #linked(text: string, deadlineMs: number, signal: AbortSignal): Promise<LinkedEntries | undefined> {
    const { store, keeper, options, graphRevision } = this.#parts;
    if (options.plan === "paper") return undefined;
    if (graphRevision() !== this.#walkedAt) {
      this.#walkedAt = graphRevision();
      this.#graph?.forget();
      this.#hasGraph ||= undefined;
    }
    // A read of the store for each recall of a memory without a graph would be for nothing.
    if (this.#hasGraph === false) return undefined;
    const walk = async () => {
      this.#hasGraph ??= (await store.graph({ list: { limit: 1 } })).nodes.length > 0;
      if (!this.#hasGraph) return undefined;
      this.#graph = await this.#walk();
      return this.#graph.walk(text, keeper.index.table);
    };
    const walked = await within(deadlineMs * GRAPH_SHARE, walk, signal, platformWait);
    return walked.kept ? walked.value : undefined;
  }
}

/** Share of the deadline within which the graph must have answered. */
const GRAPH_SHARE = 0.2;

/** The weights belong to the embedder's scale of cosines. */
function selectorFor(dimension: number): LiteSelector {
  return new LiteSelector({ weights: selectorWeightsFor(dimension) });
}

function until(said: EntryFilter["said"], at: number): NonNullable<EntryFilter["said"]> {
  return { ...said, to: Math.min(said?.to ?? Number.POSITIVE_INFINITY, at + 1) };
}

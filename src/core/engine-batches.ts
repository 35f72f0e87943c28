/** Batches that an engine consolidates outside of this thread: prepared, reviewed, sent, and finished or failed. Each is leased to this
 * handle meanwhile, see job-lease.ts; others, and the device itself, may consolidate beside it. */

import type { BatchFailure, PreparedBatch, PrepareRequest } from "../backend.js";
import { isMemoryError, MemoryError, type MemoryErrorCode } from "../errors.js";
import { hashWord } from "../lre/hash.js";
import { operationsFor } from "../ltm/operations.js";
import { KnownNames } from "../ltm/scrub/known-names.js";
import { Scrubber } from "../ltm/scrub/scrubber.js";
import type { ConsolidationBatch } from "../ports.js";
import { estimateTokens } from "../text/tokens.js";
import { toThirdPerson } from "../write/third-person.js";
import type { LeasedBatch } from "./batch-queue.js";
import type { Consolidating, ConsolidatingParts, Finished } from "./consolidating.js";
import { type KeptAnswer, type StoredJob, shown, withoutWait, withoutWords } from "./consolidation-jobs.js";
import { takeLease } from "./job-lease.js";
import { nameTagger } from "./name-tagging.js";
import { outboundGraph, stillOutbound } from "./outbound-graph.js";
import { PersonNodes, textOf } from "./person-nodes.js";
import { scrubKey } from "./scrub-key.js";
import { allowedBy } from "./withholding.js";

/** How long a batch waits after its first failure, and at most. */
const BACKOFF_MS = 60_000;
const MAX_BACKOFF_MS = 6 * 60 * 60 * 1_000;
/** Whatever the other side says. */
const MAX_HELD_OFF_MS = 24 * 60 * 60 * 1_000;
/** What is kept of an answer for people to see. */
const MAX_RETURNED = 200;
const MAX_RETURNED_LENGTH = 400;
/** Characters in JSON of an answer that is kept until it is in the graph; sound ones of a whole batch have a tenth. */
const MAX_KEPT = 1_000_000;
/** About what the words around a batch take that tell a model what to do; see `slm/prompts/consolidator`. */
export const PROMPT_TOKENS = 320;

/** What comes of the answer itself, and would come of it again. */
const OF_THE_ANSWER: ReadonlySet<MemoryErrorCode> = new Set(["too-large", "invalid-vector", "not-found", "model-failed"]);

export interface EngineBatchesParts extends Pick<ConsolidatingParts, "store" | "index" | "locks" | "clock" | "ended"> {
  readonly nameModel?: (() => Promise<ArrayBuffer>) | undefined;
}

/** A batch on its way. */
interface OpenBatch extends LeasedBatch {
  readonly consolidator: string;
  readonly batch: ConsolidationBatch;
  /** About how many it takes to send; counted once it is sent. */
  readonly tokens: number;
  readonly isAnswered: boolean;
}

export class EngineBatches {
  readonly #parts: EngineBatchesParts;
  readonly #consolidating: Consolidating;
  readonly #open = new Map<string, OpenBatch>();

  constructor(parts: EngineBatchesParts, consolidating: Consolidating) {
    this.#parts = parts;
    this.#consolidating = consolidating;
  }

  /** A batch for an engine, as it is to be sent: retold in the third person, scrubbed, without what is withheld, and with no node of the
   * person's own or of anybody. It is this handle's until {@link finish} or {@link fail}.
   * @returns `undefined` where nothing waits, or nothing may go now */
  async prepare(request: PrepareRequest, signal: AbortSignal | undefined): Promise<PreparedBatch | undefined> {
    const { locks, ended } = this.#parts;
    const { consolidator, withhold, isAsked } = request;
    const allows = allowedBy(withhold);
    const lease = (jobId: string) => takeLease(locks, jobId, ended);
    const next = await this.#consolidating.queue.next({ place: "engine", consolidator, isAsked, allows, lease }, { signal });
    if (!next) return undefined;
    try {
      return await (next.job.answer ? this.#answered(next, next.job.answer) : this.#made(next, request, signal));
    } catch (error) {
      this.#open.delete(next.job.id);
      next.release();
      throw error;
    }
  }

  async #made(
    leased: LeasedBatch,
    { consolidator, withhold, maxTokensPerDay = Number.POSITIVE_INFINITY }: PrepareRequest,
    signal: AbortSignal | undefined,
  ): Promise<PreparedBatch | undefined> {
    const { store, index } = this.#parts;
    const { graph, queue } = this.#consolidating;
    const entries = leased.entries.filter((entry) => entry !== undefined);
    const [key, tagger, people] = await Promise.all([
      scrubKey(store),
      nameTagger(this.#parts.nameModel),
      this.#consolidating.people(),
    ]);
    const scrubber = new Scrubber({ key, people, ...(tagger && { tagger }) });
    const { texts } = await scrubber.scrub(entries.map(({ indexText, subject }) => toThirdPerson(indexText, subject)));
    signal?.throwIfAborted();
    const persons = new PersonNodes(new KnownNames(people), tagger);
    const batch: ConsolidationBatch = {
      fragments: entries.map(({ kind }, at) => ({ fragment: at + 1, text: texts[at] ?? "", kind })),
      ...(await outboundGraph({ store, index, graph }, entries, persons, allowedBy(withhold))),
    };
    const tokens = PROMPT_TOKENS + tokensOf(batch);
    const isOverLimit = (await queue.spentToday()) + tokens > maxTokensPerDay;
    const reason = `about ${tokens} tokens more would go beyond the ${maxTokensPerDay} of a day: it goes with a later call`;
    const outbound = outboundOf(batch);
    const job = await queue.put(leased.job.id, (stored) => ({
      ...withoutWait(stored),
      consolidator,
      state: "review",
      entryIds: entries.map(({ id }) => id),
      ...(isOverLimit && { state: "waiting", cause: "limit", reason }),
      // What left it before stays told until this leaves it too; and nothing is told of what was forgotten while it was scrubbed.
      ...(stored.attempts === 0 && entries.every((entry) => queue.current(entry)) && { outbound }),
    }));
    if (!job || isOverLimit) {
      leased.release();
      return undefined;
    }
    this.#open.set(job.id, { ...leased, job, entries, consolidator, batch, tokens, isAnswered: false });
    return { job: { ...shown(job), outbound }, batch };
  }

  /** What was cut off when its answer was there goes on from it. */
  async #answered(leased: LeasedBatch, { operations, nodeIds }: KeptAnswer): Promise<PreparedBatch> {
    const { job, entries } = leased;
    const { nodes, edges } = await this.#parts.store.graph({ nodes: nodeIds, edgesOf: nodeIds });
    const fragments = entries.map((entry, at) => ({ fragment: at + 1, text: "", kind: entry?.kind ?? ("fact" as const) }));
    const batch = { fragments, nodes, edges };
    this.#open.set(job.id, { ...leased, consolidator: job.consolidator, batch, tokens: 0, isAnswered: true });
    return { job: shown(job), batch, operations };
  }

  /** The person has agreed, and the text goes out now.
   * @returns what goes: without what was forgotten or changed while they read; `undefined` where nothing is left */
  async sent(jobId: string): Promise<ConsolidationBatch | undefined> {
    const open = this.#opened(jobId);
    const { queue } = this.#consolidating;
    let going: OpenBatch = open;
    const job = await queue.put(
      jobId,
      async (stored) => {
        const left = open.batch.fragments.flatMap((fragment, at) => {
          const entry = open.entries[at] && queue.current(open.entries[at]);
          return entry ? { entry, fragment } : [];
        });
        const batch: ConsolidationBatch = {
          fragments: left.map(({ fragment }, at) => ({ ...fragment, fragment: at + 1 })),
          ...(await stillOutbound(this.#parts.store, open.batch)),
        };
        going = { ...open, batch, entries: left.map(({ entry }) => entry) };
        if (left.length === 0)
          return { ...withoutWords(stored), state: "failed", entryIds: [], reason: "its memories were forgotten or changed" };
        const outbound = [...new Set([...(stored.attempts > 0 ? (stored.outbound ?? []) : []), ...outboundOf(batch)])];
        const entryIds = left.map(({ entry }) => entry.id);
        return { ...stored, state: "sent", attempts: stored.attempts + 1, entryIds, outbound };
      },
      open.tokens,
    );
    if (!job || going.entries.length === 0) {
      this.#letGo(open);
      return undefined;
    }
    this.#open.set(jobId, { ...going, job });
    return going.batch;
  }

  /** What came back, looked at one by one; beside it the categories of the person's own, of which no engine is told, as the device makes
   * them by itself.
   * @param answer.tokens that its calls took; estimated where nobody tells
   * @throws MemoryError "not-found" for a batch that is not open here any more; "model-failed" for an answer that cannot be used: the batch
   * waits then. What the store throws, and the signal's reason: the answer is kept then, and goes into the graph with the next call */
  async finish(
    jobId: string,
    { operations, tokens }: { readonly operations: readonly unknown[]; readonly tokens?: number },
    signal: AbortSignal | undefined,
  ): Promise<Finished> {
    const open = this.#opened(jobId);
    try {
      if (!open.isAnswered) await this.#keep(open, operations, tokens);
      const tagger = await nameTagger(this.#parts.nameModel);
      const own = await this.#consolidating.answerOfDevice(open.entries, signal);
      const answer = { batch: open.batch, operations, tagger };
      return await this.#consolidating.commit(open, answer, [{ ...own, tagger }], signal);
    } catch (error) {
      if (signal?.aborted || (isMemoryError(error) && !OF_THE_ANSWER.has(error.code))) throw error;
      const reason = `the answer cannot be used: ${error instanceof Error ? error.message : String(error)}`;
      await this.#wait(open, { cause: "failed", reason });
      throw new MemoryError("model-failed", reason, { cause: error });
    } finally {
      this.#letGo(open);
    }
  }

  /** The batch waits: nothing of it is lost. */
  async fail(jobId: string, { tokens, ...failure }: BatchFailure): Promise<void> {
    const open = this.#opened(jobId);
    try {
      const counted = open.job.state === "sent" ? open.tokens : 0;
      await this.#wait(open, failure, tokens === undefined ? 0 : tokens - counted);
    } finally {
      this.#letGo(open);
    }
  }

  /** Journals the answer, whole: it was paid for. */
  async #keep({ job, batch, entries, tokens: counted }: OpenBatch, operations: readonly unknown[], tokens: number | undefined) {
    const wanted = operations.slice(0, operationsFor(batch.fragments.length));
    const isKept = (JSON.stringify(wanted)?.length ?? 0) <= MAX_KEPT;
    const returned = operations.slice(0, MAX_RETURNED).map((one) => String(JSON.stringify(one)).slice(0, MAX_RETURNED_LENGTH));
    const words = entries.map((entry) => hashWord(entry?.indexText ?? ""));
    const answer: KeptAnswer = { operations: wanted, nodeIds: batch.nodes.map(({ id }) => id), words };
    const cost = tokens ?? counted + tokensOf(operations);
    const { queue } = this.#consolidating;
    await queue.put(
      job.id,
      (stored) => ({
        ...stored,
        state: "checked",
        ...(entries.every((entry) => entry && queue.current(entry)) && { returned, ...(isKept && { answer }) }),
      }),
      cost - counted,
    );
  }

  async #wait({ job: { id } }: OpenBatch, { cause, reason, retryAfterMs = 0 }: Omit<BatchFailure, "tokens">, tokens = 0) {
    await this.#consolidating.queue.put(
      id,
      (stored) => {
        const { answer: _, ...job } = withoutWait(stored);
        const notBefore = this.#parts.clock.now() + waitOf(cause, retryAfterMs, job.attempts);
        return { ...job, state: "waiting", cause, reason, ...(isTimed(cause) && { notBefore }) } satisfies StoredJob;
      },
      tokens,
    );
  }

  #opened(jobId: string): OpenBatch {
    const open = this.#open.get(jobId);
    if (!open) throw new MemoryError("not-found", `the batch ${jobId} is not open in this memory any more; prepare it again`);
    return open;
  }

  #letGo({ job, release }: OpenBatch): void {
    this.#open.delete(job.id);
    release();
  }
}

/** What a person's word, or another call, is enough for waits for no time. */
function isTimed(cause: BatchFailure["cause"]): boolean {
  return cause === "failed" || cause === "unreachable" || cause === "asked-to-wait";
}

function waitOf(cause: BatchFailure["cause"], retryAfterMs: number, attempts: number): number {
  if (cause === "asked-to-wait") return Math.min(MAX_HELD_OFF_MS, Math.max(0, retryAfterMs));
  return Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** Math.max(0, attempts - 1));
}

/** All texts of a batch, those of memories first. */
function outboundOf({ fragments, nodes }: ConsolidationBatch): string[] {
  return [...fragments.map(({ text }) => text), ...nodes.map(textOf)];
}

function tokensOf(data: unknown): number {
  return estimateTokens(JSON.stringify(data) ?? "");
}

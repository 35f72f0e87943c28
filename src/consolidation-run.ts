/** Consolidation with an engine, as the page drives it: each batch is prepared by the memory, shown, sent, and given back. */

import type { BatchFailure, KnowledgeAnswer, MemoryBackend, PreparedBatch } from "./backend.js";
import { isMemoryError, MemoryError } from "./errors.js";
import { orAborted } from "./or-aborted.js";
import type { CallOptions, ConsolidationBatch, Consolidator } from "./ports.js";
import type { Consolidation, EntryKind, Withheld } from "./types.js";

export interface ConsolidateOptions extends CallOptions {
  /** Who consolidates, such as `modelConsolidator(engine)`; without one the memory itself does, and nothing leaves it. */
  readonly consolidator?: Consolidator;
  /** Whether the person has agreed that scrubbed text goes to this consolidator. Names cannot be promised to be found, see README. */
  readonly optedIn?: boolean;
  /** Shown all texts that are about to be sent: one a memory, then one for each thing that the long-term memory knows near them. False
   * leaves the batch waiting, and ends the run. It may take its time: the memory goes on meanwhile, and what is forgotten or changed while
   * the person reads is not sent. */
  readonly review?: (outbound: readonly string[]) => boolean | Promise<boolean>;
  /** What is never sent, beside private memories; nothing by default. */
  readonly withhold?: Withheld;
  /** Milliseconds that the consolidator has for a batch; 120,000 by default. */
  readonly timeoutMs?: number;
  /** About how many tokens may go out and come back on one day (UTC), over all calls of all consolidators, those too whose answer was of
   * no use; no limit by default. As the engine counts them, where it does, else as estimated. A batch whose prompt would go beyond it waits
   * for a later call, and its job says so; the answer to the last one of a day may. */
  readonly maxTokensPerDay?: number;
  /** Batches at most; all by default. */
  readonly maxBatches?: number;
}

/** One that consolidates in the background from now on. */
export type AttachedConsolidation = Omit<ConsolidateOptions, "signal" | "consolidator"> & {
  readonly consolidator: Consolidator;
};

type Finished = KnowledgeAnswer["finish"];

const TIMEOUT_MS = 120_000;
const KINDS = {
  preference: 1,
  event: 1,
  decision: 1,
  fact: 1,
  plan: 1,
  state: 1,
} as const satisfies Readonly<Record<EntryKind, 1>>;
/** As Chrome, Firefox, Safari and Node say it; a page is told no more of an endpoint that does not let it in. */
const NOT_REACHED =
  /failed to fetch|networkerror|load failed|fetch failed|network ?error|connection error|ECONNREFUSED|ENOTFOUND|ETIMEDOUT/i;
const ABOUT_ACCESS = /\(CORS\)/;

/** @throws RangeError for a limit that is none; TypeError for what cannot be withheld; MemoryError "unsupported" before the person has
 * opted in */
export function checkConsolidation({ consolidator, optedIn, withhold = {}, ...limits }: ConsolidateOptions): void {
  // A limit that is no number would hold nothing back, and nobody would see it.
  for (const name of ["timeoutMs", "maxBatches", "maxTokensPerDay"] as const) {
    const limit = limits[name] ?? 0;
    if (!(limit >= 0)) throw new RangeError(`${name} is a number of 0 or more, not ${limit}`);
  }
  const { kinds = [], pattern = [] } = withhold;
  if (!Array.isArray(kinds) || !kinds.every((kind) => Object.hasOwn(KINDS, kind)))
    throw new TypeError(`withhold.kinds is a list of ${Object.keys(KINDS).join(", ")}`);
  if (
    ![pattern]
      .flat()
      .every((one) => (typeof one === "string" ? one !== "" : Object.prototype.toString.call(one) === "[object RegExp]"))
  )
    throw new TypeError("withhold.pattern is a RegExp, a string with at least one character, or a list of them");
  if (consolidator && optedIn !== true)
    throw new MemoryError(
      "unsupported",
      "nothing is sent to a consolidator before the person has agreed: pass optedIn: true once they have",
    );
}

/** @param isAsked whether the person called for it: what waits because of a failure is tried again at once
 * @throws as {@link checkConsolidation}; the signal's reason */
export async function runConsolidation(
  backend: MemoryBackend,
  options: ConsolidateOptions,
  { isAsked = true }: { readonly isAsked?: boolean } = {},
): Promise<Consolidation> {
  checkConsolidation(options);
  const { consolidator, signal, maxTokensPerDay, withhold, maxBatches = Number.POSITIVE_INFINITY } = options;
  if (!consolidator) return backend.longTerm({ type: "consolidate", maxBatches }, { signal });
  const held = withhold && { withhold };
  const tally = { batches: 0, entries: 0, operations: 0, refused: {} as Record<string, number> };
  while (tally.batches < maxBatches) {
    const prepared = await backend.longTerm(
      {
        type: "prepare",
        consolidator: consolidator.id,
        isAsked,
        ...held,
        ...(maxTokensPerDay !== undefined && { maxTokensPerDay }),
      },
      { signal },
    );
    if (!prepared) break;
    const done = await new BatchRun(backend, prepared, consolidator, options).run();
    // What one met, the next would meet as well.
    if (done === "waits") break;
    if (done === "nothing left") continue;
    tally.batches++;
    tally.entries += done.entries;
    tally.operations += done.operations;
    for (const [reason, count] of Object.entries(done.refused)) tally.refused[reason] = (tally.refused[reason] ?? 0) + count;
  }
  return { ...tally, ...(await backend.longTerm({ type: "standing", place: "engine", ...held })) };
}

/** One batch on its way: shown, sent, and given back. */
class BatchRun {
  readonly #backend: MemoryBackend;
  readonly #prepared: PreparedBatch;
  readonly #consolidator: Consolidator;
  readonly #options: ConsolidateOptions;
  /** Tokens that the consolidator told of. */
  #tokens: number | undefined;

  constructor(backend: MemoryBackend, prepared: PreparedBatch, consolidator: Consolidator, options: ConsolidateOptions) {
    this.#backend = backend;
    this.#prepared = prepared;
    this.#consolidator = consolidator;
    this.#options = options;
  }

  async run(): Promise<Finished | "waits" | "nothing left"> {
    const { signal } = this.#options;
    const { operations } = this.#prepared;
    if (operations) return this.#finish(operations);
    let wanted: readonly unknown[] | "declined" | "nothing left";
    try {
      wanted = await this.#asked();
    } catch (error) {
      await this.#fail(signal?.aborted ? STOPPED : this.#failureOf(error));
      signal?.throwIfAborted();
      return "waits";
    }
    if (typeof wanted !== "string") return this.#finish(wanted);
    if (wanted === "declined") await this.#fail({ cause: "declined", reason: "the person did not let it go" });
    return wanted === "declined" ? "waits" : wanted;
  }

  /** @returns the operations as plain data */
  async #asked(): Promise<readonly unknown[] | "declined" | "nothing left"> {
    const { review, signal } = this.#options;
    const { job } = this.#prepared;
    const word = review ? review(job.outbound ?? []) : true;
    // Nobody is bound to answer.
    if (!(await (signal ? orAborted(Promise.resolve(word), signal) : word))) return "declined";
    const batch = await this.#backend.longTerm({ type: "sent", jobId: job.id });
    return batch ? plainOperations(await this.#answer(batch)) : "nothing left";
  }

  async #answer(batch: ConsolidationBatch): Promise<unknown> {
    const { signal, timeoutMs = TIMEOUT_MS } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs);
    const until = signal ? AbortSignal.any([signal, limit]) : limit;
    const onUsage = ({
      promptTokens,
      completionTokens,
    }: {
      readonly promptTokens: number;
      readonly completionTokens: number;
    }) => {
      this.#tokens = (this.#tokens ?? 0) + promptTokens + completionTokens;
    };
    try {
      // A consolidator may not listen to its signal.
      return await orAborted(this.#consolidator.consolidate(batch, { signal: until, onUsage }), until);
    } catch (error) {
      if (limit.aborted)
        throw new MemoryError("timeout", `${this.#consolidator.id} did not answer in time (${timeoutMs / 1_000} s)`);
      throw error;
    }
  }

  async #finish(operations: readonly unknown[]): Promise<Finished | "waits"> {
    try {
      return await this.#backend.longTerm({ type: "finish", jobId: this.#prepared.job.id, operations, ...this.#told });
    } catch (error) {
      // Of no use; its job says so.
      if (isMemoryError(error, "model-failed")) return "waits";
      throw error;
    }
  }

  async #fail(failure: BatchFailure): Promise<void> {
    await this.#backend.longTerm({ type: "fail", jobId: this.#prepared.job.id, ...this.#told, ...failure });
  }

  get #told(): { readonly tokens?: number } {
    return this.#tokens === undefined ? {} : { tokens: this.#tokens };
  }

  #failureOf(error: unknown): BatchFailure {
    const said = error instanceof Error ? error.message : String(error);
    const { retryAfterMs, status, promptTokens, completionTokens = 0 } = (isMemoryError(error) && error.details) || {};
    if (promptTokens !== undefined) this.#tokens ??= promptTokens + completionTokens;
    // Whoever refused did not think about it.
    if (status !== undefined) this.#tokens ??= 0;
    if (retryAfterMs !== undefined) return { cause: "asked-to-wait", reason: said, retryAfterMs };
    if (status !== undefined || !(NOT_REACHED.test(said) || ABOUT_ACCESS.test(said))) return { cause: "failed", reason: said };
    this.#tokens ??= 0;
    const advice = `${this.#consolidator.id} was not reached (${said}): check the network, that its server runs, and that it allows requests from this page (CORS); then consolidate again`;
    return { cause: "unreachable", reason: ABOUT_ACCESS.test(said) ? said : advice };
  }
}

const STOPPED: BatchFailure = { cause: "stopped", reason: "it was stopped before it was done, and goes with the next call" };

/** As they can be handed over and kept: what cannot is refused, one by one.
 * @throws TypeError for what is no list */
function plainOperations(operations: unknown): readonly unknown[] {
  if (!Array.isArray(operations)) throw new TypeError(`the answer is no list of operations, but ${wordsFor(operations)}`);
  return operations.map((one) => {
    try {
      return JSON.parse(JSON.stringify(one) ?? "null") as unknown;
    } catch {
      // A circle, or a BigInt: not an operation.
      return String(one);
    }
  });
}

function wordsFor(value: unknown): string {
  return typeof value === "string" ? `a text: "${value.slice(0, 120)}"` : value === null ? "null" : typeof value;
}

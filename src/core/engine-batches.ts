/** Batches that an engine consolidates outside of this thread: prepared, reviewed, sent, and finished or failed. One is open at a time,
 * under the lock of consolidation, which ends with its holder. */

import type { PreparedBatch } from "../backend.js";
import { MemoryError } from "../errors.js";
import { NameTagger } from "../ltm/scrub/name-tagger.js";
import { Scrubber } from "../ltm/scrub/scrubber.js";
import type { ConsolidationBatch } from "../ports.js";
import { estimateTokens } from "../text/tokens.js";
import { toThirdPerson } from "../write/third-person.js";
import { type Batch, CONSOLIDATION_LOCK, type Consolidating, type ConsolidatingParts, type Finished } from "./consolidating.js";
import { scrubKey } from "./scrub-key.js";

/** How long a batch waits after its first failure, and at most. */
const BACKOFF_MS = 60_000;
/** What is kept of an answer for people to see. */
const MAX_RETURNED = 200;
const MAX_RETURNED_LENGTH = 400;
const MAX_BACKOFF_MS = 6 * 60 * 60 * 1_000;

export interface EngineBatchesParts extends Pick<ConsolidatingParts, "store" | "locks" | "clock" | "ended"> {
  readonly nameModel?: (() => Promise<ArrayBuffer>) | undefined;
}

/** A batch on its way. */
interface OpenBatch extends Batch {
  readonly batch: ConsolidationBatch;
  /** About how many it takes to send. */
  readonly tokens: number;
  /** Lets others consolidate. */
  readonly release: () => void;
}

export class EngineBatches {
  readonly #parts: EngineBatchesParts;
  readonly #consolidating: Consolidating;
  readonly #open = new Map<string, OpenBatch>();
  #tagger: NameTagger | undefined;

  constructor(parts: EngineBatchesParts, consolidating: Consolidating) {
    this.#parts = parts;
    this.#consolidating = consolidating;
  }

  /** A batch for an engine, as it is to be sent: retold in the third person, scrubbed, and with no node of the person's own. Nobody else
   * consolidates until {@link finish} or {@link fail}.
   * @param maxTokensPerDay a batch that would go beyond it waits, and says so
   * @returns `undefined` where nothing waits, or nothing may go today */
  async prepare(
    consolidator: string,
    maxTokensPerDay: number,
    signal: AbortSignal | undefined,
  ): Promise<PreparedBatch | undefined> {
    const { store, locks, ended } = this.#parts;
    const until = signal ? AbortSignal.any([signal, ended]) : ended;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = () => {
        ended.removeEventListener("abort", release);
        resolve();
      };
      ended.addEventListener("abort", release, { once: true });
    });
    await new Promise<void>((resolve, reject) => {
      locks
        .hold(
          CONSOLIDATION_LOCK,
          () => {
            resolve();
            return released;
          },
          until,
        )
        .catch(reject);
    });
    try {
      const next = await this.#consolidating.next("engine", consolidator, signal);
      if (!next) {
        release();
        return undefined;
      }
      const { entries } = next;
      const [key, tagger, people] = await Promise.all([scrubKey(store), this.#nameTagger(), this.#consolidating.people()]);
      const scrubber = new Scrubber({ key, people, ...(tagger && { tagger }) });
      const { texts } = await scrubber.scrub(entries.map(({ indexText, subject }) => toThirdPerson(indexText, subject)));
      const { nodes, edges } = await this.#consolidating.graph.anchors(entries);
      const general = nodes.filter(({ scope }) => scope === "general");
      const ids = new Set(general.map(({ id }) => id));
      const batch: ConsolidationBatch = {
        fragments: entries.map(({ kind }, at) => ({ fragment: at + 1, text: texts[at] ?? "", kind })),
        nodes: general.map(({ id, type, name, statement, confidence }) => ({ id, type, name, statement, confidence })),
        edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
      };
      const { reason: _, ...known } = next.job;
      const job = { ...known, consolidator, state: "review", outbound: texts } as const;
      const tokens = tokensOf(batch);
      if ((await this.#consolidating.spentToday()) + tokens > maxTokensPerDay) {
        const reason = `about ${tokens} tokens more would go beyond the ${maxTokensPerDay} of a day: it goes with a later call`;
        await this.#consolidating.put({ ...job, state: "waiting", reason });
        release();
        return undefined;
      }
      await this.#consolidating.put(job);
      this.#open.set(job.id, { job, entries, batch, tokens, release });
      return { job, batch };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Nothing is made ready to leave where its file cannot be had: that would send more names than was promised. */
  async #nameTagger(): Promise<NameTagger | undefined> {
    const bytes = this.#tagger ? undefined : await this.#parts.nameModel?.();
    if (bytes) this.#tagger = await NameTagger.open(new Uint8Array(bytes));
    return this.#tagger;
  }

  /** The person has agreed, and the text goes out now. */
  async sent(jobId: string): Promise<void> {
    const open = this.#opened(jobId);
    const job = { ...open.job, state: "sent", attempts: open.job.attempts + 1 } as const;
    await this.#consolidating.put(job, open.tokens);
    this.#open.set(jobId, { ...open, job });
  }

  /** What came back, looked at one by one; beside it the categories of the person's own, of which no engine is told, as the device makes
   * them by itself. @throws MemoryError "not-found" for a batch that is not open here any more */
  async finish(jobId: string, operations: readonly unknown[], signal: AbortSignal | undefined): Promise<Finished> {
    const open = this.#opened(jobId);
    const returned = operations.slice(0, MAX_RETURNED).map((one) => String(JSON.stringify(one)).slice(0, MAX_RETURNED_LENGTH));
    const job = { ...open.job, state: "checked", returned } as const;
    await this.#consolidating.put(job, tokensOf(operations));
    const own = await this.#consolidating.answerOfDevice(open.entries, signal);
    const finished = await this.#consolidating.commit({ ...open, job }, { ...open, operations }, [own], signal);
    this.#letGo(open);
    return finished;
  }

  /** The batch waits: nothing of it is lost.
   * @param retryAfterMs as the other side says; else longer with each attempt */
  async fail(jobId: string, reason: string, retryAfterMs?: number): Promise<void> {
    const open = this.#opened(jobId);
    const waitMs = retryAfterMs ?? Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** Math.max(0, open.job.attempts - 1));
    await this.#consolidating.put({ ...open.job, state: "waiting", reason, notBefore: this.#parts.clock.now() + waitMs });
    this.#letGo(open);
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

function tokensOf(data: unknown): number {
  return estimateTokens(JSON.stringify(data));
}

/** The batches of consolidation in their journal: which is next, how each stands, and what they have cost. */

import { hashWord } from "../lre/hash.js";
import type { CallOptions, Clock, Consolidator, Store } from "../ports.js";
import type { ConsolidationJob, Entry } from "../types.js";
import { untilSettled } from "./conflict.js";
import {
  ConsolidationJobs,
  isDue,
  isHeldOff,
  isOver,
  type StoredJob,
  shown,
  spending,
  spentToday,
  withoutWait,
  withoutWords,
} from "./consolidation-jobs.js";
import type { Follower } from "./follower.js";
import { LEASES, type Lease } from "./job-lease.js";
import type { MemoryIndex } from "./memory-index.js";
import type { UsageLedger } from "./usage-ledger.js";
import { type ConsolidatorPlace, mayLearn, WaitingEntries } from "./waiting-entries.js";
import type { Allowed } from "./withholding.js";

/** Memories of one batch: those of some twelve turns, with what is behind. */
const BATCH = 24;

export interface BatchQueueParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly follower: Follower;
  readonly usage: UsageLedger;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Who consolidates on this device. */
  readonly consolidator: Pick<Consolidator, "id">;
  /** Runs a task between the writes of this handle, level with the store. */
  readonly between: <T>(task: () => Promise<T>) => Promise<T>;
  readonly catchUp: () => Promise<void>;
}

export interface Batch {
  readonly job: StoredJob;
  /** In the order of its fragments; `undefined` for one whose words are no longer those that were sent. */
  readonly entries: readonly (Entry | undefined)[];
}

export interface LeasedBatch extends Batch {
  readonly release: Lease;
}

export interface Wanted {
  readonly place: ConsolidatorPlace;
  readonly consolidator: string;
  /** A person called for it; false by default. */
  readonly isAsked?: boolean | undefined;
  /** All memories by default. */
  readonly allows?: Allowed;
  /** Takes a job for this handle; who holds the lock of consolidation need not. */
  readonly lease?: (jobId: string) => Promise<Lease | undefined>;
}

const NO_LEASE = async (): Promise<Lease> => () => undefined;

export class BatchQueue {
  readonly #parts: BatchQueueParts;
  readonly #jobs: ConsolidationJobs;
  readonly #waiting: Readonly<Record<ConsolidatorPlace, WaitingEntries>>;

  constructor(parts: BatchQueueParts) {
    this.#parts = parts;
    this.#jobs = new ConsolidationJobs(parts.store);
    this.#waiting = { device: new WaitingEntries(parts, "device"), engine: new WaitingEntries(parts, "engine") };
  }

  async jobs(): Promise<readonly ConsolidationJob[]> {
    return (await this.#jobs.row()).jobs.map(shown);
  }

  /** About how many tokens went to engines and came back today. */
  async spentToday(): Promise<number> {
    return spentToday(await this.#jobs.row(), this.#parts.clock.now());
  }

  /** Memories that wait. */
  count(place: ConsolidatorPlace, allows?: Allowed): Promise<number> {
    return this.#waiting[place].count(allows);
  }

  /** About how many more wait for the device, without a look at all. */
  get inLine(): number {
    return this.#waiting.device.inLine;
  }

  placeOf({ consolidator }: ConsolidationJob): ConsolidatorPlace {
    return consolidator === this.#parts.consolidator.id ? "device" : "engine";
  }

  /** The batch that was left behind, or a new one, which is journalled before anything is done with it. One of whose memories nothing
   * may go any more is over. */
  next(wanted: Wanted, { signal }: CallOptions): Promise<LeasedBatch | undefined> {
    return this.#settled(async () => {
      for (;;) {
        if (isHeldOff((await this.#jobs.row()).jobs, this.#trial(wanted))) return undefined;
        const left = await this.#leftBehind(wanted);
        if (!left) return this.#fresh(wanted, signal);
        if (left.entries.some((entry) => entry !== undefined)) return left;
        try {
          const reason = "nothing of it may go any more: its memories were forgotten, are over, or are held back";
          await this.#write({ ...withoutWords(withoutWait(left.job)), state: "failed", entryIds: [], reason });
        } finally {
          left.release();
        }
      }
    });
  }

  /** Writes how a job stands.
   * @param change of what is stored of it, of which something may have been forgotten meanwhile
   * @param tokens that it has cost since the last time
   * @returns what is stored now; `undefined` where the job is gone */
  put(jobId: string, change: (stored: StoredJob) => StoredJob | Promise<StoredJob>, tokens = 0): Promise<StoredJob | undefined> {
    return this.#settled(async () => {
      const stored = (await this.#jobs.row()).jobs.find(({ id }) => id === jobId);
      return stored && this.#write(await change(stored), tokens);
    });
  }

  /** The memory of an entry, where it still says the same and may still be learned of. */
  current({ id, indexText }: Entry): Entry | undefined {
    const now = this.#parts.index().entry(id);
    return now && now.indexText === indexText && mayLearn(now) ? now : undefined;
  }

  #trial({ consolidator, isAsked = false }: Wanted) {
    return { consolidator, isAsked, now: this.#parts.clock.now() };
  }

  async #leftBehind(wanted: Wanted): Promise<LeasedBatch | undefined> {
    const { place, lease = NO_LEASE } = wanted;
    const trial = this.#trial(wanted);
    const due = async () => (await this.#jobs.row()).jobs.filter((job) => this.placeOf(job) === place && isDue(job, trial));
    for (const { id } of await due()) {
      const release = await lease(id);
      if (!release) continue;
      try {
        // Whoever had it before may have finished it.
        const job = (await due()).find((one) => one.id === id);
        if (job) return { job, entries: this.#entriesOf(job, wanted), release };
      } catch (error) {
        release();
        throw error;
      }
      release();
    }
    return undefined;
  }

  #entriesOf({ entryIds, answer }: StoredJob, { allows = () => true }: Wanted): (Entry | undefined)[] {
    const entries = entryIds.map((id) => this.#parts.index().entry(id));
    if (answer) return entries.map((entry, at) => (entry && hashWord(entry.indexText) === answer.words[at] ? entry : undefined));
    return entries.filter((entry) => entry !== undefined && mayLearn(entry) && allows(entry));
  }

  async #fresh({ place, consolidator, allows, lease = NO_LEASE }: Wanted, signal: AbortSignal | undefined) {
    const { jobs } = await this.#jobs.row();
    const open = jobs.filter((job) => !isOver(job) && this.placeOf(job) === place);
    const entries = await this.#waiting[place].next(BATCH, new Set(open.flatMap(({ entryIds }) => entryIds)), allows);
    if (entries.length === 0) return undefined;
    for (let tries = 0; tries < LEASES; tries++) {
      const id = this.#parts.newId();
      const release = await lease(id);
      if (!release) continue;
      try {
        const [now, entryIds] = [this.#parts.clock.now(), entries.map((entry) => entry.id)];
        const job: StoredJob = { id, state: "queued", consolidator, createdAt: now, updatedAt: now, entryIds, attempts: 0 };
        return { job: await this.#write(job, 0, signal), entries, release };
      } catch (error) {
        release();
        throw error;
      }
    }
    return undefined;
  }

  async #write(job: StoredJob, tokens = 0, signal?: AbortSignal): Promise<StoredJob> {
    const { store, follower, clock } = this.#parts;
    const row = await this.#jobs.row();
    const updatedAt = clock.now();
    const written = { ...job, updatedAt };
    const meta = this.#jobs.with(row, written, tokens === 0 ? {} : spending(row, tokens, updatedAt));
    await follower.committed(await store.write({ meta, expectStore: follower.applied }, { signal }), new Map(), []);
    return written;
  }

  #settled<T>(task: () => Promise<T>): Promise<T> {
    return this.#parts.between(() => untilSettled(task, this.#parts.catchUp));
  }
}

/** The journal of consolidation: what each batch is and where it stands, in one row; nothing of a text that was forgotten stays in it. */

import type { Store, StoreWrite } from "../ports.js";
import type { ConsolidationJob, EntryId, ForgetTarget, Timestamp, TurnId } from "../types.js";

const KEY = "consolidation";
/** Jobs that are over and still shown. */
const MAX_OVER = 20;

/** An answer that was paid for and is not yet in the graph. */
export interface KeptAnswer {
  readonly operations: readonly unknown[];
  /** Nodes that the consolidator saw. */
  readonly nodeIds: readonly string[];
  /** A hash of the words of each of the job's memories, as they were sent: what changed since is not what was looked at. */
  readonly words: readonly number[];
}

/** A job with what is nobody's to see. */
export interface StoredJob extends ConsolidationJob {
  /** There while it is "checked". */
  readonly answer?: KeptAnswer;
}

export interface ConsolidationRow {
  readonly jobs: readonly StoredJob[];
  /** Batches committed. */
  readonly cycle: number;
  /** Id of the last node whose fading was looked at. */
  readonly swept?: string;
  /** About how many tokens went to engines and came back, on the day of that number (days since 1970, UTC). */
  readonly spent?: { readonly day: number; readonly tokens: number };
}

const EMPTY: ConsolidationRow = { jobs: [], cycle: 0 };

type Meta = NonNullable<StoreWrite["meta"]>;

export class ConsolidationJobs {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async row(): Promise<ConsolidationRow> {
    return (await this.#store.meta<ConsolidationRow>(KEY)) ?? EMPTY;
  }

  /** What a write must put so that the job stands so. */
  with(row: ConsolidationRow, job: StoredJob, rest: Partial<ConsolidationRow> = {}): Meta {
    const others = row.jobs.filter(({ id }) => id !== job.id);
    const over = others.filter(isOver).slice(isOver(job) ? 1 - MAX_OVER : -MAX_OVER);
    return {
      [KEY]: { ...row, ...rest, jobs: [...others.filter((other) => !isOver(other)), ...over, job] } satisfies ConsolidationRow,
    };
  }

  /** What a write must put so that no job holds anything of what is forgotten. */
  async forgetting(
    target: ForgetTarget,
    entryIds: readonly EntryId[],
    _turnIds: readonly TurnId[],
  ): Promise<{ readonly meta: Meta; readonly forgotten: number }> {
    const row = await this.row();
    const gone = new Set(entryIds);
    let forgotten = 0;
    const jobs = row.jobs.map((job) => {
      if (!("everything" in target) && !job.entryIds.some((id) => gone.has(id))) return job;
      forgotten++;
      return { ...withoutWords(job), entryIds: "everything" in target ? [] : job.entryIds.filter((id) => !gone.has(id)) };
    });
    return { meta: forgotten > 0 ? { [KEY]: { ...row, jobs } satisfies ConsolidationRow } : {}, forgotten };
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Without anything that was sent or came back: a model's own words may quote what it was sent. */
export function withoutWords({ outbound: _, returned: __, answer: ___, ...job }: StoredJob): StoredJob {
  const { reason, ...rest } = job;
  return rest.attempts > 0 || reason === undefined ? rest : { ...rest, reason };
}

/** As people see it. */
export function shown({ answer: _, ...job }: StoredJob): ConsolidationJob {
  return job;
}

/** Without what tells why it waits. */
export function withoutWait({ reason: _, cause: __, notBefore: ___, ...job }: StoredJob): StoredJob {
  return job;
}

/** Tokens of this day. */
export function spentToday({ spent }: ConsolidationRow, now: Timestamp): number {
  return spent?.day === Math.floor(now / DAY_MS) ? spent.tokens : 0;
}

/** What a row holds once so many more tokens were spent.
 * @param tokens less than 0 where it were fewer than was counted before */
export function spending(row: ConsolidationRow, tokens: number, now: Timestamp): Pick<ConsolidationRow, "spent"> {
  return { spent: { day: Math.floor(now / DAY_MS), tokens: Math.max(0, spentToday(row, now) + tokens) } };
}

export function isOver({ state }: ConsolidationJob): boolean {
  return state === "committed" || state === "failed";
}

/** Who would work on a job, and when. */
export interface Trial {
  readonly consolidator: string;
  readonly now: Timestamp;
  /** A person called for it. */
  readonly isAsked: boolean;
}

/** Whether a job may be tried now. */
export function isDue(job: StoredJob, trial: Trial): boolean {
  if (isOver(job)) return false;
  // What kept one consolidator from it is nothing to another.
  return job.consolidator !== trial.consolidator || !waits(job, trial) || (trial.isAsked && job.cause !== "asked-to-wait");
}

/** Whether a consolidator is not to be asked at all now: it named a time, or could not be reached a moment ago. */
export function isHeldOff(jobs: readonly StoredJob[], trial: Trial): boolean {
  return jobs.some(
    (job) =>
      job.consolidator === trial.consolidator &&
      waits(job, trial) &&
      (job.cause === "asked-to-wait" || (job.cause === "unreachable" && !trial.isAsked)),
  );
}

function waits({ notBefore, updatedAt }: StoredJob, { now }: Trial): boolean {
  // A clock that was set back would keep a job waiting for years.
  return notBefore !== undefined && notBefore > now && updatedAt <= now;
}

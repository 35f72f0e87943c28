/** The journal of consolidation: what each batch is and where it stands, in one row; nothing of a text that was forgotten stays in it. */

import type { Store, StoreWrite } from "../ports.js";
import type { ConsolidationJob, EntryId, ForgetTarget, Timestamp, TurnId } from "../types.js";

const KEY = "consolidation";
/** Jobs that are over and still shown. */
const MAX_OVER = 20;

export interface ConsolidationRow {
  readonly jobs: readonly ConsolidationJob[];
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
  with(row: ConsolidationRow, job: ConsolidationJob, rest: Partial<ConsolidationRow> = {}): Meta {
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
      const { outbound: _, returned: __, ...rest } = job;
      return { ...rest, entryIds: "everything" in target ? [] : job.entryIds.filter((id) => !gone.has(id)) };
    });
    return { meta: forgotten > 0 ? { [KEY]: { ...row, jobs } satisfies ConsolidationRow } : {}, forgotten };
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Tokens of this day. */
export function spentToday({ spent }: ConsolidationRow, now: Timestamp): number {
  return spent?.day === Math.floor(now / DAY_MS) ? spent.tokens : 0;
}

/** What a row holds once so many more tokens were spent. */
export function spending(row: ConsolidationRow, tokens: number, now: Timestamp): Pick<ConsolidationRow, "spent"> {
  return { spent: { day: Math.floor(now / DAY_MS), tokens: spentToday(row, now) + tokens } };
}

export function isOver({ state }: ConsolidationJob): boolean {
  return state === "committed" || state === "failed";
}

/** Whether a job may be tried now. */
export function isDue(job: ConsolidationJob, now: Timestamp): boolean {
  // A clock that was set back would keep a job waiting for years.
  return !isOver(job) && (job.notBefore === undefined || job.notBefore <= now || job.updatedAt > now);
}

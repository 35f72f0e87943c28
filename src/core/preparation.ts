/** What a recall needs before it searches, within a share of its time: what is late is done without, and told. */

import type { Clock, RecentTurn } from "../ports.js";
import { platformWait, within } from "../retrieve/deadline.js";
import type { Recall } from "../types.js";

/** Share of a recall's time; the search gets what is left. */
const SHARE = 0.5;
/** Shares of that: at most for catching up, and at least for the last turns, which mostly are at hand. */
const LEVEL_SHARE = 0.8;

export interface PreparationSteps {
  /** Applies what other handles wrote. */
  readonly level: () => Promise<void>;
  /** Loads what reading the question's language needs. */
  readonly languages: () => Promise<void>;
  /** The conversation's last turns, oldest first; asked for after `level`, which may drop some. */
  readonly recent: () => Promise<readonly RecentTurn[]>;
}

export interface PreparationSettings {
  readonly deadlineMs: number;
  readonly stopwatch: Clock;
  readonly signal: AbortSignal;
  /** Told what the recall does without, and why; a late step goes on, so a later recall has it. */
  readonly onMissing: (part: string, reason: string) => void;
}

/** @returns the last turns, none where they are late
 * @throws the signal's reason */
export async function prepare(
  { level, languages, recent }: PreparationSteps,
  { deadlineMs, stopwatch, signal, onMissing }: PreparationSettings,
): Promise<readonly RecentTurn[]> {
  const totalMs = deadlineMs * SHARE;
  const timed = async <T>(part: string, ms: number, step: () => Promise<T>): Promise<T | undefined> => {
    const found = await within(ms, step, signal, platformWait);
    if (found.kept) return found.value;
    onMissing(part, `a recall went on without it: ${found.reason}`);
    return undefined;
  };
  const turns = async () => {
    const started = stopwatch.now();
    await timed("other tabs", totalMs * LEVEL_SHARE, level);
    const leftMs = Math.max(totalMs - (stopwatch.now() - started), totalMs * (1 - LEVEL_SHARE));
    return timed("short-term memory", leftMs, recent);
  };
  const [found] = await Promise.all([turns(), timed("time expressions", totalMs, languages)]);
  return found ?? [];
}

/** The recall with the time that its preparation took. */
export function withPreparation(found: Recall, ms: number): Recall {
  const { trace } = found;
  return { ...found, trace: { ...trace, steps: [{ name: "prepare", ms }, ...trace.steps], totalMs: trace.totalMs + ms } };
}

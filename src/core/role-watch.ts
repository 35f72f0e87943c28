/** Watches how a model does in one role, and lets it rest after it was late or failed again and again. */

import type { CallOptions, Clock } from "../ports.js";
import { isLate } from "./engine-line.js";

/** Misses in a row after which a role rests. */
const MOST_MISSES = 3;
/** How long it rests, in milliseconds, at first and at most; each rest is twice as long as the one before. */
const REST_MS = 30_000;
const MAX_REST_MS = 600_000;
/** A recall that has so many times the time of those that were missed may ask all the same. */
const MORE_TIME = 2;

export class RoleWatch {
  readonly #clock: Clock;
  #answered = 0;
  #late = 0;
  #failed = 0;
  #misses = 0;
  #restMs = REST_MS;
  #restsUntil = 0;
  /** Time that was too short, where that was the reason. */
  #tooShortMs: number | undefined;
  #lastReason = "";

  /** @param clock milliseconds that only go forward */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get counts(): { readonly answered: number; readonly late: number; readonly failed: number } {
    return { answered: this.#answered, late: this.#late, failed: this.#failed };
  }

  /** Why the role is not to be played now, if it is not.
   * @param budgetMs time that there would be */
  resting(budgetMs = 0): string | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    if (leftMs <= 0 || (this.#tooShortMs !== undefined && budgetMs >= MORE_TIME * this.#tooShortMs)) return undefined;
    return `the model rests for ${Math.ceil(leftMs / 1_000)} s more, after ${MOST_MISSES} misses in a row: ${this.#lastReason}`;
  }

  /** Runs one playing of the role.
   * @param budgetMs time that there is
   * @throws what it throws */
  async run<T>(budgetMs: number, { signal }: CallOptions, play: () => Promise<T>): Promise<T> {
    try {
      const value = await play();
      // Nobody hears what comes after its time.
      if (isLate(signal)) this.#wasLate(budgetMs);
      else if (!signal?.aborted) {
        this.#answered++;
        this.#misses = 0;
        this.#restMs = REST_MS;
        this.#restsUntil = 0;
      }
      return value;
    } catch (error) {
      // A caller who gave up says nothing of the model.
      if (isLate(signal)) this.#wasLate(budgetMs);
      else if (!signal?.aborted) {
        this.#failed++;
        this.#missed(error instanceof Error ? error.message : String(error), undefined);
      }
      throw error;
    }
  }

  #wasLate(budgetMs: number): void {
    this.#late++;
    this.#missed("it was too late", budgetMs);
  }

  #missed(reason: string, tooShortMs: number | undefined): void {
    this.#tooShortMs = tooShortMs;
    this.#lastReason = reason;
    if (++this.#misses < MOST_MISSES) return;
    // One more miss after a rest, and it rests again.
    this.#misses = MOST_MISSES - 1;
    this.#restsUntil = this.#clock.now() + this.#restMs;
    this.#restMs = Math.min(MAX_REST_MS, 2 * this.#restMs);
  }
}

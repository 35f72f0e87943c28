/** How a recall came about, as plain data of bounded size. */

import type { Candidate, Clock, Selected } from "../ports.js";
import type { Plan, RecallTrace, TracedCandidate } from "../types.js";

const MAX_TEXT = 200;
const MAX_QUERY = 500;

/** Gathers steps and fallbacks while a recall runs. */
export class TraceBuilder {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #steps: { name: string; ms: number }[] = [];
  readonly #fallbacks: { role: RecallTrace["fallbacks"][number]["role"]; reason: string }[] = [];
  #stepStartedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = this.#stepStartedAt = clock.now();
  }

  /** Milliseconds since the recall began. */
  get elapsedMs(): number {
    return this.#clock.now() - this.#startedAt;
  }

  /** Ends the step that began when the one before it ended. */
  step(name: string): void {
    const now = this.#clock.now();
    this.#steps.push({ name, ms: now - this.#stepStartedAt });
    this.#stepStartedAt = now;
  }

  fellBack(role: RecallTrace["fallbacks"][number]["role"], reason: string): void {
    this.#fallbacks.push({ role, reason });
  }

  build(plan: Plan, candidates: readonly TracedCandidate[]): RecallTrace {
    const queries = plan.queries.map((query) =>
      query.text.length > MAX_QUERY ? { ...query, text: `${query.text.slice(0, MAX_QUERY)}…` } : query,
    );
    return { plan: { ...plan, queries }, candidates, steps: this.#steps, fallbacks: this.#fallbacks, totalMs: this.elapsedMs };
  }
}

/** @param selected what the selector took
 * @param packed indexes of the candidates that fitted into the block */
export function traceCandidates(
  candidates: readonly Candidate[],
  selected: readonly Selected[],
  packed: ReadonlySet<number>,
): TracedCandidate[] {
  const scores = new Map(selected.map(({ index, score }) => [index, score]));
  return candidates.map(({ entry, score, features }, rank): TracedCandidate => {
    const chosen = scores.get(rank);
    const reason =
      chosen === undefined
        ? "not selected: too unlikely to support the question, said already, or beyond k"
        : packed.has(rank)
          ? `selected, probability ${chosen.toFixed(2)}`
          : "selected, but it did not fit into the token budget";
    const text = entry.text.length > MAX_TEXT ? `${entry.text.slice(0, MAX_TEXT)}…` : entry.text;
    return { entryId: entry.id, text, rank, score, features, selected: packed.has(rank), reason };
  });
}

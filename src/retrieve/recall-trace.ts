/** How a recall came about, as plain data of bounded size. */

import type { Candidate, Clock, Selected } from "../ports.js";
import type { Plan, RecallTrace, RoleForm, TracedCandidate } from "../types.js";
import type { LinkedEntries } from "./linked.js";
import type { Decision } from "./selector.js";

const MAX_TEXT = 200;
const MAX_QUERY = 500;

/** Gathers steps and fallbacks while a recall runs. */
export class TraceBuilder {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #steps: { name: string; ms: number }[] = [];
  readonly #fallbacks: { role: RecallTrace["fallbacks"][number]["role"]; reason: string }[] = [];
  readonly #roles: { controller: RoleForm; selector: RoleForm } = { controller: "lite", selector: "lite" };
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

  /** A model's answer counts. */
  played(role: "controller" | "selector", form: RoleForm = "generate"): void {
    this.#roles[role] = form;
  }

  build(plan: Plan, candidates: readonly TracedCandidate[]): RecallTrace {
    const queries = plan.queries.map((query) =>
      query.text.length > MAX_QUERY ? { ...query, text: `${query.text.slice(0, MAX_QUERY)}…` } : query,
    );
    return {
      plan: { ...plan, queries },
      candidates,
      steps: this.#steps,
      roles: this.#roles,
      fallbacks: this.#fallbacks,
      totalMs: this.elapsedMs,
    };
  }
}

/** What a recall decided about its candidates; indexes are those of the candidates. */
export interface Choices {
  /** What the selector took, best first. */
  readonly selected: readonly Selected[];
  /** Candidates that stand in the block, in the order of the recall's items. */
  readonly shown: readonly number[];
  /** Lite's decisions, where lite selected. */
  readonly decisions?: readonly Decision[];
  /** Candidates that a model saw, where one selected. */
  readonly modelSaw?: ReadonlySet<number>;
}

/** The one reason that applies. */
function reasonOf(rank: number, { selected, shown, decisions, modelSaw }: Choices): string {
  const chosen = selected.find(({ index }) => index === rank);
  if (chosen && shown.includes(rank)) return `selected, ${chosen.why ?? `probability ${chosen.score.toFixed(2)}`}`;
  if (chosen) return "selected, but it did not fit into the token budget";
  const decision = decisions?.[rank];
  switch (decision?.kind) {
    case "unsupported":
      return "nothing in the memory supports the question";
    case "unlikely":
      return `too unlikely to support the question, probability ${decision.score.toFixed(3)}`;
    case "repeats": {
      const item = shown.indexOf(decision.of) + 1;
      return item > 0 ? `repeats item ${item}` : "repeats a memory that did not fit into the token budget";
    }
    case "beyond-k":
      return `beyond k, probability ${decision.score.toFixed(2)}`;
    case "selected":
      return "gave its place to what corrects another, or was forgotten meanwhile";
    default:
      if (modelSaw === undefined) return "beyond k";
      return modelSaw.has(rank) ? "the model did not choose it" : `the model saw only the best ${modelSaw.size}`;
  }
}

export function traceCandidates(candidates: readonly Candidate[], choices: Choices, linked?: LinkedEntries): TracedCandidate[] {
  const shown = new Set(choices.shown);
  return candidates.map(({ entry, score, features }, rank): TracedCandidate => {
    const text = entry.text.length > MAX_TEXT ? `${entry.text.slice(0, MAX_TEXT)}…` : entry.text;
    const path = linked?.get(entry.id)?.path;
    const reason = reasonOf(rank, choices) + (path === undefined ? "" : `; reached over ${path}`);
    return { entryId: entry.id, text, rank, score, features, selected: shown.has(rank), reason };
  });
}

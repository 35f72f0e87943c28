/** How the turns of a context were chosen: scores, reasons, and which features spoke. */

import { levelled } from "../lre/role-level.js";
import { calibrate, type LocalModel, StreamScorer } from "../lre/scorer.js";
import { shippedModel } from "../lre/shipped.js";
import type { WindowSelection } from "../lre/window-options.js";
import type { ContextTrace, TracedUnit, TurnId } from "../types.js";
import type { DialogueProfile } from "./profile.js";
import type { TurnUnit } from "./turn-unit.js";

/** Features told of a turn. */
const FEATURES = 12;

export interface TraceParts {
  readonly profile: DialogueProfile;
  readonly budgetTokens: number;
  readonly local: LocalModel | undefined;
}

/** Scores the turns once more to see what spoke for each, so it is for looking at.
 * @param units in the order in which the window took them */
export function traceOf(
  units: readonly TurnUnit[],
  selection: WindowSelection,
  { profile, budgetTokens, local }: TraceParts,
): ContextTrace {
  const scorer = new StreamScorer(shippedModel(profile), local);
  const arrivals = units.map((unit) => ({ score: scorer.push(unit), terms: scorer.explain() }));
  const revised = scorer.revise();
  const scores = profile === "assistant" ? levelled(revised, (at) => units[at]?.role === "user") : revised;
  const probabilities = calibrate(scores);
  const kept = new Map(selection.kept.map(({ unit, why }) => [unit.id, why]));
  const left = new Map(selection.leftOut.map(({ id, reason }) => [id, reason]));
  const traced = units.map(({ id, tokens }, at): TracedUnit => {
    const { score: arrival, terms } = arrivals[at] as (typeof arrivals)[number];
    const score = scores[at] as number;
    const level = { feature: "roleLevel", term: score - (revised[at] as number) };
    const later = { feature: "sinceThen", term: (revised[at] as number) - arrival };
    const features = [...terms, level, later]
      .filter(({ term }) => Math.abs(term) > 1e-9)
      .sort((a, b) => Math.abs(b.term) - Math.abs(a.term))
      .slice(0, FEATURES);
    return {
      turnId: id as TurnId,
      tokens,
      score,
      probability: probabilities[at] as number,
      kept: kept.has(id),
      reason: kept.get(id) ?? left.get(id) ?? "budget",
      features,
    };
  });
  return { profile, budgetTokens, evidence: local?.evidence ?? 0, units: traced };
}

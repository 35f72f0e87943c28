/** Figures of what the log of `roles` holds: by set and category, and what a model's forms gain over lite on the same questions. */

import { bootstrapInterval, mean } from "../metrics.js";
import type { LogLine } from "../question-log.js";
import type { Put } from "./items.js";

/** Of fewer questions all may lose by chance: 2 · 2⁻⁶ = .03, by a sign test. */
const FEWEST = 6;
/** Below this a difference is what is left of rounding. */
const ROUNDING = 1e-9;

/** Recall of one question by a form of a model, less lite's. */
interface Gain {
  /** Role and form, as the log has them. */
  readonly method: string;
  readonly metric: string;
  readonly set: string;
  readonly id: string;
  readonly category: string;
  readonly difference: number;
}

/** Recall also by category, with what is gained over lite. Of selectors all also over the questions whose evidence is among the
 * candidates of the coarse order at all, and of what orders those candidates the share of the evidence among them: no order of others
 * shows what a scorer can. */
export function addLogged(lines: readonly LogLine[], put: Put): void {
  for (const { set, category, method, figures } of lines)
    for (const [metric, value] of Object.entries(figures)) {
      if (metric === "reachable") continue;
      const name = `${method}.${metric}`;
      if (method.startsWith("selector.")) put(name, value);
      put(`${name}.${set}`, value);
      if (isRecall(metric)) put(`${name}.${set}.${category}`, value);
      if (!figures.reachable) continue;
      put(`${name}.${set}.reachable`, value);
      if (method.endsWith("coarse") && isRecall(metric)) put(`${name}.ofReachable`, value / figures.reachable);
    }
  for (const { method, metric, set, category, difference } of gainsOf(lines))
    for (const of of [set, `${set}.${category}`]) put(`${method}.gain.${metric}.${of}`, difference);
}

/** @returns in words, a form each: the categories in which it is below lite by more than the interval */
export function lossesOf(lines: readonly LogLine[], seed: number): string[] {
  return [...groups(gainsOf(lines), ({ method }) => method)].map(([method, gains]) => {
    const losses: string[] = [];
    const told = new Set<string>();
    const few = new Set<string>();
    for (const group of groups(gains, ({ metric, set, category }) => `${metric} ${set} ${category}`).values()) {
      const { metric, set, category } = group[0] as Gain;
      const where = `${set} ${category}`;
      const differences = group.map(({ difference }) => difference);
      (differences.length < FEWEST ? few : told).add(where);
      const [low, high] = bootstrapInterval(differences, seed);
      if (differences.length < FEWEST || high > -ROUNDING) continue;
      const interval = `${signed(mean(differences))} [${signed(low)}, ${signed(high)}]`;
      losses.push(`${metric} of ${where} (${interval}, ${differences.length} questions)`);
    }
    const below = losses.length > 0 ? losses.join("; ") : told.size > 0 ? `nothing in ${[...told].join(", ")}` : "";
    return [
      `${method} against lite`,
      ...(below ? [`below it by more than the interval: ${below}`] : []),
      ...(few.size > 0 ? [`fewer than ${FEWEST} questions tell nothing of ${[...few].join(", ")}`] : []),
    ].join("; ");
  });
}

const isRecall = (metric: string): boolean => metric.startsWith("recall@");

/** Of questions that both answered; the coarse orders, which nobody plays with, are left out. */
function gainsOf(lines: readonly LogLine[]): Gain[] {
  const keyOf = (role: string, { set, id }: LogLine) => `${role}\n${set}\n${id}`;
  const split = lines.map((line) => {
    const [role = "", form = ""] = line.method.split(".");
    return { line, role, form };
  });
  const lites = new Map(
    split.flatMap(({ line, role, form }) => (form === "lite" ? [[keyOf(role, line), line.figures] as const] : [])),
  );
  return split.flatMap(({ line, role, form }) => {
    const lite = lites.get(keyOf(role, line));
    if (!lite || form === "lite" || form.endsWith("coarse")) return [];
    const { method, set, id, category, figures } = line;
    return Object.entries(figures).flatMap(([metric, value]): Gain[] => {
      const before = lite[metric];
      return isRecall(metric) && before !== undefined ? [{ method, metric, set, id, category, difference: value - before }] : [];
    });
  });
}

function groups(gains: readonly Gain[], nameOf: (gain: Gain) => string): Map<string, Gain[]> {
  const found = new Map<string, Gain[]>();
  for (const gain of gains) found.set(nameOf(gain), [...(found.get(nameOf(gain)) ?? []), gain]);
  return found;
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

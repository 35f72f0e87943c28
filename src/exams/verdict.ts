/** What follows from an exam: whether a form of a role is better than lite beyond chance.
 *
 * The items are paired: model and lite answer the same ones, so that their difficulty cancels out. A form passes if the one-sided 95%
 * lower bound of its mean gain (Student's t over the items) is above {@link LEAST_GAIN}; it is refused if the mean is not above that
 * either, or after all items. The bound is looked at more than once, as the items come, so the looks before the last ask for 99%. What is fitted, such as a weight, is judged on the items that it was not fitted to. */

import type { FormTrial, RoleForm, RoleVerdict } from "../types.js";

/** One item, played by lite and by a form of the model; 0 to 1. */
export interface Played {
  readonly lite: number;
  /** 0 where the model failed. */
  readonly model: number;
  readonly failed: boolean;
  readonly ms: number;
}

/** A gain below this is not worth a model's time, in the exam's scores. */
export const LEAST_GAIN = 0.01;

/** Student's t, one-sided, by degrees of freedom. */
const T95 = [6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753];
const T99 = [31.82, 6.965, 4.541, 3.747, 3.365, 3.143, 2.998, 2.896, 2.821, 2.764, 2.7181, 2.681, 2.65, 2.624, 2.602];

/** Beyond the table, by its Cornish–Fisher expansion about the normal quantile. */
function quantile(table: readonly number[], z: number, freedom: number): number {
  return table[freedom - 1] ?? z + (z ** 3 + z) / (4 * freedom);
}

/** Lower bound of the mean, one-sided. */
export function lowerBound(values: readonly number[], level: 95 | 99): number {
  const count = values.length;
  if (count < 2) return Number.NEGATIVE_INFINITY;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const t = level === 95 ? quantile(T95, 1.645, count - 1) : quantile(T99, 2.326, count - 1);
  return mean - t * Math.sqrt(variance / count);
}

/** Upper bound of the mean, one-sided, 95%. */
export function upperBound(values: readonly number[]): number {
  return -lowerBound(
    values.map((value) => -value),
    95,
  );
}

/** "undecided": more items are needed. */
export type Ruling = "passed" | "refused" | "undecided";

/** How far an exam is: looked at early only to end what is hopeless. The writer's 24 items have no half: a choice by chance, which loses
 * a third of them, gets through a dozen once in 130 times, and through all of them never. */
export type Look = "early" | "half" | "last";

/** @param options.losses items in which the model loses what lite keeps, where that must never be; one is one too many
 * @param options.hoped the same items by what was fitted to them: if that is not better, nothing is */
export function rule(
  played: readonly Played[],
  look: Look,
  { losses = 0, hoped = played }: { readonly losses?: number; readonly hoped?: readonly Played[] } = {},
): Ruling {
  const gains = played.map(({ model, lite }) => model - lite);
  if (losses > 0) return "refused";
  if (look !== "early" && lowerBound(gains, look === "last" ? 95 : 99) > LEAST_GAIN) return "passed";
  const hopes = hoped.map(({ model, lite }) => model - lite);
  if (look === "last" || upperBound(hopes) <= LEAST_GAIN) return "refused";
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / Math.max(1, gains.length);
  return look === "half" && mean <= LEAST_GAIN ? "refused" : "undecided";
}

export function trialOf(
  form: FormTrial["form"],
  played: readonly Played[],
  ruling: Ruling,
  { lost = 0, weight }: { readonly lost?: number; readonly weight?: number | undefined } = {},
): FormTrial {
  const mean = (of: (one: Played) => number): number =>
    played.reduce((sum, one) => sum + of(one), 0) / Math.max(1, played.length);
  const gain = mean(({ model, lite }) => model - lite);
  const low = lowerBound(
    played.map(({ model, lite }) => model - lite),
    95,
  );
  const failed = played.filter((one) => one.failed).length;
  const passed = ruling === "passed";
  const figures = `${signed(gain)} over lite's ${mean(({ lite }) => lite).toFixed(2)} on ${played.length} items`;
  const failures = failed > 0 ? `; ${failed} answers could not be used` : "";
  const why =
    lost > 0
      ? `it loses what lite keeps in ${lost} of ${played.length} items`
      : gain <= LEAST_GAIN
        ? `it gains nothing: ${figures}`
        : `its gain may be chance: ${figures}, at least ${signed(low)} with 95% confidence`;
  return {
    form,
    items: played.length,
    lite: mean(({ lite }) => lite),
    model: mean(({ model }) => model),
    gain,
    low: Number.isFinite(low) ? low : -1,
    failed,
    msPerItem: mean(({ ms }) => ms),
    passed,
    reason: (passed ? `it gains ${figures}, at least ${signed(low)} with 95% confidence` : why) + failures,
    ...(weight !== undefined && { weight }),
  };
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/** The best form that passed, or lite. */
export function verdictOf(trials: readonly FormTrial[], none: string): RoleVerdict {
  const passed = trials.filter((trial) => trial.passed).sort((a, b) => b.low - a.low);
  const [best] = passed;
  const form: RoleForm = best?.form ?? "lite";
  if (best) return { form, reason: best.reason, trials, ...(best.weight !== undefined && { weight: best.weight }) };
  const reasons = trials.map((trial) => `${trial.form}: ${trial.reason}`).join("; ");
  return { form, reason: trials.length > 0 ? `lite is kept; ${reasons}` : none, trials };
}

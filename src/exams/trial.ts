/** Plays a form of a role through the items of its exam, as many as it takes to rule. */

import type { CallOptions, Clock } from "../ports.js";
import type { FormTrial } from "../types.js";
import { type Look, type Played, rule, trialOf } from "./verdict.js";

export interface TrialParts extends CallOptions {
  /** Resolves when nobody needs the machine. */
  readonly idle: () => Promise<void>;
  /** Fine milliseconds. */
  readonly stopwatch: Clock;
  /** Told after every item. */
  readonly onItem: () => void;
}

/** What an item gives. */
export interface ItemScores {
  readonly lite: number;
  /** One a variant of the form, in the order of the variants. */
  readonly models: readonly number[];
  /** The model loses what lite keeps, in a role where that must not be. */
  readonly loses?: boolean;
}

interface Scored extends ItemScores {
  readonly failed: boolean;
  readonly ms: number;
}

/** Items after which it is looked at; what is left are the last. */
const EARLY: readonly number[] = [6, 12];
const HALF = 24;

/** @param play throws where the model's answer cannot be used
 * @param lite what lite gets on an item that the model fails
 * @param variants of the form, such as weights, the tamest first; the one that is given is the tamest of those chosen */
export async function tryForm<Item>(
  form: FormTrial["form"],
  items: readonly Item[],
  play: (item: Item) => Promise<ItemScores>,
  lite: (item: Item) => Promise<number>,
  { idle, stopwatch, onItem, signal }: TrialParts,
  variants: readonly number[] = [1],
): Promise<FormTrial> {
  const scored: Scored[] = [];
  for (;;) {
    const item = items[scored.length];
    if (item === undefined) throw new RangeError("an exam has no items");
    await idle();
    signal?.throwIfAborted();
    const started = stopwatch.now();
    try {
      scored.push({ ...(await play(item)), failed: false, ms: stopwatch.now() - started });
    } catch {
      // An answer that cannot be used is worth nothing; what ends the exam ends it here.
      signal?.throwIfAborted();
      const ms = stopwatch.now() - started;
      scored.push({ lite: await lite(item), models: variants.map(() => 0), failed: true, ms });
    }
    onItem();
    const look = lookAfter(scored.length, items.length);
    if (!look) continue;
    const { played, hoped, variant } = fitted(scored, variants.length);
    const losses = scored.filter(({ loses }) => loses).length;
    const ruling = rule(played, look, { losses, hoped });
    if (ruling === "undecided") continue;
    return trialOf(form, played, ruling, {
      lost: losses,
      weight: variants.length > 1 ? variants[variant] : undefined,
    });
  }
}

function lookAfter(count: number, all: number): Look | undefined {
  if (count === all) return "last";
  return count === HALF ? "half" : EARLY.includes(count) ? "early" : undefined;
}

/** Each item judged by the variant that does best on the other half of them, and what is hoped for: by the one that does best on all. */
function fitted(scored: readonly Scored[], variants: number) {
  const halves = [0, 1].map((half) =>
    best(
      scored.filter((_, at) => at % 2 !== half),
      variants,
    ),
  );
  const whole = best(scored, variants);
  const by = (variantAt: (at: number) => number): Played[] =>
    scored.map(({ lite, models, failed, ms }, at) => ({ lite, model: models[variantAt(at)] as number, failed, ms }));
  return {
    played: by((at) => halves[at % 2] as number),
    hoped: by(() => whole),
    variant: Math.min(...halves, whole),
  };
}

/** The first of the variants with the highest sum. */
function best(scored: readonly Scored[], variants: number): number {
  const sums = Array.from({ length: variants }, (_, variant) =>
    scored.reduce((sum, { models }) => sum + (models[variant] as number), 0),
  );
  return sums.indexOf(Math.max(...sums));
}

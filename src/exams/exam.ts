/** The exam of a small model: a dozen items or two a role and form, made from templates, in the memory's own idle time. It compares the
 * model with lite, not with nothing: a role is the model's only where it is better. */

import type { CallOptions, SlmEngine } from "../ports.js";
import type { RoleVerdicts } from "../types.js";
import { tryController } from "./controller-exam.js";
import { EngineHealth } from "./engine-health.js";
import { FACTS } from "./facts.js";
import { seededRandom, seedOf } from "./seeded.js";
import { trySelector } from "./selector-exam.js";
import type { TrialParts } from "./trial.js";
import { verdictOf } from "./verdict.js";
import type { WorldParts } from "./world.js";
import { tryWriter } from "./writer-exam.js";

/** Raised with every change of items, prompts, scores or rules: what was found by another version is found anew. */
export const EXAM_VERSION = 5;

export interface ExamParts extends WorldParts, CallOptions {
  readonly engine: SlmEngine;
  /** Resolves when nobody needs the machine. */
  readonly idle: () => Promise<void>;
  /** In items; the total is the most that there may be. */
  readonly onProgress: (done: number, total: number) => void;
  /** Made of the model's id by default, so that each model has items of its own. */
  readonly seed?: number;
}

/** Six forms, each of as many items as there may be on average. */
const MOST_ITEMS = 8 * FACTS.length;

export interface Examined {
  readonly verdicts: RoleVerdicts;
  /** What the engine failed with, where that says nothing of the model: the verdicts hold until the next exam, and no longer. */
  readonly outage?: string;
}

/** @throws the signal's reason; what the embedder throws. What the engine throws is a failed item. */
export async function examine({
  engine,
  idle,
  onProgress,
  seed = seedOf(engine.id),
  signal,
  ...world
}: ExamParts): Promise<Examined> {
  const health = new EngineHealth(engine);
  const random = seededRandom(seed);
  let done = 0;
  const parts: TrialParts = {
    idle,
    stopwatch: world.stopwatch,
    onItem: () => onProgress(Math.min(++done, MOST_ITEMS - 1), MOST_ITEMS),
    ...(signal && { signal }),
  };
  const controller = verdictOf(await tryController(health.engine, random, parts), "");
  const selector = verdictOf(await trySelector(health.engine, random, world, parts), "");
  const writer = verdictOf(await tryWriter(health.engine, random, parts), "");
  onProgress(MOST_ITEMS, MOST_ITEMS);
  const { outage } = health;
  return { verdicts: { controller, selector, writer }, ...(outage !== undefined && { outage }) };
}

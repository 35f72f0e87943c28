/** Scores units as they arrive, and again at eviction time, with the shipped model and what was learned from the user's own log. */

import type { UnitIdentifiers } from "./agent-features.js";
import { createExtractor, type Extractor, featuresOf, firstRevisable } from "./extractor.js";
import { CLIP } from "./logistic.js";
import type { ModelPart, ScorerModel } from "./model.js";
import { RunningNormal } from "./running-normal.js";
import type { Unit } from "./unit.js";

const clip = (value: number): number => (value > CLIP ? CLIP : value < -CLIP ? -CLIP : value);

/** A part bound to the columns of an extractor, with the running normalisation of one history. */
class BoundPart {
  readonly columns: Int32Array;
  private readonly normal: RunningNormal;

  constructor(
    readonly part: ModelPart,
    names: readonly string[],
  ) {
    const index = new Map(names.map((name, column) => [name, column]));
    this.columns = Int32Array.from(part.features, (name) => index.get(name) ?? -1);
    this.normal = new RunningNormal(part.mean, part.deviation);
  }

  /** Takes the unit into the running mean and deviation, before it is scored. */
  learn(dense: Float64Array): void {
    if (this.part.normal === "running") this.normal.learn((k) => dense[this.columns[k] as number] as number);
  }

  /** What a value of the feature at `k` adds to z. */
  term(k: number, value: number): number {
    return (this.part.weights[k] as number) * clip(this.normal.normal(k, value));
  }

  bucketTerm(buckets: Int32Array, count: number): number {
    if (this.part.buckets.length === 0 || count === 0) return 0;
    let sum = 0;
    for (let j = 0; j < count; j++) sum += this.part.buckets[buckets[j] as number] as number;
    return sum / Math.sqrt(count);
  }
}

/** One feature's say in a score. */
export interface FeatureTerm {
  readonly feature: string;
  readonly term: number;
}

/** A model learned from the user's own log, and how much evidence stands behind it. */
export interface LocalModel {
  readonly model: ScorerModel;
  /** Answered questions (dialogue) or load-bearing units (agents) it was learned from. */
  readonly evidence: number;
}

/** Evidence at which the local model weighs as much as the shipped one: z = shipped + (evidence/25)·local. Measured on LoCoMo. */
export const BLEND_EVIDENCE = 25;

/** Streams over one history. Scores are logits on one scale whatever the models; larger is better. */
export class StreamScorer {
  readonly extractor: Extractor;
  private readonly models: { readonly parts: ReadonlyMap<string, BoundPart>; readonly weight: number }[];
  private readonly revisable: number;
  /** Score without the revisable columns, and the role, of every unit. */
  private readonly fixedScores: number[] = [];
  private readonly scores: number[] = [];
  private readonly roles: string[] = [];

  constructor(shipped: ScorerModel, local?: LocalModel) {
    const names = featuresOf(shipped.profile);
    const bind = (model: ScorerModel, weight: number): (typeof this.models)[number] => ({
      parts: new Map(model.parts.map((part) => [part.role, new BoundPart(part, names)])),
      weight,
    });
    this.extractor = createExtractor(shipped.profile);
    this.models = [bind(shipped, 1)];
    if (local && local.evidence > 0 && local.model.profile === shipped.profile)
      this.models.push(bind(local.model, local.evidence / BLEND_EVIDENCE));
    this.revisable = firstRevisable(shipped.profile);
  }

  /** @returns the unit's score from the units before it alone; what follows never changes it */
  push(unit: Unit, identifiers?: UnitIdentifiers): number {
    const { extractor } = this;
    extractor.push(unit, identifiers);
    const { dense, buckets, bucketCount, role } = extractor;
    let fixed = 0;
    let revisable = 0;
    for (const { parts, weight } of this.models) {
      const bound = parts.get(role) ?? parts.get("");
      if (!bound) continue;
      bound.learn(dense);
      let own = bound.part.bias + bound.bucketTerm(buckets, bucketCount);
      let later = 0;
      for (let k = 0; k < bound.columns.length; k++) {
        const column = bound.columns[k] as number;
        const term = bound.term(k, dense[column] as number);
        if (column < this.revisable) own += term;
        else later += term;
      }
      fixed += (weight * own) / bound.part.spread;
      revisable += (weight * later) / bound.part.spread;
    }
    this.fixedScores.push(fixed);
    this.scores.push(fixed + revisable);
    this.roles.push(role);
    return fixed + revisable;
  }

  /** Scores of all units with what is known now ("at eviction time"): topics that came back later, how sessions went on.
   * The same as on arrival for profiles in which later units say nothing. */
  revise(): readonly number[] {
    if (!this.extractor.revise) return this.scores;
    const scores = [...this.scores];
    this.extractor.revise((at, revised) => {
      let score = this.fixedScores[at] as number;
      const role = this.roles[at] as string;
      for (const { parts, weight } of this.models) {
        const bound = parts.get(role) ?? parts.get("");
        if (!bound) continue;
        for (let k = 0; k < bound.columns.length; k++) {
          const column = (bound.columns[k] as number) - this.revisable;
          if (column >= 0) score += (weight * bound.term(k, revised[column] as number)) / bound.part.spread;
        }
      }
      scores[at] = score;
    });
    return scores;
  }

  /** What each feature said of the unit pushed last, strongest first. */
  explain(): FeatureTerm[] {
    const { dense, buckets, bucketCount, role } = this.extractor;
    const terms = new Map<string, number>();
    for (const { parts, weight } of this.models) {
      const bound = parts.get(role) ?? parts.get("");
      if (!bound) continue;
      const add = (name: string, term: number): unknown =>
        terms.set(name, (terms.get(name) ?? 0) + (weight * term) / bound.part.spread);
      bound.part.features.forEach((name, k) => add(name, bound.term(k, dense[bound.columns[k] as number] as number)));
      if (bound.part.buckets.length > 0) add("words", bound.bucketTerm(buckets, bucketCount));
    }
    return [...terms]
      .map(([feature, term]) => ({ feature, term }))
      .filter(({ term }) => term !== 0)
      .sort((a, b) => Math.abs(b.term) - Math.abs(a.term));
  }
}

/** Spread of logits that ranking by density needs: shrunken scores would let every short unit win. */
const SPREAD = 1.5;
/** Share of units taken to be load-bearing. */
const MEAN_PROBABILITY = 0.2;

/** The shift that brings a normal spread of logits to the mean probability. */
const USUAL_SHIFT = -1.9;

/** Probabilities one by one, from the scores before: what {@link calibrate} does, for those who cannot look back. */
export class RunningCalibration {
  private count = 0;
  private mean = 0;
  private squares = 0;

  next(score: number): number {
    this.count++;
    const gap = score - this.mean;
    this.mean += gap / this.count;
    this.squares += gap * (score - this.mean);
    const deviation = Math.sqrt(this.squares / this.count);
    const logit = deviation > 1e-6 ? (SPREAD * (score - this.mean)) / deviation : 0;
    return 1 / (1 + Math.exp(-logit - USUAL_SHIFT));
  }
}

/** Probabilities from scores: their deviation brought to 1.5 and their mean probability to .2, order kept. All equal: .2 each. */
export function calibrate(scores: ArrayLike<number>): Float64Array {
  const count = scores.length;
  if (count === 0) return new Float64Array(0);
  let mean = 0;
  for (let i = 0; i < count; i++) mean += (scores[i] as number) / count;
  let variance = 0;
  for (let i = 0; i < count; i++) variance += ((scores[i] as number) - mean) ** 2 / count;
  const scale = variance > 1e-12 ? SPREAD / Math.sqrt(variance) : 0;
  const logits = Float64Array.from(scores, (score) => (score - mean) * scale);
  let low = -12;
  let high = 12;
  for (let round = 0; round < 40; round++) {
    const shift = (low + high) / 2;
    let sum = 0;
    for (const value of logits) sum += 1 / (1 + Math.exp(-value - shift));
    if (sum / count < MEAN_PROBABILITY) low = shift;
    else high = shift;
  }
  return logits.map((value) => 1 / (1 + Math.exp(-value - low)));
}

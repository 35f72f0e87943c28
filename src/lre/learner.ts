/** Learns from the user's own log which units turn out to be needed, a little with every log, and never keeps its text. */

import { identifiersOf } from "./agent-features.js";
import { createExtractor, featuresOf, firstRevisable, spokenText } from "./extractor.js";
import { hashWord } from "./hash.js";
import { isReference } from "./identifiers.js";
import { type Answered, CreditLog, type CreditOptions, reuseLabels } from "./labels.js";
import { type Belief, decodeState, encodeState, type LearnerState, MAX_SEEN } from "./learner-state.js";
import { CLIP, fitLogistic, type Logistic, sigmoid, standardisation, type TrainingRows } from "./logistic.js";
import type { Profile } from "./model.js";
import { deviationOf, logitsOf, RowStore, toPart } from "./rows.js";
import type { LocalModel } from "./scorer.js";
import type { Unit } from "./unit.js";
import { BUCKETS } from "./vocabulary.js";

/** A history as it stands, with what was answered from it. */
export interface ObservedLog {
  /** The same log observed again replaces what was learned of it before. */
  readonly id: string;
  readonly units: readonly Unit[];
  /** Dialogue: questions and the system's own answers. Agents need none: their reuse of identifiers is the label. */
  readonly answered?: readonly Answered[];
}

export interface LearnerOptions extends CreditOptions {
  /** Agents: a unit is load-bearing when so many later units use what it introduced; 3 (the paper). */
  readonly uses?: number;
}

/** Precision of a weight before any evidence (L2). Dense weights are held tighter than words are: there is little of a user's log. */
const DENSE_PRECISION = 100;
const BUCKET_PRECISION = 20;
const BIAS_PRECISION = 1e-3;
const STEPS = 25;
/** What credit of an assistant's turn counts: an answer resembles earlier replies more than it rests on them. On LongMemEval half of
 * the credit falls to replies, an eighth of the evidence does; about one logit less ranks best (turn AUC .877 → .887). */
const REPLY_CREDIT = 0.4;
const NO_STATE = { evidence: 0, beliefs: [], seen: {} } as const;

const freshBelief = (role: string, data: TrainingRows, subset: Uint32Array): Belief => {
  const use = Array.from({ length: data.columns }, (_, column) => column);
  const size = data.columns + BUCKETS + 1;
  const precision = new Float64Array(size).fill(DENSE_PRECISION, 0, data.columns).fill(BUCKET_PRECISION, data.columns);
  precision[size - 1] = BIAS_PRECISION;
  return { role, ...standardisation(data, subset, use), centre: new Float64Array(size), precision, spread: 1 };
};

/** Adds what the rows say about each weight: the diagonal of the logistic loss's second derivative. */
function sharpen(
  precision: Float64Array,
  fitted: Logistic,
  data: Required<TrainingRows>,
  subset: Uint32Array,
  logits: Float64Array,
  weight: number,
): Float64Array {
  const sharper = Float64Array.from(precision);
  const last = sharper.length - 1;
  for (let i = 0; i < subset.length; i++) {
    const row = subset[i] as number;
    const p = sigmoid(logits[i] as number);
    const certainty = weight * p * (1 - p);
    for (let k = 0; k < data.columns; k++) {
      const value =
        ((data.dense[row * data.columns + k] as number) - (fitted.mean[k] as number)) / (fitted.deviation[k] as number);
      sharper[k] = (sharper[k] as number) + certainty * Math.min(CLIP * CLIP, value * value);
    }
    const from = data.starts[row] as number;
    const to = data.starts[row + 1] as number;
    for (let j = from; j < to; j++) {
      const at = data.columns + (data.buckets[j] as number);
      sharper[at] = (sharper[at] as number) + certainty / (to - from);
    }
    sharper[last] = (sharper[last] as number) + certainty;
  }
  return sharper;
}

/** One user's learner for one profile. Each log is a step of Bayesian updating: the belief after it is the prior of the next, so
 * no rows are kept. Pure: the caller stores {@link export} where it likes. */
export class Learner {
  /** The belief before the log observed last, so that observing it again starts from there. */
  private base: LearnerState;
  private state: LearnerState;
  private current: string | undefined;

  /** @param bytes from {@link export}; none to start afresh @throws MemoryError as `decodeState` */
  constructor(
    readonly profile: Profile,
    private readonly options: LearnerOptions = {},
    bytes?: Uint8Array,
  ) {
    const state = bytes ? decodeState(bytes) : { profile, ...NO_STATE };
    if (state.profile !== profile) throw new RangeError(`what was learned is for ${state.profile}, not for ${profile}`);
    this.base = this.state = state;
  }

  /** What {@link export} gave, whatever its profile. @throws MemoryError as `decodeState` */
  static open(bytes: Uint8Array): Learner {
    return new Learner(decodeState(bytes).profile, {}, bytes);
  }

  /** Answered questions (dialogue) or load-bearing units (agents) so far. */
  get evidence(): number {
    return this.state.evidence;
  }

  /** What to give a context window as `local`; undefined before there is evidence. */
  get local(): LocalModel | undefined {
    const { evidence, beliefs, profile } = this.state;
    if (evidence === 0 || beliefs.length === 0) return undefined;
    const names = featuresOf(profile);
    const parts = beliefs.map(({ role, mean, deviation, centre, spread }) => {
      const columns = names.map((_, column) => column);
      const weights = centre.slice(0, names.length);
      const buckets = profile === "agent" ? new Float64Array(0) : centre.slice(names.length, names.length + BUCKETS);
      return toPart({ columns, mean, deviation, weights, buckets, bias: centre.at(-1) ?? 0 }, names, role, spread);
    });
    return { model: { profile, provenance: "learned from the user's own log", parts }, evidence };
  }

  /** Learns from a log. Logs without evidence (no answer that a unit covers, nothing reused, labels of one class) change nothing.
   * @returns the evidence now */
  observe(log: ObservedLog): { readonly evidence: number } {
    const key = String(hashWord(log.id));
    if (this.current !== key) this.base = this.state;
    this.current = key;
    const { labels, evidence } = this.label(log);
    const seen = this.base.seen[key] ?? 0;
    const fresh = evidence - seen;
    if (fresh <= 0) {
      this.state = this.base;
      return { evidence: this.evidence };
    }
    const { data, roles } = this.rows(log.units);
    const beliefs = new Map(this.base.beliefs.map((belief) => [belief.role, belief]));
    let learned = false;
    for (const role of new Set(roles)) {
      const subset = Uint32Array.from(roles.flatMap((other, row) => (other === role ? [row] : [])));
      const belief = this.update(beliefs.get(role) ?? freshBelief(role, data, subset), data, subset, labels, fresh / evidence);
      if (!belief) continue;
      beliefs.set(role, belief);
      learned = true;
    }
    const kept = Object.entries(this.base.seen)
      .filter(([other]) => other !== key)
      .slice(1 - MAX_SEEN);
    this.state = learned
      ? {
          profile: this.profile,
          evidence: this.base.evidence + fresh,
          beliefs: [...beliefs.values()],
          seen: { ...Object.fromEntries(kept), [key]: evidence },
        }
      : this.base;
    return { evidence: this.evidence };
  }

  /** Everything learned, as bytes: numbers of features, no text. */
  export(): Uint8Array {
    return encodeState(this.state);
  }

  /** Forgets everything learned. */
  reset(): void {
    this.base = this.state = { profile: this.profile, ...NO_STATE };
    this.current = undefined;
  }

  private label(log: ObservedLog): { labels: Float32Array; evidence: number } {
    if (this.profile === "agent") {
      const identifiers = log.units.map((unit) => {
        const { inAction, inObservation } = identifiersOf(unit);
        return [...inAction, ...inObservation].filter(isReference).map(({ value }) => value);
      });
      return reuseLabels(identifiers, this.options.uses);
    }
    const credit = new CreditLog();
    for (const unit of log.units) credit.add(`${unit.speaker ?? ""} ${spokenText(unit)}`);
    const credited = credit.labels(log.answered ?? [], this.options);
    if (this.profile === "assistant") {
      log.units.forEach(({ role }, at) => {
        if (role !== "user") credited.labels[at] = (credited.labels[at] as number) * REPLY_CREDIT;
      });
    }
    return credited;
  }

  private rows(units: readonly Unit[]): { data: Required<TrainingRows>; roles: string[] } {
    const extractor = createExtractor(this.profile);
    const store = new RowStore(extractor.columns.length);
    const roles: string[] = [];
    for (const unit of units) {
      extractor.push(unit);
      store.addFrom(extractor);
      roles.push(extractor.role);
    }
    extractor.revise?.((at, revised) => store.revise(at, firstRevisable(this.profile), revised));
    return { data: store.data, roles };
  }

  private update(
    belief: Belief,
    data: Required<TrainingRows>,
    subset: Uint32Array,
    labels: Float32Array,
    weight: number,
  ): Belief | undefined {
    const first = labels[subset[0] ?? 0] as number;
    if (subset.every((row) => labels[row] === first)) return undefined;
    const fitted = fitLogistic(data, {
      labels,
      weights: new Float32Array(data.rows).fill(weight),
      subset,
      bucketCount: BUCKETS,
      l2: 0,
      bucketL2: 0,
      steps: STEPS,
      scale: belief,
      prior: belief,
    });
    const logits = logitsOf(fitted, data, subset);
    const centre = new Float64Array(belief.centre.length);
    centre.set(fitted.weights);
    centre.set(fitted.buckets, fitted.weights.length);
    centre[centre.length - 1] = fitted.bias;
    return {
      ...belief,
      centre,
      precision: sharpen(belief.precision, fitted, data, subset, logits, weight),
      spread: deviationOf(logits),
    };
  }
}

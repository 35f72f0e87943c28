/** SLM-2 without a model: a learned logistic selector that keeps fewer candidates when fewer support the question. */

import type { CallOptions, Candidate, Selected, SelectInput, Selector } from "../ports.js";
import { type SelectorFeature, type SelectorWeights, STATIC_SELECTOR } from "./selector-weights.js";

export interface LiteSelectorOptions {
  /** Default: those of the static embedder. */
  readonly weights?: SelectorWeights;
  /** Candidates less likely than this to support the question are left out, 0 to 1. Default .01: among ten, a quarter of
   * LongMemEval's tokens less at equal recall, a tenth of LoCoMo's for .005 of its recall (.02 would cost .017). 0 keeps all up to k. */
  readonly minProbability?: number;
  /** So many are kept whatever their probability, if the question is supported at all. Default 3. */
  readonly minKept?: number;
}

/** What became of a candidate. `score` is its probability, 0 to 1. */
export type Decision =
  | { readonly kind: "selected" | "unlikely" | "beyond-k"; readonly score: number }
  /** Says what another candidate, `of`, says already. */
  | { readonly kind: "repeats"; readonly score: number; readonly of: number }
  /** Nothing in the memory supports the question. */
  | { readonly kind: "unsupported" };

export interface SelectorDecisions {
  /** Best first. */
  readonly selected: Selected[];
  /** By candidate. */
  readonly decisions: readonly Decision[];
  /** All candidates by their logit, best first. */
  readonly ranked: readonly { readonly index: number; readonly logit: number }[];
}

/** The question is supported by what shares a word with it, means nearly the same or is of the time it names: without any, silence is
 * the answer. */
const MIN_COVERAGE = 0.05;
const MIN_TIME = 0.9;

export class LiteSelector implements Selector {
  readonly #weights: SelectorWeights;
  /** Weight over deviation, and what all means together take off: the same sum with fewer steps. */
  readonly #terms: readonly (readonly [SelectorFeature, number])[];
  readonly #offset: number;
  readonly #minProbability: number;
  readonly #minKept: number;

  constructor(options: LiteSelectorOptions = {}) {
    this.#weights = options.weights ?? STATIC_SELECTOR;
    const features = Object.entries(this.#weights.features) as [SelectorFeature, SelectorWeights["features"]["score"]][];
    this.#terms = features.map(([name, { deviation, weight }]) => [name, weight / deviation] as const);
    this.#offset = features.reduce((sum, [, { mean, deviation, weight }]) => sum - (weight * mean) / deviation, 0);
    this.#minProbability = options.minProbability ?? 0.01;
    this.#minKept = options.minKept ?? 3;
    if (!(this.#minProbability >= 0 && this.#minProbability <= 1))
      throw new RangeError(`a probability lies in 0 to 1, got ${this.#minProbability}`);
  }

  async select(input: SelectInput, options: CallOptions = {}): Promise<readonly Selected[]> {
    options.signal?.throwIfAborted();
    return this.selectSync(input);
  }

  /** Σ weight · (value − mean) / deviation; a feature that a candidate lacks counts as 0. */
  logit(candidate: Candidate): number {
    let sum = this.#offset;
    for (const [name, factor] of this.#terms) sum += factor * (candidate.features[name] ?? 0);
    return sum;
  }

  /** Whether anything speaks for a candidate but its rank among others. */
  #isSupported({ features }: Candidate): boolean {
    return (
      (features.coverage ?? 1) >= MIN_COVERAGE ||
      (features.sentence ?? 1) >= this.#weights.minCosine ||
      (features.time ?? 0) >= MIN_TIME
    );
  }

  /** {@link select} without a promise: nothing in it waits. */
  selectSync(input: SelectInput): Selected[] {
    return this.decide(input).selected;
  }

  /** The selection, and for each candidate what became of it. */
  decide({ candidates, k }: SelectInput): SelectorDecisions {
    const ranked = candidates
      .map((candidate, index) => ({ index, logit: this.logit(candidate) }))
      .sort((a, b) => b.logit - a.logit || a.index - b.index);
    if (!candidates.some((candidate) => this.#isSupported(candidate)))
      return { selected: [], decisions: candidates.map(() => ({ kind: "unsupported" })), ranked };
    const best = ranked[0]?.logit ?? 0;
    const { logit: perLogit, gap, bias } = this.#weights.probability;
    const selected: Selected[] = [];
    const decisions = new Array<Decision>(candidates.length);
    const texts = new Map<string, number>();
    for (const { index, logit } of ranked) {
      const score = 1 / (1 + Math.exp(-(perLogit * logit + gap * (logit - best) + bias)));
      const entry = candidates[index]?.entry;
      // The same words of the same person twice are one memory.
      const text = `${entry?.subject}\n${entry?.text}`;
      const same = texts.get(text);
      if (score < this.#minProbability && selected.length >= this.#minKept) decisions[index] = { kind: "unlikely", score };
      else if (same !== undefined) decisions[index] = { kind: "repeats", score, of: same };
      else if (selected.length >= k) decisions[index] = { kind: "beyond-k", score };
      else {
        decisions[index] = { kind: "selected", score };
        texts.set(text, index);
        selected.push({ index, score });
      }
    }
    return { selected, decisions, ranked };
  }
}

/** The sentence gate over one conversation: scores each sentence of a person and passes a fixed share of them, by the scores so far. */

import { RunningNormal } from "../lre/running-normal.js";
import { judgeSentence } from "./gate.js";
import { GATE_DATA } from "./gate-data.js";
import { GATE_FEATURES, sentenceFeatures } from "./gate-features.js";
import { GateHistory, type HeardTurn, type TurnScorer } from "./gate-history.js";
import type { GateWeights, LearnedFeature } from "./gate-weights.js";

/** With an assistant a person asks a lot and tells a little; people tell each other more. */
export type GateProfile = "assistant" | "people";

/** Share of a person's sentences that pass: on LoCoMo, between people, 40% keep .91 of the evidence and 60% keep .97 and more; with
 * an assistant (LongMemEval) 40% keep .98. Capacity, not the gate, decides what an old memory drops. */
export const STORED_SHARE: Readonly<Record<GateProfile, number>> = { assistant: 0.4, people: 0.6 };
/** A question may pass too, since people tell things in asking ("which lens suits my Fuji?"), but only among so many of a share. */
const ASKING = 0.5;
/** What would be among the best fourth of any conversation passes however dense this one is: who lists a hundred facts means all. */
const SURE = 0.25;
/** At the start of a conversation all passes that no rule refuses; the share is reached after so many sentences. The only fact of
 * a short conversation must not be lost to a distribution that nobody knows yet. */
const FREE_SENTENCES = 50;
const CLIP = 4;

const LEARNED = GATE_FEATURES.filter((name): name is LearnedFeature => name !== "answers");
const COLUMNS = LEARNED.map((name) => GATE_FEATURES.indexOf(name));
const ANSWERS = GATE_FEATURES.indexOf("answers");

/** Sorted numbers that one can be added to. */
class Ranking {
  readonly #sorted: number[];

  constructor(sorted: readonly number[]) {
    this.#sorted = [...sorted];
  }

  add(value: number): void {
    this.#sorted.splice(this.#below(value), 0, value);
  }

  /** The least of the largest `share` of them. */
  least(share: number): number {
    const { length } = this.#sorted;
    return this.#sorted[Math.min(length - 1, Math.floor((1 - share) * length))] ?? Number.NEGATIVE_INFINITY;
  }

  /** Share of them below a value, 0 to 1. */
  rank(value: number): number {
    return this.#below(value) / Math.max(1, this.#sorted.length);
  }

  #below(value: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface GatedSentence {
  /** Whether it is among the share that is stored. */
  readonly passes: boolean;
  /** The same for a sentence that asks. */
  readonly passesAsking: boolean;
  /** Larger is better; comparable within a conversation. */
  readonly score: number;
  /** Share of the sentences so far that score less, 0 to 1. */
  readonly rank: number;
}

/** Streams over one conversation from its start, or from a turn of it. */
export class GateStream {
  readonly #history: GateHistory;
  readonly #normal: RunningNormal;
  readonly #weights: Float64Array;
  readonly #ranking: Ranking;
  readonly #leastSure: number;
  readonly #row = new Float64Array(GATE_FEATURES.length);
  readonly #names = new Set<string>();
  #sentences = 0;

  /** @param scorer of the context window, for the same profile; without one every turn scores alike */
  constructor(
    readonly profile: GateProfile,
    scorer?: TurnScorer,
    private readonly weights: GateWeights = GATE_DATA,
  ) {
    const of = (pick: "mean" | "deviation" | "weight"): Float64Array =>
      Float64Array.from(LEARNED, (name) => weights.features[name][pick]);
    this.#history = new GateHistory(scorer);
    this.#normal = new RunningNormal(of("mean"), of("deviation"));
    this.#weights = of("weight");
    this.#ranking = new Ranking(weights.quantiles);
    this.#leastSure = this.#ranking.least(SURE);
  }

  /** Takes the next turn in, a person's or the assistant's.
   * @param sentences of the turn
   * @returns one judgement a sentence of a person; none of an assistant's */
  push(turn: HeardTurn, sentences: readonly string[]): GatedSentence[] {
    for (const word of turn.name?.toLowerCase().split(/\s+/u) ?? []) this.#names.add(word);
    const place = this.#history.enter(turn);
    const scores: number[] = [];
    const sure: boolean[] = [];
    if (turn.role === "user")
      sentences.forEach((sentence, position) => {
        sentenceFeatures(sentence, { ...place, position, count: sentences.length }, this.#history.heard, this.#row);
        const score = this.#score();
        scores.push(score);
        sure.push(this.#usualScore() >= this.#leastSure);
        const verdict = judgeSentence(sentence, turn.role, this.#names);
        this.#ranking.add(verdict === "keep" || verdict === "question" ? score : Number.NEGATIVE_INFINITY);
      });
    this.#history.leave(turn);
    this.#sentences += scores.length;
    const share = STORED_SHARE[this.profile];
    const free = Math.max(0, 1 - this.#sentences / FREE_SENTENCES);
    const least = free === 1 ? Number.NEGATIVE_INFINITY : this.#ranking.least(share + (1 - share) * free);
    const leastAsking = this.#ranking.least(share * ASKING);
    return scores.map((score, at) => ({
      score,
      passes: score >= least || sure[at] === true,
      passesAsking: score >= leastAsking,
      rank: this.#ranking.rank(score),
    }));
  }

  /** The score by what is usual in any conversation. */
  #usualScore(): number {
    return LEARNED.reduce((sum, name, k) => {
      const { mean, deviation, weight } = this.weights.features[name];
      const value = ((this.#row[COLUMNS[k] as number] as number) - mean) / deviation;
      return sum + weight * Math.max(-CLIP, Math.min(CLIP, value));
    }, 0);
  }

  #score(): number {
    this.#normal.learn((k) => this.#row[COLUMNS[k] as number] as number);
    let score = this.profile === "people" ? this.weights.answers * (this.#row[ANSWERS] as number) : 0;
    for (let k = 0; k < COLUMNS.length; k++) {
      const value = this.#normal.normal(k, this.#row[COLUMNS[k] as number] as number);
      score += (this.#weights[k] as number) * Math.max(-CLIP, Math.min(CLIP, value));
    }
    return score;
  }
}

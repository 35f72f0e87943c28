/** Labels from a system's own log: which units its answers, or an agent's later steps, turned out to rest on. */

import { FLAG, flagsOf, lightStem } from "./lexicon.js";
import { scan } from "./scan.js";

/** A question that was answered: all that the log must hold. */
export interface Answered {
  readonly question: string;
  /** The system's own answer. */
  readonly answer: string;
  /** Where question and answer are part of the log: the question's position. Only units before it can have been the answer's
   * ground, and only by what the answer tells beyond the question. */
  readonly before?: number;
}

export interface CreditOptions {
  /** "soft" (default): one unit of credit a question, shared; "overlap": the paper's label, ≥ 40% of the answer's tokens. */
  readonly label?: "soft" | "overlap";
  /** Share of the answer's content, weighted by idf, that a unit must hold to earn credit: .1; for "overlap", which does not weigh,
   * the paper's .4. Measured on LoCoMo (AUC): .1 gives .846, .25 .839, .4 .835. */
  readonly coverage?: number;
  /** Credit goes by softmax(BM25/temperature); 4. */
  readonly temperature?: number;
  /** At most so many units share the credit of a question; 10. */
  readonly top?: number;
}

/** Content stems of a text, in order, repeats kept. */
export function contentStems(text: string): string[] {
  const stems: string[] = [];
  scan(text, {
    word(spelling) {
      const lower = spelling.toLowerCase().replaceAll("’", "'");
      if ((flagsOf(lower) & FLAG.stop) === 0) stems.push(lightStem(lower));
    },
    sentenceEnd: () => undefined,
  });
  return stems;
}

/** What an answer inside the log must tell beyond its question to be evidence, in content stems. */
const MIN_TOLD = 2;

const K1 = 1.2;
const B = 0.75;
/** Credit that certain evidence hands on: a label below 1, so that no unit is ever beyond doubt. */
const CERTAIN = 0.95;

/** Term counts of a log's units, built once for many questions. */
export class CreditLog {
  private readonly counts: Map<string, number>[] = [];
  private readonly lengths: number[] = [];
  private readonly frequency = new Map<string, number>();
  private readonly postings = new Map<string, number[]>();
  private total = 0;

  add(text: string): void {
    const stems = contentStems(text);
    const counts = new Map<string, number>();
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    for (const stem of counts.keys()) {
      this.frequency.set(stem, (this.frequency.get(stem) ?? 0) + 1);
      const posting = this.postings.get(stem);
      if (posting) posting.push(this.counts.length);
      else this.postings.set(stem, [this.counts.length]);
    }
    this.counts.push(counts);
    this.lengths.push(stems.length);
    this.total += stems.length;
  }

  get size(): number {
    return this.counts.length;
  }

  /** A label in [0, 1] a unit. Questions whose answer no unit covers hand out nothing.
   * @returns labels, and how many questions handed out credit: the evidence behind them */
  labels(answered: readonly Answered[], options: CreditOptions = {}): { labels: Float32Array; evidence: number } {
    const { label = "soft", temperature = 4, top = 10 } = options;
    const coverage = options.coverage ?? (label === "soft" ? 0.1 : 0.4);
    const doubt = new Float64Array(this.size).fill(1);
    let evidence = 0;
    for (const { question, answer, before } of answered) {
      const asked = new Set(before === undefined ? [] : contentStems(question));
      const answerStems = [...new Set(contentStems(answer))].filter((stem) => !asked.has(stem));
      if (answerStems.length < (before === undefined ? 1 : MIN_TOLD)) continue;
      const all = label === "overlap" ? this.overlapping(answerStems, coverage) : this.covering(answerStems, coverage);
      const covering = all.filter((at) => at < (before ?? this.size));
      if (covering.length === 0) continue;
      evidence++;
      if (label === "overlap") {
        for (const at of covering) doubt[at] = 0;
        continue;
      }
      const query = [...new Set([...contentStems(question), ...answerStems])];
      const ranked = covering
        .map((at) => ({ at, score: this.score(at, query) }))
        .sort((a, b) => b.score - a.score || a.at - b.at)
        .slice(0, top);
      const best = ranked[0]?.score ?? 0;
      const shares = ranked.map(({ score }) => Math.exp((score - best) / temperature));
      const sum = shares.reduce((total, share) => total + share, 0);
      ranked.forEach(({ at }, i) => {
        doubt[at] = (doubt[at] as number) * (1 - (CERTAIN * (shares[i] as number)) / sum);
      });
    }
    return { labels: Float32Array.from(doubt, (value) => 1 - value), evidence };
  }

  private idf(stem: string): number {
    return Math.log(1 + this.size / ((this.frequency.get(stem) ?? 0) + 0.5));
  }

  private candidates(stems: readonly string[]): number[] {
    const found = new Set<number>();
    for (const stem of stems) for (const at of this.postings.get(stem) ?? []) found.add(at);
    return [...found].sort((a, b) => a - b);
  }

  private covering(answer: readonly string[], coverage: number): number[] {
    const whole = answer.reduce((sum, stem) => sum + this.idf(stem), 0);
    return this.candidates(answer).filter((at) => {
      let held = 0;
      for (const stem of answer) if (this.counts[at]?.has(stem)) held += this.idf(stem);
      return held / whole >= coverage;
    });
  }

  private overlapping(answer: readonly string[], coverage: number): number[] {
    return this.candidates(answer).filter(
      (at) => answer.filter((stem) => this.counts[at]?.has(stem)).length / answer.length >= coverage,
    );
  }

  private score(at: number, query: readonly string[]): number {
    const mean = this.total / Math.max(1, this.size);
    let score = 0;
    for (const stem of query) {
      const count = this.counts[at]?.get(stem) ?? 0;
      if (count > 0)
        score += (this.idf(stem) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * (this.lengths[at] as number)) / mean));
    }
    return score;
  }
}

/** Agents: 1 where a unit introduced an identifier that at least `uses` later units hold again; 3 (the paper).
 * @param identifiers of each unit, references only */
export function reuseLabels(identifiers: readonly (readonly string[])[], uses = 3): { labels: Float32Array; evidence: number } {
  const first = new Map<string, number>();
  const later = new Map<string, number>();
  identifiers.forEach((values, at) => {
    for (const value of new Set(values)) {
      if (first.has(value)) later.set(value, (later.get(value) ?? 0) + 1);
      else first.set(value, at);
    }
  });
  const labels = new Float32Array(identifiers.length);
  for (const [value, count] of later) if (count >= uses) labels[first.get(value) as number] = 1;
  return { labels, evidence: labels.reduce((sum, label) => sum + label, 0) };
}

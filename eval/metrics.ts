/** Judge-free retrieval metrics and their bootstrap intervals. */

/** Metrics of one question, given the ids in the order they were recalled. */
export interface RankMetrics {
  readonly "recall@5": number;
  readonly "recall@10": number;
  /** 1 when every evidence turn is among the first ten. */
  readonly "all@10": number;
  readonly "ndcg@10": number;
  /** Reciprocal rank of the first evidence among the first fifty. */
  readonly mrr: number;
}

/** @param ranked for each place, the ids of the turns that the item there stands on
 * @param evidence ids that hold the answer, one or more */
export function rankMetrics(ranked: readonly (readonly string[])[], evidence: readonly string[]): RankMetrics {
  const wanted = new Set(evidence);
  const seen = new Set<string>();
  /** Evidence turns that place i is the first to bring. */
  const gains = ranked.slice(0, 50).map((ids) => {
    const fresh = ids.filter((id) => wanted.has(id) && !seen.has(id));
    for (const id of fresh) seen.add(id);
    return fresh.length;
  });
  const found = (k: number): number => gains.slice(0, k).reduce((sum, gain) => sum + gain, 0);
  const discount = (place: number): number => 1 / Math.log2(place + 2);
  const ideal = Array.from({ length: Math.min(10, wanted.size) }, (_, place) => discount(place)).reduce((a, b) => a + b, 0);
  const first = gains.findIndex((gain) => gain > 0);
  return {
    "recall@5": found(5) / wanted.size,
    "recall@10": found(10) / wanted.size,
    "all@10": found(10) === wanted.size ? 1 : 0,
    "ndcg@10": gains.slice(0, 10).reduce((sum, gain, place) => sum + Math.min(1, gain) * discount(place), 0) / ideal,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The value below which a share of the values lies. @param share 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** A small seeded generator (mulberry32), so that intervals are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** 95% percentile bootstrap interval of the mean, over questions. */
export function bootstrapInterval(values: readonly number[], seed: number, rounds = 1_000): readonly [number, number] {
  const random = seededRandom(seed);
  const means = Array.from({ length: rounds }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / Math.max(1, values.length);
  });
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

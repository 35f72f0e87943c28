/** Times calls in interleaved rounds, so that a slow moment of the machine meets every candidate alike. */

export interface Timed {
  readonly name: string;
  /** Samples of one round. */
  readonly samples: number;
  /** Calls of one sample, so that a sample is well above the clock's grain (5 µs where isolated). Default 1. */
  readonly batch?: number;
  /** @param i counts the calls of a round from 0 */
  readonly run: (i: number) => void;
}

/** @param rounds how often each candidate has its turn, the first turn apart, which warms it up
 * @returns for each name, milliseconds a call: the median over all samples. Samples are short, so the median is that
 * of undisturbed calls even when other programs take turns on the processor. */
export function timeInRounds(candidates: readonly Timed[], rounds: number): Record<string, number> {
  const seen = new Map(candidates.map(({ name }) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, samples, batch = 1, run } of candidates) {
      for (let sample = 0; sample < samples; sample++) {
        const start = performance.now();
        for (let i = 0; i < batch; i++) run(sample * batch + i);
        if (round >= 0) seen.get(name)?.push((performance.now() - start) / batch);
      }
    }
  }
  return Object.fromEntries([...seen].map(([name, values]) => [name, median(values)]));
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

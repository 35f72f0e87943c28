/** The running mean and deviation of features in one history, seeded with those of the training data. */

/** Pseudo-count of the seed: it fades after some thirty units. */
const SEED_COUNT = 30;

/** Brings histories of different kinds to one scale without labels and without looking ahead. */
export class RunningNormal {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  private count = SEED_COUNT;

  constructor(mean: Float64Array, deviation: Float64Array) {
    this.mean = Float64Array.from(mean);
    this.variance = Float64Array.from(deviation, (value) => value * value);
  }

  /** Takes a unit in, before it is normalised itself. @param valueOf of the feature at a position */
  learn(valueOf: (position: number) => number): void {
    this.count++;
    for (let k = 0; k < this.mean.length; k++) {
      const value = valueOf(k);
      const gap = value - (this.mean[k] as number);
      const mean = (this.mean[k] as number) + gap / this.count;
      this.mean[k] = mean;
      this.variance[k] = (this.variance[k] as number) + (gap * (value - mean) - (this.variance[k] as number)) / this.count;
    }
  }

  normal(position: number, value: number): number {
    return (value - (this.mean[position] as number)) / Math.sqrt(Math.max(1e-9, this.variance[position] as number));
  }
}

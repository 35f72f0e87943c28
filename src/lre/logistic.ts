/** Fits an L2-regularised logistic regression over dense columns and hashed words, by L-BFGS; deterministic. */

/** Rows to learn from: `dense` is flat, `rows * columns`; row i has the buckets `buckets[starts[i] .. starts[i + 1]]`. */
export interface TrainingRows {
  readonly rows: number;
  readonly columns: number;
  readonly dense: Float32Array;
  readonly starts?: Uint32Array;
  readonly buckets?: Uint16Array;
}

export interface FitOptions {
  /** 0 to 1 a row; soft labels are welcome. */
  readonly labels: ArrayLike<number>;
  /** Weight of a row; 1 by default. */
  readonly weights?: ArrayLike<number>;
  /** Rows to use; all by default. */
  readonly subset?: ArrayLike<number>;
  /** Columns to use; all by default. */
  readonly use?: readonly number[];
  /** 0 to leave hashed words out. */
  readonly bucketCount?: number;
  /** L2 on dense weights, in standardised units; 20 (LRE recipe). */
  readonly l2?: number;
  /** L2 on bucket weights; 4 (LRE recipe). */
  readonly bucketL2?: number;
  /** L-BFGS steps at most; 40. */
  readonly steps?: number;
  /** Standardise with these instead of the rows' own mean and deviation. */
  readonly scale?: { readonly mean: Float64Array; readonly deviation: Float64Array };
  /** Gaussian prior from earlier evidence: centre and precision a weight, in the order dense, buckets, bias. */
  readonly prior?: { readonly centre: Float64Array; readonly precision: Float64Array };
}

/** Weights in standardised units: z = bias + Σ w·clip((x − mean)/deviation, ±4) + Σ bucket weights / √(buckets of the row). */
export interface Logistic {
  readonly columns: readonly number[];
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly weights: Float64Array;
  readonly buckets: Float64Array;
  readonly bias: number;
}

/** A standardised value beyond this says no more; it also bounds what one odd unit can do to a weight. */
export const CLIP = 4;
const clip = (value: number): number => (value > CLIP ? CLIP : value < -CLIP ? -CLIP : value);

export const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));

/** Loss at x; fills its gradient. */
type Problem = (x: Float64Array, gradient: Float64Array) => number;

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};

/** Minimises a smooth convex function. @returns the last accepted point */
export function minimise(problem: Problem, start: Float64Array, steps: number, memory = 8): Float64Array {
  const size = start.length;
  let x = Float64Array.from(start);
  let gradient = new Float64Array(size);
  let next = new Float64Array(size);
  let nextGradient = new Float64Array(size);
  const pairs: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  let loss = problem(x, gradient);
  for (let step = 0; step < steps; step++) {
    const direction = Float64Array.from(gradient);
    const alphas: number[] = [];
    for (let k = pairs.length - 1; k >= 0; k--) {
      const { s, y, rho } = pairs[k] as (typeof pairs)[number];
      const alpha = rho * dot(s, direction);
      alphas[k] = alpha;
      for (let i = 0; i < size; i++) direction[i] = (direction[i] as number) - alpha * (y[i] as number);
    }
    const last = pairs.at(-1);
    const norm = Math.sqrt(dot(gradient, gradient));
    if (norm === 0) break;
    const scale = last ? 1 / (last.rho * dot(last.y, last.y)) : 1 / norm;
    for (let i = 0; i < size; i++) direction[i] = (direction[i] as number) * scale;
    pairs.forEach(({ s, y, rho }, k) => {
      const beta = (alphas[k] as number) - rho * dot(y, direction);
      for (let i = 0; i < size; i++) direction[i] = (direction[i] as number) + beta * (s[i] as number);
    });
    const slope = -dot(gradient, direction);
    let rate = 1;
    let reached = Number.POSITIVE_INFINITY;
    for (let trial = 0; trial < 20; trial++, rate /= 2) {
      for (let i = 0; i < size; i++) next[i] = (x[i] as number) - rate * (direction[i] as number);
      reached = problem(next, nextGradient);
      if (reached <= loss + 1e-4 * rate * slope) break;
    }
    if (!(reached < loss)) break;
    const s = Float64Array.from(next, (value, i) => value - (x[i] as number));
    const y = Float64Array.from(nextGradient, (value, i) => value - (gradient[i] as number));
    const curvature = dot(s, y);
    if (curvature > 1e-10) pairs.push({ s, y, rho: 1 / curvature });
    if (pairs.length > memory) pairs.shift();
    const gain = loss - reached;
    [x, next] = [next, x];
    [gradient, nextGradient] = [nextGradient, gradient];
    loss = reached;
    if (gain < 1e-6 * Math.abs(loss)) break;
  }
  return x;
}

/** Mean and deviation of columns over rows; a constant column gets deviation 1. */
export function standardisation(
  data: TrainingRows,
  subset: ArrayLike<number>,
  use: readonly number[],
): { mean: Float64Array; deviation: Float64Array } {
  const mean = new Float64Array(use.length);
  const deviation = new Float64Array(use.length);
  const count = Math.max(1, subset.length);
  for (let i = 0; i < subset.length; i++) {
    const base = (subset[i] as number) * data.columns;
    for (let k = 0; k < use.length; k++)
      mean[k] = (mean[k] as number) + (data.dense[base + (use[k] as number)] as number) / count;
  }
  for (let i = 0; i < subset.length; i++) {
    const base = (subset[i] as number) * data.columns;
    for (let k = 0; k < use.length; k++) {
      const gap = (data.dense[base + (use[k] as number)] as number) - (mean[k] as number);
      deviation[k] = (deviation[k] as number) + (gap * gap) / count;
    }
  }
  for (let k = 0; k < use.length; k++)
    deviation[k] = Math.sqrt(deviation[k] as number) > 1e-9 ? Math.sqrt(deviation[k] as number) : 1;
  return { mean, deviation };
}

/** @throws RangeError when labels are of one class: there is nothing to tell apart (callers keep what they had) */
export function fitLogistic(data: TrainingRows, options: FitOptions): Logistic {
  const subset = options.subset ?? Uint32Array.from({ length: data.rows }, (_, i) => i);
  const use = options.use ?? Array.from({ length: data.columns }, (_, k) => k);
  const buckets = data.starts && data.buckets ? (options.bucketCount ?? 0) : 0;
  const { labels, weights, prior, l2 = 20, bucketL2 = 4, steps = 40 } = options;
  const rows = subset.length;
  const width = use.length;
  const size = width + buckets + 1;
  let low = 1;
  let high = 0;
  for (let i = 0; i < rows; i++) {
    low = Math.min(low, labels[subset[i] as number] as number);
    high = Math.max(high, labels[subset[i] as number] as number);
  }
  if (!(high > low)) throw new RangeError(`all ${rows} labels are ${rows === 0 ? "absent" : low}: nothing to learn from`);

  const scale = options.scale ?? standardisation(data, subset, use);
  const standard = new Float32Array(rows * width);
  for (let i = 0; i < rows; i++) {
    const base = (subset[i] as number) * data.columns;
    for (let k = 0; k < width; k++) {
      standard[i * width + k] = clip(
        ((data.dense[base + (use[k] as number)] as number) - (scale.mean[k] as number)) / (scale.deviation[k] as number),
      );
    }
  }
  const penalty = new Float64Array(size).fill(l2, 0, width).fill(bucketL2, width, width + buckets);
  if (prior) for (let k = 0; k < size; k++) penalty[k] = (penalty[k] as number) + (prior.precision[k] as number);
  const centre = new Float64Array(size);
  // Penalty toward 0 and precision toward the earlier centre are one Gaussian.
  if (prior)
    for (let k = 0; k < size; k++)
      centre[k] =
        (penalty[k] as number) > 0 ? ((prior.precision[k] as number) * (prior.centre[k] as number)) / (penalty[k] as number) : 0;

  const problem: Problem = (x, gradient) => {
    let loss = 0;
    gradient.fill(0);
    const bias = x[size - 1] as number;
    for (let i = 0; i < rows; i++) {
      const row = subset[i] as number;
      const offset = i * width;
      let z = bias;
      for (let k = 0; k < width; k++) z += (x[k] as number) * (standard[offset + k] as number);
      const from = buckets > 0 ? (data.starts?.[row] ?? 0) : 0;
      const to = buckets > 0 ? (data.starts?.[row + 1] ?? 0) : 0;
      const unit = to > from ? 1 / Math.sqrt(to - from) : 0;
      let words = 0;
      for (let j = from; j < to; j++) words += x[width + (data.buckets?.[j] as number)] as number;
      z += words * unit;
      const weight = weights ? (weights[row] as number) : 1;
      const label = labels[row] as number;
      loss += weight * ((z > 30 ? z : Math.log1p(Math.exp(z))) - label * z);
      const error = weight * (sigmoid(z) - label);
      for (let k = 0; k < width; k++) gradient[k] = (gradient[k] as number) + error * (standard[offset + k] as number);
      for (let j = from; j < to; j++) {
        const at = width + (data.buckets?.[j] as number);
        gradient[at] = (gradient[at] as number) + error * unit;
      }
      gradient[size - 1] = (gradient[size - 1] as number) + error;
    }
    for (let k = 0; k < size; k++) {
      const gap = (x[k] as number) - (centre[k] as number);
      loss += 0.5 * (penalty[k] as number) * gap * gap;
      gradient[k] = (gradient[k] as number) + (penalty[k] as number) * gap;
    }
    return loss;
  };
  const found = minimise(problem, centre, steps);
  return {
    columns: use,
    mean: scale.mean,
    deviation: scale.deviation,
    weights: found.slice(0, width),
    buckets: found.slice(width, width + buckets),
    bias: found[size - 1] as number,
  };
}

/** z of one row; `dense` is the extractor's whole row. */
export function logit(
  model: Logistic,
  dense: ArrayLike<number>,
  offset: number,
  buckets?: ArrayLike<number>,
  from = 0,
  to = 0,
): number {
  let z = model.bias;
  for (let k = 0; k < model.columns.length; k++) {
    z +=
      (model.weights[k] as number) *
      clip(
        ((dense[offset + (model.columns[k] as number)] as number) - (model.mean[k] as number)) / (model.deviation[k] as number),
      );
  }
  if (model.buckets.length > 0 && buckets && to > from) {
    let words = 0;
    for (let j = from; j < to; j++) words += model.buckets[buckets[j] as number] as number;
    z += words / Math.sqrt(to - from);
  }
  return z;
}

/** Collects the rows of streams for training, and turns what was fitted into a part of a model. */

import type { Extractor } from "./extractor.js";
import { type Logistic, logit, type TrainingRows } from "./logistic.js";
import type { ModelPart } from "./model.js";

/** Grows by doubling; rows of one width. */
export class RowStore {
  private dense: Float32Array;
  private buckets = new Uint16Array(1_024);
  private starts = new Uint32Array(65);
  private bucketCount = 0;
  rows = 0;

  constructor(readonly columns: number) {
    this.dense = new Float32Array(64 * columns);
  }

  /** @returns the row's number */
  add(dense: ArrayLike<number>, buckets: Int32Array, bucketCount: number): number {
    if ((this.rows + 1) * this.columns > this.dense.length) {
      const wider = new Float32Array(this.dense.length * 2);
      wider.set(this.dense);
      this.dense = wider;
    }
    if (this.rows + 2 > this.starts.length) {
      const longer = new Uint32Array(this.starts.length * 2);
      longer.set(this.starts);
      this.starts = longer;
    }
    while (this.bucketCount + bucketCount > this.buckets.length) {
      const longer = new Uint16Array(this.buckets.length * 2);
      longer.set(this.buckets);
      this.buckets = longer;
    }
    this.dense.set(dense, this.rows * this.columns);
    for (let i = 0; i < bucketCount; i++) this.buckets[this.bucketCount++] = buckets[i] as number;
    this.rows++;
    this.starts[this.rows] = this.bucketCount;
    return this.rows - 1;
  }

  addFrom({ dense, buckets, bucketCount }: Extractor): number {
    return this.add(dense, buckets, bucketCount);
  }

  /** Replaces columns from `first` on: what a revision found. */
  revise(row: number, first: number, values: ArrayLike<number>): void {
    this.dense.set(values, row * this.columns + first);
  }

  get data(): Required<TrainingRows> {
    return { rows: this.rows, columns: this.columns, dense: this.dense, starts: this.starts, buckets: this.buckets };
  }
}

/** z of rows under what was fitted. */
export function logitsOf(fitted: Logistic, data: Required<TrainingRows>, subset: ArrayLike<number>): Float64Array {
  return Float64Array.from(subset, (row) =>
    logit(fitted, data.dense, row * data.columns, data.buckets, data.starts[row] ?? 0, data.starts[row + 1] ?? 0),
  );
}

/** Standard deviation; 1 for values that are all equal. */
export function deviationOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return variance > 1e-12 ? Math.sqrt(variance) : 1;
}

/** @param names of all columns that the rows have */
export function toPart(fitted: Logistic, names: readonly string[], role: string, spread: number): ModelPart {
  return {
    role,
    features: fitted.columns.map((column) => names[column] ?? ""),
    normal: "fixed",
    mean: fitted.mean,
    deviation: fitted.deviation,
    weights: fitted.weights,
    buckets: fitted.buckets,
    bias: fitted.bias,
    spread,
  };
}

/** The dense figures of the bench: our scan, hnswlib-wasm beside it in the same run, and filters, in a Chromium worker. */

import { runInChromium } from "./browser.js";

export interface VectorBench {
  readonly figures: Readonly<Record<string, number>>;
  readonly browser: string;
}

export interface VectorBenchOptions {
  /** Default 10,000. */
  readonly entries?: number;
  /** Default 384. */
  readonly dimension?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Figures (milliseconds a query): `coarse.ms`, `coarse.ms.hnsw` (ef 50), `coarse.recall@20` against a float64 scan,
 * `filter.ms`, `filter.ms.hnsw` (its callback), `filter.share`; beside them `coarse.ms.js`, `coarse.recall@20.hnsw`,
 * `coarse.build.ms`, `coarse.build.ms.hnsw` and `scoreAll.ms.64d | .384d` (entries of 2.5 rows). About a minute. */
export async function benchVectors({
  entries = 10_000,
  dimension = 384,
  seed = 1,
}: VectorBenchOptions = {}): Promise<VectorBench> {
  const { value, browser } = await runInChromium("bench/vector.worker.ts", { input: { entries, dimension, seed } });
  return { figures: value as Record<string, number>, browser };
}

/** What a flat index asks of a scan over its rows, in WASM or in plain JS. */

import type { Mask, VectorHit, VectorScores } from "../ports.js";
import type { GrowingMemory } from "./layout.js";
import type { RowRange, RowTable } from "./row-table.js";

/** A way of scoring the rows of one table; queries and `k` have been checked. */
export interface Scan {
  readonly kind: "flat-wasm" | "flat-js";
  readonly table: RowTable<GrowingMemory>;
  /** Told of every row that was written, before the next scan. */
  written(range: RowRange): void;
  /** Exactly the `k` best allowed slots, best first, ties by slot; scores are float64 dot products of the f32 rows. */
  search(query: Float32Array, k: number, mask?: Mask): VectorHit[];
  scoreAll(query: Float32Array, mask?: Mask): VectorScores;
}

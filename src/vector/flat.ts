/** Exact nearest neighbours by a full scan; the oracle for HnswIndex. */

import { MemoryError } from "../errors.js";
import type { Mask, VectorHit, VectorIndex, VectorScores } from "../ports.js";
import { checkCount, checkDimension, checkQuery, checkRows, checkSlot } from "./door.js";
import type { Kernel } from "./kernel.js";
import type { Scan } from "./scan.js";
import { JsScan } from "./scan-js.js";
import { KernelScan } from "./scan-wasm.js";

export interface FlatIndexOptions {
  /** Components of a vector, 1 to 16,384. */
  readonly dimension: number;
  /** From `openKernel` or `loadKernel`; without one, plain JS scans. */
  readonly kernel?: Kernel | undefined;
}

/** Scans every allowed row. `search` returns exactly what a float64 scan would, ties by slot, with or without a kernel.
 *
 * `scoreAll` is exact to 32-bit rounding up to 2^21 components (all rows × dimension); above, with a kernel, the 64 best
 * entries are, and the others carry the error of int8 codes (measured on unit 384-d rows: .0005 on average, always
 * below .01). Slots are integers of 0 to 2^24; memory grows with the largest one. */
export class FlatIndex implements VectorIndex {
  readonly dimension: number;
  readonly #scan: Scan;
  #isClosed = false;

  /** @throws RangeError for a dimension outside its range */
  constructor(options: FlatIndexOptions) {
    checkDimension(options.dimension);
    this.dimension = options.dimension;
    this.#scan = options.kernel === undefined ? new JsScan(options.dimension) : new KernelScan(options.dimension, options.kernel);
  }

  get kind(): "flat-wasm" | "flat-js" {
    return this.#scan.kind;
  }

  get size(): number {
    return this.#scan.table.size;
  }

  /** Slots that hold an entry. */
  get slots(): number {
    return this.#scan.table.slots;
  }

  /** @throws RangeError for a slot outside its range, TypeError for rows of another type,
   * MemoryError "dimension-mismatch" | "invalid-vector" | "too-large" | "closed"; nothing is changed then */
  add(slot: number, rows: Float32Array): void {
    this.#checkOpen();
    checkSlot(slot);
    checkRows(rows, this.dimension);
    this.#scan.written(this.#scan.table.set(slot, rows));
    this.#scan.table.tidy();
  }

  /** Wipes the slot's rows from memory; an empty slot is left as it is. */
  remove(slot: number): void {
    this.#checkOpen();
    checkSlot(slot);
    if (this.#scan.table.free(slot)) this.#scan.table.tidy();
  }

  /** @param query any finite vector of length `dimension`; it need not be of unit norm */
  search(query: Float32Array, k: number, mask?: Mask): VectorHit[] {
    this.#checkOpen();
    checkCount(k);
    checkQuery(query, this.dimension);
    return this.#scan.search(query, k, mask);
  }

  /** Both arrays are as long as the largest slot that was used, plus 1. */
  scoreAll(query: Float32Array, mask?: Mask): VectorScores {
    this.#checkOpen();
    checkQuery(query, this.dimension);
    return this.#scan.scoreAll(query, mask);
  }

  /** A copy of a slot's rows, flat; undefined for an empty slot. */
  rowsOf(slot: number): Float32Array | undefined {
    this.#checkOpen();
    checkSlot(slot);
    return this.#scan.table.rowsOf(slot);
  }

  /** Slots that hold an entry, ascending. */
  usedSlots(): number[] {
    this.#checkOpen();
    return [...this.#scan.table.usedSlots()];
  }

  clear(): void {
    this.#checkOpen();
    this.#scan.table.clear();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#scan.table.clear();
    this.#isClosed = true;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new MemoryError("closed", "this vector index was closed");
  }
}

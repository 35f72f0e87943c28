/** The scan in the WASM kernel: int8 bounds first, then exact scores for whatever they cannot rule out. */

import type { Mask, VectorHit, VectorScores } from "../ports.js";
import type { Kernel, KernelExports } from "./kernel.js";
import type { GrowingMemory, Region } from "./layout.js";
import { type RowRange, RowTable } from "./row-table.js";
import type { Scan } from "./scan.js";

const PAGE_BYTES = 65_536;

/** Up to this many components `scoreAll` reads the f32 rows (2^21: under half a millisecond); beyond, their int8 codes,
 * since 25,000 × 384 f32 components are 38 MB, more than caches hold (3.3 ms against 0.6 ms). */
const F32_COMPONENTS = 2 ** 21;

/** How many leading entries `scoreAll` scores exactly when it reads codes: more than any candidate pool needs. */
const EXACT_LEAD = 64;

class KernelMemory implements GrowingMemory {
  constructor(readonly exports: KernelExports) {}

  get buffer(): ArrayBuffer {
    return this.exports.memory.buffer as ArrayBuffer;
  }

  grow(sizeBytes: number): void {
    const missing = sizeBytes - this.buffer.byteLength;
    if (missing > 0) this.exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
  }
}

export class KernelScan implements Scan {
  readonly kind = "flat-wasm";
  readonly table: RowTable<KernelMemory>;

  constructor(dimension: number, kernel: Kernel) {
    this.table = new RowTable(dimension, () => new KernelMemory(kernel.instantiate()), true);
  }

  written({ first, count }: RowRange): void {
    for (let row = first; row < first + count; row++) this.table.memory.exports.quantise(row);
  }

  search(query: Float32Array, k: number, mask?: Mask): VectorHit[] {
    const wanted = Math.min(k, this.table.slots);
    if (wanted === 0) return [];
    const { end, masked } = this.#pose(query, mask);
    const found = this.table.memory.exports.search(wanted, end, masked);
    const at = this.#address("hits");
    const scores = new Float64Array(this.table.memory.buffer, at, 2 * found);
    const slots = new Uint32Array(this.table.memory.buffer, at, 4 * found);
    const hits: VectorHit[] = [];
    for (let i = 0; i < found; i++) hits.push({ slot: slots[4 * i + 2] as number, score: scores[2 * i] as number });
    return hits;
  }

  scoreAll(query: Float32Array, mask?: Mask): VectorScores {
    const { end, masked } = this.#pose(query, mask);
    const { exports } = this.table.memory;
    if (this.table.size * this.table.stride <= F32_COMPONENTS) exports.scoreAll(end, masked);
    else exports.scoreAllQuantised(EXACT_LEAD, end, masked);
    return { whole: this.#scores("whole"), best: this.#scores("best") };
  }

  /** Writes the query and the mask to where the kernel reads them. */
  #pose(query: Float32Array, mask: Mask | undefined): { readonly end: number; readonly masked: 0 | 1 } {
    const { buffer } = this.table.memory;
    const target = new Float32Array(buffer, this.#address("query"), this.table.stride);
    target.set(query);
    target.fill(0, query.length);
    if (mask === undefined) return { end: this.table.slotEnd, masked: 0 };
    const end = Math.min(mask.length, this.table.slotEnd);
    new Uint8Array(buffer, this.#address("mask"), end).set(mask.subarray(0, end));
    return { end, masked: 1 };
  }

  #scores(region: "whole" | "best"): Float32Array {
    return new Float32Array(this.table.memory.buffer, this.#address(region), this.table.slotEnd).slice();
  }

  #address(region: Region): number {
    return this.table.layout.address(region);
  }
}

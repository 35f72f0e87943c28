/** The scan in plain JS, for platforms or policies without WASM SIMD. */

import type { Mask, VectorHit, VectorScores } from "../ports.js";
import { BestHits } from "./best.js";
import type { GrowingMemory } from "./layout.js";
import { RowTable } from "./row-table.js";
import type { Scan } from "./scan.js";

class PlainMemory implements GrowingMemory {
  buffer = new ArrayBuffer(0);

  grow(sizeBytes: number): void {
    if (sizeBytes <= this.buffer.byteLength) return;
    const larger = new ArrayBuffer(sizeBytes);
    new Uint8Array(larger).set(new Uint8Array(this.buffer));
    this.buffer = larger;
  }
}

export class JsScan implements Scan {
  readonly kind = "flat-js";
  readonly table: RowTable<GrowingMemory>;

  constructor(dimension: number) {
    this.table = new RowTable(dimension, () => new PlainMemory(), false);
  }

  /** Rows are read as they are. */
  written(): void {
    // Nothing is derived from rows here.
  }

  search(query: Float32Array, k: number, mask?: Mask): VectorHit[] {
    const best = new BestHits(k);
    this.#score(query, mask, (slot, _whole, score) => best.offer(slot, score));
    return best.hits();
  }

  scoreAll(query: Float32Array, mask?: Mask): VectorScores {
    const whole = new Float32Array(this.table.slotEnd).fill(-Infinity);
    const best = new Float32Array(this.table.slotEnd).fill(-Infinity);
    this.#score(query, mask, (slot, own, score) => {
      whole[slot] = own;
      best[slot] = score;
    });
    return { whole, best };
  }

  #score(query: Float32Array, mask: Mask | undefined, visit: (slot: number, whole: number, best: number) => void): void {
    const { memory, layout, stride } = this.table;
    const ranges = new Uint32Array(memory.buffer, layout.address("ranges"));
    const rows = new Float32Array(memory.buffer, layout.address("rows"));
    // Padded like the rows, so that the loop below needs no tail.
    const padded = new Float32Array(stride);
    padded.set(query);
    const end = mask === undefined ? this.table.slotEnd : Math.min(mask.length, this.table.slotEnd);
    for (let slot = 0; slot < end; slot++) {
      if (mask !== undefined && mask[slot] === 0) continue;
      const first = ranges[2 * slot] as number;
      const count = ranges[2 * slot + 1] as number;
      if (count === 0) continue;
      const whole = dot(padded, rows, first * stride);
      let best = whole;
      for (let row = first + 1; row < first + count; row++) best = Math.max(best, dot(padded, rows, row * stride));
      visit(slot, whole, best);
    }
  }
}

/** Float64 dot product; four partial sums in the order of the kernel's lanes, so that both give the same bits. */
function dot(query: Float32Array, rows: Float32Array, at: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < query.length; i += 4) {
    a += (query[i] as number) * (rows[at + i] as number);
    b += (query[i + 1] as number) * (rows[at + i + 1] as number);
    c += (query[i + 2] as number) * (rows[at + i + 2] as number);
    d += (query[i + 3] as number) * (rows[at + i + 3] as number);
  }
  return a + b + (c + d);
}

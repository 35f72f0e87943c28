/** Seeded vectors for the tests of the vector indexes, and the naive index they are compared with. */

import type { Mask, VectorHit, VectorScores } from "../../src/ports.js";

/** A small seeded generator (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Unit rows around shared centres, as embeddings of texts with topics are; flat. */
export function topicRows(count: number, dimension: number, random: () => number, topics = 40): Float32Array {
  const centres = Array.from({ length: topics }, () => unit(dimension, random));
  const rows = new Float32Array(count * dimension);
  for (let i = 0; i < count; i++) {
    const centre = centres[Math.floor(random() * topics)] as Float32Array;
    const own = unit(dimension, random);
    const mixed = normalised(own.map((value, j) => value + 0.8 * (centre[j] as number)));
    rows.set(mixed, i * dimension);
  }
  return rows;
}

export function unit(dimension: number, random: () => number): Float32Array {
  return normalised(Float32Array.from({ length: dimension }, () => random() + random() + random() - 1.5));
}

function normalised(row: Float32Array): Float32Array {
  const norm = Math.hypot(...row) || 1;
  return row.map((value) => value / norm);
}

/** The definition of the port, in float64 and without any cleverness. */
export class NaiveIndex {
  readonly entries = new Map<number, Float32Array>();
  constructor(readonly dimension: number) {}

  get size(): number {
    return [...this.entries.values()].reduce((sum, rows) => sum + rows.length / this.dimension, 0);
  }

  search(query: Float32Array, k: number, mask?: Mask): VectorHit[] {
    return [...this.#allowed(mask)]
      .map(([slot, rows]) => ({ slot, score: Math.max(...this.#dots(query, rows)) }))
      .sort((a, b) => b.score - a.score || a.slot - b.slot)
      .slice(0, k);
  }

  scoreAll(query: Float32Array, length: number, mask?: Mask): VectorScores {
    const whole = new Float32Array(length).fill(-Infinity);
    const best = new Float32Array(length).fill(-Infinity);
    for (const [slot, rows] of this.#allowed(mask)) {
      const dots = this.#dots(query, rows);
      whole[slot] = dots[0] as number;
      best[slot] = Math.max(...dots);
    }
    return { whole, best };
  }

  *#allowed(mask?: Mask): Iterable<[number, Float32Array]> {
    for (const [slot, rows] of this.entries) if (mask === undefined || (mask[slot] ?? 0) !== 0) yield [slot, rows];
  }

  #dots(query: Float32Array, rows: Float32Array): number[] {
    const dots: number[] = [];
    for (let at = 0; at < rows.length; at += this.dimension) {
      let dot = 0;
      for (let i = 0; i < this.dimension; i++) dot += (query[i] as number) * (rows[at + i] as number);
      dots.push(dot);
    }
    return dots;
  }
}

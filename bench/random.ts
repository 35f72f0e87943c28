/** Seeded numbers and vectors, so that every run measures the same work. */

/** mulberry32: numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random direction. */
export function unit(dimension: number, random: () => number): Float32Array {
  return normalised(Float32Array.from({ length: dimension }, () => random() + random() + random() - 1.5));
}

export function normalised(row: Float32Array): Float32Array {
  const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
  return row.map((value) => value / norm);
}

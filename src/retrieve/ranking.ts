/** Arithmetic over score arrays that run over slots: min–max scaling and the best few. */

import type { Mask } from "../ports.js";

/** Adds weight × (score − lowest) / (highest − lowest) of the allowed slots to `into`; equal scores add nothing.
 * A slot of `-Infinity` (no vector) counts as the lowest.
 * @param minRange least difference that is stretched to the full weight: among scores that hardly differ, differences mean little */
export function addScaled(into: Float64Array, scores: Float32Array, weight: number, mask: Mask, minRange = 0): void {
  // Runs over every entry several times a recall: one kind of array, one bound, no look beyond it.
  const length = Math.min(into.length, scores.length, mask.length);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < length; slot++) {
    const score = scores[slot] as number;
    if (mask[slot] !== 1 || score === Number.NEGATIVE_INFINITY) continue;
    if (score < low) low = score;
    if (score > high) high = score;
  }
  if (!(high > low)) return;
  const scale = weight / Math.max(high - low, minRange, 1e-9);
  for (let slot = 0; slot < length; slot++) {
    const score = scores[slot] as number;
    if (mask[slot] === 1 && score !== Number.NEGATIVE_INFINITY) into[slot] = (into[slot] as number) + scale * (score - low);
  }
}

/** Adds weight × score to `into`, over the slots that both have. The loops over every entry are functions of their own: in the
 * middle of a long one V8 optimises them for what a recall happened to need, and starts over at the next. */
export function addWeighted(into: Float32Array | Float64Array, scores: Float32Array, weight: number): void {
  const length = Math.min(into.length, scores.length);
  for (let slot = 0; slot < length; slot++) into[slot] = (into[slot] as number) + weight * (scores[slot] as number);
}

/** The highest score among the allowed slots; -Infinity when there are none. */
export function highest(scores: Float32Array | Float64Array, mask: Mask): number {
  const length = Math.min(scores.length, mask.length);
  let best = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < length; slot++) {
    const score = scores[slot] as number;
    if (score > best && mask[slot] === 1) best = score;
  }
  return best;
}

/** Slots of the `count` highest scores among the allowed, best first, equal scores by slot. */
export function topSlots(scores: Float32Array | Float64Array, count: number, mask: Mask): number[] {
  const best: number[] = [];
  if (count <= 0) return best;
  const scoreOf = (slot: number): number => scores[slot] as number;
  const length = Math.min(scores.length, mask.length);
  // Nothing of -Infinity is taken, and once the list is full nothing at or below its last.
  let floor = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < length; slot++) {
    const score = scores[slot] as number;
    if (!(score > floor) || mask[slot] !== 1) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (scoreOf(best[middle] as number) >= score) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, slot);
    if (best.length > count) best.pop();
    if (best.length === count) floor = scoreOf(best[count - 1] as number);
  }
  return best;
}

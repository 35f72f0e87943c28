/** Arithmetic over score arrays that run over slots: min–max scaling and the best few. */

import type { Mask } from "../ports.js";

/** Adds weight × (score − lowest) / (highest − lowest) of the allowed slots to `into`; equal scores add nothing.
 * A slot of `-Infinity` (no vector) counts as the lowest.
 * @param minRange least difference that is stretched to the full weight: among scores that hardly differ, differences mean little */
export function addScaled(into: Float64Array, scores: ArrayLike<number>, weight: number, mask: Mask, minRange = 0): void {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < into.length; slot++) {
    if (mask[slot] !== 1) continue;
    const score = slot < scores.length ? (scores[slot] as number) : 0;
    if (score === Number.NEGATIVE_INFINITY) continue;
    if (score < low) low = score;
    if (score > high) high = score;
  }
  const scale = weight / Math.max(high - low, minRange, 1e-9);
  if (!(high > low)) return;
  for (let slot = 0; slot < into.length; slot++) {
    const score = slot < scores.length ? (scores[slot] as number) : 0;
    if (mask[slot] === 1 && score !== Number.NEGATIVE_INFINITY) into[slot] = (into[slot] as number) + scale * (score - low);
  }
}

/** The highest score among the allowed slots; -Infinity when there are none. */
export function highest(scores: ArrayLike<number>, mask: Mask): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < mask.length; slot++) {
    if (mask[slot] === 1 && slot < scores.length && (scores[slot] as number) > best) best = scores[slot] as number;
  }
  return best;
}

/** Slots of the `count` highest scores among the allowed, best first, equal scores by slot. */
export function topSlots(scores: ArrayLike<number>, count: number, mask: Mask): number[] {
  const best: number[] = [];
  if (count <= 0) return best;
  const scoreOf = (slot: number): number => scores[slot] as number;
  let floor = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < mask.length && slot < scores.length; slot++) {
    if (mask[slot] !== 1) continue;
    const score = scoreOf(slot);
    if (score === Number.NEGATIVE_INFINITY || (best.length === count && score <= floor)) continue;
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

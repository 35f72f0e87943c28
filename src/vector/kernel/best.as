// The k best hits, as a heap with the worst on top.

import { hitsAt } from "./layout";

let heapSize: i32 = 0;

export function emptyHeap(): void {
  heapSize = 0;
}

/** How many hits are kept. */
export function keptHits(): i32 {
  return heapSize;
}

/** The score that a hit has to beat, -Infinity while fewer than `k` are kept. */
export function worstKept(k: i32): f64 {
  return heapSize < k ? -Infinity : load<f64>(hitsAt());
}

// @ts-ignore: decorator
@inline export function worse(scoreA: f64, slotA: u32, scoreB: f64, slotB: u32): bool {
  return scoreA < scoreB || (scoreA == scoreB && slotA > slotB);
}

export function offer(score: f64, slot: u32, k: i32): void {
  const heap = hitsAt();
  let at: i32;
  if (heapSize < k) {
    at = heapSize++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const p = heap + (<usize>parent << 4);
      if (!worse(score, slot, load<f64>(p), load<u32>(p, 8))) break;
      const here = heap + (<usize>at << 4);
      store<f64>(here, load<f64>(p));
      store<u32>(here, load<u32>(p, 8), 8);
      at = parent;
    }
  } else {
    if (!worse(load<f64>(heap), load<u32>(heap, 8), score, slot)) return;
    at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heapSize) break;
      let c = heap + (<usize>child << 4);
      if (child + 1 < heapSize && worse(load<f64>(c, 16), load<u32>(c, 24), load<f64>(c), load<u32>(c, 8))) {
        child++;
        c += 16;
      }
      if (!worse(load<f64>(c), load<u32>(c, 8), score, slot)) break;
      const here = heap + (<usize>at << 4);
      store<f64>(here, load<f64>(c));
      store<u32>(here, load<u32>(c, 8), 8);
      at = child;
    }
  }
  const here = heap + (<usize>at << 4);
  store<f64>(here, score);
  store<u32>(here, slot, 8);
}

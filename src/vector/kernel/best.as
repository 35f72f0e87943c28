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

/** Keeps a hit if it is among the `k` best. */
export function offer(score: f64, slot: u32, k: i32): void {
  const heap = hitsAt();
  if (heapSize == k) {
    if (worse(load<f64>(heap), load<u32>(heap, 8), score, slot)) sink(score, slot);
    return;
  }
  let at = heapSize++;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const p = heap + (<usize>parent << 4);
    if (!worse(score, slot, load<f64>(p), load<u32>(p, 8))) break;
    put(at, load<f64>(p), load<u32>(p, 8));
    at = parent;
  }
  put(at, score, slot);
}

/** Brings the kept hits into order, best first, and empties the heap; returns how many there are. */
export function sortHits(): i32 {
  const heap = hitsAt();
  const count = heapSize;
  while (heapSize > 1) {
    const last = heap + (<usize>--heapSize << 4);
    const score = load<f64>(last);
    const slot = load<u32>(last, 8);
    put(heapSize, load<f64>(heap), load<u32>(heap, 8));
    sink(score, slot);
  }
  heapSize = 0;
  return count;
}

// @ts-ignore: decorator
@inline function put(at: i32, score: f64, slot: u32): void {
  const here = hitsAt() + (<usize>at << 4);
  store<f64>(here, score);
  store<u32>(here, slot, 8);
}

/** Puts a hit in place of the worst one. */
function sink(score: f64, slot: u32): void {
  const heap = hitsAt();
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heapSize) break;
    let c = heap + (<usize>child << 4);
    if (child + 1 < heapSize && worse(load<f64>(c, 16), load<u32>(c, 24), load<f64>(c), load<u32>(c, 8))) {
      child++;
      c += 16;
    }
    if (!worse(load<f64>(c), load<u32>(c, 8), score, slot)) break;
    put(at, load<f64>(c), load<u32>(c, 8));
    at = child;
  }
  put(at, score, slot);
}

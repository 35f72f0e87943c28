// The scan kernel in AssemblyScript (SIMD, no runtime): bounds from an int8 scan, exact re-scoring, f32 scores.
// scripts/build-kernel.mjs compiles it into workers/kernel.wasm; src/vector/layout.ts lays out the memory it reads.
//
// A row r is kept as f32 and as s·c with int8 codes c; e = r - s·c. The query q is s'·d with int16 codes d; f = q - s'·d.
// Then q·r = s·s'·(c·d) + q·e + f·(s·c), so by Cauchy and Schwarz
//     |q·r - s·s'·(c·d)| <= |q|·|e| + |f|·|s·c|
// which bounds every score without reading its f32 row. The k entries with the best lower bounds are scored exactly, in
// float64; the k-th best of the exact scores is a floor, and only entries whose upper bound reaches it are scored too.
// The result is that of a full float64 scan, ties included.

import { bestAt, boundsAt, dotsAt, hitsAt, lowsAt, nextAllowed, rangesAt, rowEnd, slotEnd, wholeAt } from "./layout";
import { boundRows, dotCodes, quantiseQuery } from "./codes";
import { emptyHeap, keptHits, offer, sortHits, worstKept } from "./best";
import { dotExact, dotF32 } from "./dots";

export { quantise } from "./codes";

/** Raised with every change of the exports or the layout; kernel.ts refuses another. */
export function version(): i32 {
  return 1;
}

// @ts-ignore: decorator
@inline function firstRow(slot: i32): i32 { return load<i32>(rangesAt() + (<usize>slot << 3)); }
// @ts-ignore: decorator
@inline function rowCount(slot: i32): i32 { return load<i32>(rangesAt() + (<usize>slot << 3), 4); }
// @ts-ignore: decorator
@inline function nextSlot(slot: i32, end: i32, masked: bool): i32 { return masked ? nextAllowed(slot, end) : slot; }

/** Lists the allowed entries with their upper bounds, and keeps the `k` best lower bounds with their places in the list;
 * fills `whole` and `best` where asked. Returns how many are listed. */
function scanBounds(k: i32, end: i32, masked: bool, scores: bool): i32 {
  quantiseQuery();
  if (!masked) {
    dotCodes(0, rowEnd());
    boundRows(0, rowEnd());
  }
  emptyHeap();
  const highs = dotsAt();
  const lows = lowsAt();
  const whole = wholeAt();
  const best = bestAt();
  let listed = boundsAt();
  let worst = worstKept(k);
  for (let slot = nextSlot(0, end, masked); slot < end; slot = nextSlot(slot + 1, end, masked)) {
    const count = rowCount(slot);
    if (count == 0) continue;
    const first = firstRow(slot);
    if (masked) {
      dotCodes(first, first + count);
      boundRows(first, first + count);
    }
    const from = <usize>first << 2;
    const to = from + (<usize>count << 2);
    let high = load<f32>(highs + from);
    let low = load<f32>(lows + from);
    if (scores) store<f32>(whole + (<usize>slot << 2), (high + low) * 0.5);
    let top = high + low;
    for (let at = from + 4; at < to; at += 4) {
      const rowHigh = load<f32>(highs + at);
      const rowLow = load<f32>(lows + at);
      high = max(high, rowHigh);
      low = max(low, rowLow);
      top = max(top, rowHigh + rowLow);
    }
    if (scores) store<f32>(best + (<usize>slot << 2), top * 0.5);
    store<f32>(listed, high);
    store<u32>(listed, slot, 4);
    if (low > worst || keptHits() < k) {
      offer(low, <u32>((listed - boundsAt()) >> 3), k);
      worst = worstKept(k);
    }
    listed += 8;
  }
  return <i32>((listed - boundsAt()) >> 3);
}

// @ts-ignore: decorator
@inline function exactBest(slot: i32): f64 {
  const first = firstRow(slot);
  const last = first + rowCount(slot);
  let score: f64 = -Infinity;
  for (let row = first; row < last; row++) score = max(score, dotExact(row));
  return score;
}

/** Scores one entry of the list exactly, keeps it if it is among the `k` best, and takes it off the list. */
function rescore(listed: usize, k: i32, scores: bool): void {
  const slot = load<i32>(listed, 4);
  const score = exactBest(slot);
  if (scores) {
    store<f32>(wholeAt() + (<usize>slot << 2), <f32>dotExact(firstRow(slot)));
    store<f32>(bestAt() + (<usize>slot << 2), <f32>score);
  }
  store<f32>(listed, -Infinity);
  offer(score, slot, k);
}

/** Leaves the `k` best slots with their exact scores as hits. */
function searchExactly(k: i32, end: i32, masked: bool, scores: bool): void {
  const listed = scanBounds(k, end, masked, scores);
  const hits = hitsAt();
  const bounds = boundsAt();
  const kept = keptHits();
  emptyHeap();
  // A hit is read before its place is written: the heap grows by one with each.
  for (let i = 0; i < kept; i++) rescore(bounds + (<usize>load<u32>(hits + (<usize>i << 4), 8) << 3), k, scores);
  if (kept == listed) return;
  for (let i = 0; i < listed; i++) {
    const at = bounds + (<usize>i << 3);
    if (<f64>load<f32>(at) >= worstKept(k)) rescore(at, k, scores);
  }
}

/** The k best slots below `end`, exactly, best first at `hits`; returns how many. */
export function search(k: i32, end: i32, masked: bool): i32 {
  searchExactly(k, end, masked, false);
  return sortHits();
}

function fillScores(): void {
  const whole = wholeAt();
  const best = bestAt();
  const none = f32x4.splat(-Infinity);
  // Regions end at multiples of 64 bytes, so the last store stays inside.
  for (let i = 0; i < slotEnd() << 2; i += 16) {
    v128.store(whole + i, none);
    v128.store(best + i, none);
  }
}

/** Scores of all allowed slots from the f32 rows. */
export function scoreAll(end: i32, masked: bool): void {
  fillScores();
  const whole = wholeAt();
  const best = bestAt();
  for (let slot = nextSlot(0, end, masked); slot < end; slot = nextSlot(slot + 1, end, masked)) {
    const count = rowCount(slot);
    if (count == 0) continue;
    const first = firstRow(slot);
    const own = dotF32(first);
    let score = own;
    for (let row = first + 1; row < first + count; row++) score = max(score, dotF32(row));
    store<f32>(whole + (<usize>slot << 2), own);
    store<f32>(best + (<usize>slot << 2), score);
  }
}

/** The same from the int8 codes, with every slot that may be among the `lead` best scored again exactly. */
export function scoreAllQuantised(lead: i32, end: i32, masked: bool): void {
  fillScores();
  searchExactly(lead, end, masked, true);
}

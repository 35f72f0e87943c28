// The scan kernel in AssemblyScript (SIMD, no runtime): bounds from an int8 scan, exact re-scoring, f32 scores.
// scripts/build-kernel.mjs compiles it into workers/kernel.wasm; src/vector/layout.ts lays out the memory it reads.
//
// A row r is kept as f32 and as s·c with int8 codes c; e = r - s·c. The query q is s'·d with int16 codes d; f = q - s'·d.
// Then q·r = s·s'·(c·d) + q·e + f·(s·c), so by Cauchy and Schwarz
//     |q·r - s·s'·(c·d)| <= |q|·|e| + |f|·|s·c|
// which bounds every score without reading its f32 row. The k entries with the best lower bounds are scored exactly, in
// float64; the least of these scores is a floor for the k-th best, and only entries whose upper bound reaches the floor
// are scored again. The result is that of a full float64 scan, ties included.

import { bestAt, boundsAt, dotsAt, hitsAt, lowsAt, nextAllowed, rangesAt, rowEnd, slotEnd, wholeAt } from "./layout";
import { boundRows, dotCodes, quantiseQuery } from "./codes";
import { emptyHeap, keptHits, offer, worstKept } from "./best";
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

/** Lists the allowed entries with their upper bounds, and the `k` best lower bounds as hits; fills `whole` and `best`
 * where asked. Returns how many are listed. */
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
    listed += 8;
    if (low > worst || keptHits() < k) {
      offer(low, slot, k);
      worst = worstKept(k);
    }
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

/** A floor for the k-th best score: the least exact score of k entries. */
function exactFloor(k: i32): f64 {
  if (keptHits() < k) return -Infinity;
  let floor: f64 = Infinity;
  const hits = hitsAt();
  for (let i = 0; i < k; i++) floor = min(floor, exactBest(load<i32>(hits + (<usize>i << 4), 8)));
  return floor;
}

/** The k best slots below `end`, exactly, unordered at `hits`; returns how many. */
export function search(k: i32, end: i32, masked: bool): i32 {
  const listed = scanBounds(k, end, masked, false);
  let floor = exactFloor(k);
  emptyHeap();
  const bounds = boundsAt();
  for (let i = 0; i < listed; i++) {
    const at = bounds + (<usize>i << 3);
    if (<f64>load<f32>(at) < floor) continue;
    const slot = load<i32>(at, 4);
    offer(exactBest(slot), slot, k);
    floor = max(floor, worstKept(k));
  }
  return keptHits();
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
  const listed = scanBounds(lead, end, masked, true);
  const floor = exactFloor(lead);
  const bounds = boundsAt();
  const whole = wholeAt();
  const best = bestAt();
  for (let i = 0; i < listed; i++) {
    const at = bounds + (<usize>i << 3);
    if (<f64>load<f32>(at) < floor) continue;
    const slot = load<i32>(at, 4);
    store<f32>(whole + (<usize>slot << 2), <f32>dotExact(firstRow(slot)));
    store<f32>(best + (<usize>slot << 2), <f32>exactBest(slot));
  }
}

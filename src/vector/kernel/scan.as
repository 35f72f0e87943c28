// The scan kernel in AssemblyScript (SIMD, no runtime): bounds from an int8 scan, exact re-scoring, f32 scores.
// scripts/build-kernel.mjs compiles it into workers/kernel.wasm; src/vector/layout.ts lays out the memory it reads.
//
// A row r is kept as f32 and as s·c with int8 codes c; e = r - s·c. The query q is s'·d with int16 codes d; f = q - s'·d.
// Then q·r = s·s'·(c·d) + q·e + f·(s·c), so by Cauchy and Schwarz
//     |q·r - s·s'·(c·d)| <= |q|·|e| + |f|·|s·c|
// which bounds every score without reading its f32 row. Only entries whose upper bound reaches the k-th lower bound
// are scored again, in float64: the result is that of a full float64 scan, ties included.

import { slotEnd, rowEnd, rangesAt, wholeAt, bestAt, upperAt, qualityAt, dotsAt, nextAllowed } from "./layout";
import { dotCodes, quantiseQuery, queryError, queryNorm, queryStep } from "./codes";
import { emptyHeap, keptHits, offer, worstKept } from "./best";
import { dotExact, dotF32 } from "./dots";

export { quantise } from "./codes";

/** Raised with every change of the exports or the layout; kernel.ts refuses another. */
export function version(): i32 {
  return 1;
}

/** Fills `upper` (and `whole`, `best` where asked) for the allowed slots; returns the k-th best lower bound. */
function scanBounds(k: i32, end: i32, masked: bool, scores: bool): f64 {
  quantiseQuery();
  if (!masked) dotCodes(0, rowEnd());
  emptyHeap();
  const ranges = rangesAt();
  const dots = dotsAt();
  const quality = qualityAt();
  const upper = upperAt();
  const whole = wholeAt();
  const best = bestAt();
  for (let slot = masked ? nextAllowed(0, end) : 0; slot < end; slot = masked ? nextAllowed(slot + 1, end) : slot + 1) {
    const range = ranges + (<usize>slot << 3);
    const first = load<i32>(range);
    const last = first + load<i32>(range, 4);
    if (last == first) continue;
    if (masked) dotCodes(first, last);
    let high: f64 = -Infinity;
    let low: f64 = -Infinity;
    let nearestScore: f64 = -Infinity;
    for (let row = first; row < last; row++) {
      const q = quality + (<usize>row << 5);
      const norm = load<f64>(q, 16);
      const error = load<f64>(q, 8);
      const score = <f64>load<i32>(dots + (<usize>row << 2)) * load<f64>(q) * queryStep;
      // The slack covers the rounding of this arithmetic and of the float64 score it bounds.
      const width = (queryNorm * error + queryError * norm) * (1 + 1e-9) + 1e-12 * queryNorm * (norm + error);
      high = max(high, score + width);
      low = max(low, score - width);
      if (scores) {
        if (row == first) store<f32>(whole + (<usize>slot << 2), <f32>score);
        nearestScore = max(nearestScore, score);
      }
    }
    if (scores) store<f32>(best + (<usize>slot << 2), <f32>nearestScore);
    store<f64>(upper + (<usize>slot << 3), high);
    offer(low, slot, k);
  }
  return worstKept(k);
}

/** The k best slots below `end`, exactly, unordered at `hits`; returns how many. */
export function search(k: i32, end: i32, masked: bool): i32 {
  const floor = scanBounds(k, end, masked, false);
  emptyHeap();
  const ranges = rangesAt();
  const upper = upperAt();
  for (let slot = masked ? nextAllowed(0, end) : 0; slot < end; slot = masked ? nextAllowed(slot + 1, end) : slot + 1) {
    const range = ranges + (<usize>slot << 3);
    const first = load<i32>(range);
    const last = first + load<i32>(range, 4);
    if (last == first || load<f64>(upper + (<usize>slot << 3)) < floor) continue;
    let score: f64 = -Infinity;
    for (let row = first; row < last; row++) score = max(score, dotExact(row));
    offer(score, slot, k);
  }
  return keptHits();
}

function fillScores(): void {
  const whole = wholeAt();
  const best = bestAt();
  const bytes = slotEnd() << 2;
  for (let i = 0; i < bytes; i += 4) {
    store<f32>(whole + i, -Infinity);
    store<f32>(best + i, -Infinity);
  }
}

/** Scores of all allowed slots from the f32 rows. */
export function scoreAll(end: i32, masked: bool): void {
  fillScores();
  const ranges = rangesAt();
  const whole = wholeAt();
  const best = bestAt();
  for (let slot = masked ? nextAllowed(0, end) : 0; slot < end; slot = masked ? nextAllowed(slot + 1, end) : slot + 1) {
    const range = ranges + (<usize>slot << 3);
    const first = load<i32>(range);
    const last = first + load<i32>(range, 4);
    if (last == first) continue;
    const own = dotF32(first);
    let score = own;
    for (let row = first + 1; row < last; row++) score = max(score, dotF32(row));
    store<f32>(whole + (<usize>slot << 2), own);
    store<f32>(best + (<usize>slot << 2), score);
  }
}

/** The same from the int8 codes, with every slot that may be among the `lead` best scored again exactly. */
export function scoreAllQuantised(lead: i32, end: i32, masked: bool): void {
  fillScores();
  const floor = scanBounds(lead, end, masked, true);
  const ranges = rangesAt();
  const upper = upperAt();
  const whole = wholeAt();
  const best = bestAt();
  for (let slot = masked ? nextAllowed(0, end) : 0; slot < end; slot = masked ? nextAllowed(slot + 1, end) : slot + 1) {
    const range = ranges + (<usize>slot << 3);
    const first = load<i32>(range);
    const last = first + load<i32>(range, 4);
    if (last == first || load<f64>(upper + (<usize>slot << 3)) < floor) continue;
    const own = dotExact(first);
    let score = own;
    for (let row = first + 1; row < last; row++) score = max(score, dotExact(row));
    store<f32>(whole + (<usize>slot << 2), <f32>own);
    store<f32>(best + (<usize>slot << 2), <f32>score);
  }
}

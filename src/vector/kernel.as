// The scan kernel in AssemblyScript (SIMD, no runtime): bounds from an int8 scan, exact re-scoring, f32 scores.
// scripts/build-kernel.mjs compiles it into workers/kernel.wasm; src/vector/rows.ts lays out the memory it reads.
//
// A row r is kept as f32 and as s·c with int8 codes c; e = r - s·c. The query q is s'·d with int16 codes d; f = q - s'·d.
// Then q·r = s·s'·(c·d) + q·e + f·(s·c), so by Cauchy and Schwarz
//     |q·r - s·s'·(c·d)| <= |q|·|e| + |f|·|s·c|
// which bounds every score without reading its f32 row. Only entries whose upper bound reaches the k-th lower bound
// are scored again, in float64: the result is that of a full float64 scan, ties included.

/** Raised with every change of the exports or the layout; src/vector/kernel.ts refuses another. */
export function version(): i32 {
  return 1;
}

// The header: 32-bit fields that rows.ts writes at this address, in this order.
const HEADER: usize = 64;
// @ts-ignore: decorator
@inline function stride(): i32 { return load<i32>(HEADER); } // components of a row, a multiple of 32, zero padded
// @ts-ignore: decorator
@inline function slotEnd(): i32 { return load<i32>(HEADER, 4); } // slots in use are below this
// @ts-ignore: decorator
@inline function rowEnd(): i32 { return load<i32>(HEADER, 8); } // rows in use are below this
// @ts-ignore: decorator
@inline function queryAt(): usize { return load<u32>(HEADER, 12); } // f32 × stride
// @ts-ignore: decorator
@inline function queryCodesAt(): usize { return load<u32>(HEADER, 16); } // i16 × stride
// @ts-ignore: decorator
@inline function rangesAt(): usize { return load<u32>(HEADER, 20); } // (first row: u32, rows: u32) per slot
// @ts-ignore: decorator
@inline function maskAt(): usize { return load<u32>(HEADER, 24); } // u8 per slot
// @ts-ignore: decorator
@inline function wholeAt(): usize { return load<u32>(HEADER, 28); } // f32 per slot
// @ts-ignore: decorator
@inline function bestAt(): usize { return load<u32>(HEADER, 32); } // f32 per slot
// @ts-ignore: decorator
@inline function upperAt(): usize { return load<u32>(HEADER, 36); } // f64 per slot
// @ts-ignore: decorator
@inline function hitsAt(): usize { return load<u32>(HEADER, 40); } // (score: f64, slot: u32, unused: u32) per slot
// @ts-ignore: decorator
@inline function qualityAt(): usize { return load<u32>(HEADER, 44); } // (s, |e|, |s·c|, unused): f64 × 4 per row
// @ts-ignore: decorator
@inline function dotsAt(): usize { return load<u32>(HEADER, 48); } // i32 per row
// @ts-ignore: decorator
@inline function codesAt(): usize { return load<u32>(HEADER, 52); } // i8 × stride per row
// @ts-ignore: decorator
@inline function rowsAt(): usize { return load<u32>(HEADER, 56); } // f32 × stride per row

/** Writes the codes and the quality of one row. */
export function quantise(row: i32): void {
  const n = stride();
  const source = rowsAt() + (<usize>row) * n * 4;
  const codes = codesAt() + (<usize>row) * n;
  const quality = qualityAt() + (<usize>row) * 32;
  let largest: f32 = 0;
  for (let i = 0; i < n; i++) largest = max(largest, abs(load<f32>(source + (i << 2))));
  const step = <f64>largest / 127;
  const inverse = largest > 0 ? 127 / <f64>largest : 0;
  let error: f64 = 0;
  let norm: f64 = 0;
  for (let i = 0; i < n; i++) {
    const value = <f64>load<f32>(source + (i << 2));
    const code = min<f64>(127, max<f64>(-127, nearest(value * inverse)));
    store<i8>(codes + i, <i8>code);
    const kept = code * step;
    error += (value - kept) * (value - kept);
    norm += kept * kept;
  }
  store<f64>(quality, step);
  store<f64>(quality, sqrt(error), 8);
  store<f64>(quality, sqrt(norm), 16);
}

let queryStep: f64 = 0;
let queryError: f64 = 0;
let queryNorm: f64 = 0;

/** Codes of the query: the largest range whose dot product with int8 codes cannot overflow 32 bits. */
function quantiseQuery(): void {
  const n = stride();
  const source = queryAt();
  const codes = queryCodesAt();
  const range = <f64>min<i32>(32767, i32.MAX_VALUE / (127 * n));
  let largest: f32 = 0;
  for (let i = 0; i < n; i++) largest = max(largest, abs(load<f32>(source + (i << 2))));
  const step = <f64>largest / range;
  const inverse = largest > 0 ? range / <f64>largest : 0;
  let error: f64 = 0;
  let norm: f64 = 0;
  for (let i = 0; i < n; i++) {
    const value = <f64>load<f32>(source + (i << 2));
    const code = min(range, max(-range, nearest(value * inverse)));
    store<i16>(codes + (i << 1), <i16>code);
    const lost = value - code * step;
    error += lost * lost;
    norm += value * value;
  }
  queryStep = step;
  queryError = sqrt(error);
  queryNorm = sqrt(norm);
}

// @ts-ignore: decorator
@inline function sumI32(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

/** Integer dot products of rows first … last-1. Two rows at a time share the query's loads (a quarter faster). */
function dotCodes(first: i32, last: i32): void {
  const n = <usize>stride();
  const query = queryCodesAt();
  let at = codesAt() + <usize>first * n;
  let out = dotsAt() + (<usize>first << 2);
  let row = first;
  for (; row + 1 < last; row += 2) {
    const second = at + n;
    let a = i32x4.splat(0), b = i32x4.splat(0), c = i32x4.splat(0), d = i32x4.splat(0);
    let q = query;
    for (let i: usize = 0; i < n; i += 16) {
      const low = v128.load(q), high = v128.load(q, 16);
      a = i32x4.add(a, i32x4.dot_i16x8_s(low, v128.load_ext<i8>(at + i)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(high, v128.load_ext<i8>(at + i, 8)));
      c = i32x4.add(c, i32x4.dot_i16x8_s(low, v128.load_ext<i8>(second + i)));
      d = i32x4.add(d, i32x4.dot_i16x8_s(high, v128.load_ext<i8>(second + i, 8)));
      q += 32;
    }
    store<i32>(out, sumI32(i32x4.add(a, b)));
    store<i32>(out, sumI32(i32x4.add(c, d)), 4);
    at = second + n;
    out += 8;
  }
  if (row < last) {
    let a = i32x4.splat(0), b = i32x4.splat(0);
    let q = query;
    for (let i: usize = 0; i < n; i += 16) {
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(q), v128.load_ext<i8>(at + i)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load(q, 16), v128.load_ext<i8>(at + i, 8)));
      q += 32;
    }
    store<i32>(out, sumI32(i32x4.add(a, b)));
  }
}

/** The next slot at or after `slot` that the mask allows, or `end`; leaps over eight refused slots at a time. */
// @ts-ignore: decorator
@inline function nextAllowed(slot: i32, end: i32): i32 {
  const mask = maskAt();
  while (slot < end) {
    if ((slot & 7) == 0 && slot + 8 <= end && load<u64>(mask + slot) == 0) slot += 8;
    else if (load<u8>(mask + slot) != 0) break;
    else slot++;
  }
  return slot;
}

// ------------------------------------------------------------ the k best, as a heap with the worst on top

let heapSize: i32 = 0;

// @ts-ignore: decorator
@inline function worse(scoreA: f64, slotA: u32, scoreB: f64, slotB: u32): bool {
  return scoreA < scoreB || (scoreA == scoreB && slotA > slotB);
}

function offer(score: f64, slot: u32, k: i32): void {
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

// ------------------------------------------------------------ scans

/** Fills `upper` (and `whole`, `best` where asked) for the allowed slots; returns the k-th best lower bound. */
function scanBounds(k: i32, end: i32, masked: bool, scores: bool): f64 {
  quantiseQuery();
  if (!masked) dotCodes(0, rowEnd());
  heapSize = 0;
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
  return heapSize < k ? -Infinity : load<f64>(hitsAt());
}

/** The float64 dot product; four partial sums in the order that scan-js.ts uses, so that both give the same bits. */
function dotExact(row: i32): f64 {
  const n = stride();
  const query = queryAt();
  const at = rowsAt() + (<usize>row) * n * 4;
  let a = f64x2.splat(0), b = f64x2.splat(0);
  for (let i = 0; i < n << 2; i += 16) {
    const q = v128.load(query + i), r = v128.load(at + i);
    a = f64x2.add(a, f64x2.mul(f64x2.promote_low_f32x4(q), f64x2.promote_low_f32x4(r)));
    b = f64x2.add(
      b,
      f64x2.mul(
        f64x2.promote_low_f32x4(v128.shuffle<f32>(q, q, 2, 3, 2, 3)),
        f64x2.promote_low_f32x4(v128.shuffle<f32>(r, r, 2, 3, 2, 3)),
      ),
    );
  }
  return f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1) + (f64x2.extract_lane(b, 0) + f64x2.extract_lane(b, 1));
}

function dotF32(row: i32): f32 {
  const bytes = stride() << 2;
  const query = queryAt();
  const at = rowsAt() + (<usize>row) * bytes;
  let a = f32x4.splat(0), b = f32x4.splat(0), c = f32x4.splat(0), d = f32x4.splat(0);
  for (let i = 0; i < bytes; i += 64) {
    a = f32x4.add(a, f32x4.mul(v128.load(query + i), v128.load(at + i)));
    b = f32x4.add(b, f32x4.mul(v128.load(query + i, 16), v128.load(at + i, 16)));
    c = f32x4.add(c, f32x4.mul(v128.load(query + i, 32), v128.load(at + i, 32)));
    d = f32x4.add(d, f32x4.mul(v128.load(query + i, 48), v128.load(at + i, 48)));
  }
  const s = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + (f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3));
}

/** The k best slots below `end`, exactly, unordered at `hits`; returns how many. */
export function search(k: i32, end: i32, masked: bool): i32 {
  const floor = scanBounds(k, end, masked, false);
  heapSize = 0;
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
  return heapSize;
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

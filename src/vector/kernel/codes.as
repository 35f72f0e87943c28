// Int8 codes of rows, int16 codes of the query, their integer dot products and the bounds that these give.

import { codesAt, dotsAt, errorsAt, lowsAt, normsAt, queryAt, queryCodesAt, rowsAt, stepsAt, stride } from "./layout";

/** Norms are kept a little too large, so that rounding to f32 cannot make a bound too narrow. */
const ROUND_UP: f64 = 1 + 1e-6;

/** Writes the codes, step and norms of one row. */
export function quantise(row: i32): void {
  const n = stride();
  const source = rowsAt() + (<usize>row) * n * 4;
  const codes = codesAt() + (<usize>row) * n;
  let largest: f32 = 0;
  for (let i = 0; i < n; i++) largest = max(largest, abs(load<f32>(source + (i << 2))));
  const step = largest / 127;
  const inverse = largest > 0 ? 127 / <f64>largest : 0;
  let error: f64 = 0;
  let norm: f64 = 0;
  for (let i = 0; i < n; i++) {
    const value = <f64>load<f32>(source + (i << 2));
    const code = min<f64>(127, max<f64>(-127, nearest(value * inverse)));
    store<i8>(codes + i, <i8>code);
    const kept = code * <f64>step;
    error += (value - kept) * (value - kept);
    norm += kept * kept;
  }
  store<f32>(stepsAt() + (row << 2), step);
  store<f32>(errorsAt() + (row << 2), <f32>(sqrt(error) * ROUND_UP));
  store<f32>(normsAt() + (row << 2), <f32>(sqrt(norm) * ROUND_UP));
}

let queryStep: f32 = 0;
let errorWeight: f32 = 0;
let normWeight: f32 = 0;
let slack: f32 = 0;

/** Codes of the query: the largest range whose dot product with int8 codes cannot overflow 32 bits. */
export function quantiseQuery(): void {
  const n = stride();
  const source = queryAt();
  const codes = queryCodesAt();
  const range = <f64>min<i32>(32767, i32.MAX_VALUE / (127 * n));
  let largest: f32 = 0;
  for (let i = 0; i < n; i++) largest = max(largest, abs(load<f32>(source + (i << 2))));
  const step = <f32>(<f64>largest / range);
  const inverse = largest > 0 ? range / <f64>largest : 0;
  let error: f64 = 0;
  let norm: f64 = 0;
  for (let i = 0; i < n; i++) {
    const value = <f64>load<f32>(source + (i << 2));
    const code = min(range, max(-range, nearest(value * inverse)));
    store<i16>(codes + (i << 1), <i16>code);
    const lost = value - code * <f64>step;
    error += lost * lost;
    norm += value * value;
  }
  norm = sqrt(norm);
  queryStep = step;
  errorWeight = <f32>(norm * ROUND_UP);
  // Scores are at most |q|·|s·c|, and their f32 arithmetic rounds four times: less than 1e-6 of that.
  normWeight = <f32>((sqrt(error) + 2e-6 * norm) * ROUND_UP);
  // What is too small for f32 is lost altogether; the slack is larger than anything lost so.
  slack = <f32>(1e-37 + 1e-43 * (<f64>step + norm));
}

// @ts-ignore: decorator
@inline export function sumI32(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

/** Integer dot products of rows first … last-1. Two rows at a time share the query's loads (a quarter faster). */
export function dotCodes(first: i32, last: i32): void {
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

/** Turns the integer dot products of rows first … last-1 into bounds of their scores, four rows at a time. */
export function boundRows(first: i32, last: i32): void {
  const dots = dotsAt(), lows = lowsAt(), steps = stepsAt(), errors = errorsAt(), norms = normsAt();
  const end = <usize>last << 2;
  let at = <usize>first << 2;
  for (; at + 16 <= end; at += 16) {
    const score = f32x4.mul(
      f32x4.mul(f32x4.convert_i32x4_s(v128.load(dots + at)), v128.load(steps + at)),
      f32x4.splat(queryStep),
    );
    const width = f32x4.add(
      f32x4.add(
        f32x4.mul(v128.load(errors + at), f32x4.splat(errorWeight)),
        f32x4.mul(v128.load(norms + at), f32x4.splat(normWeight)),
      ),
      f32x4.splat(slack),
    );
    v128.store(dots + at, f32x4.add(score, width));
    v128.store(lows + at, f32x4.sub(score, width));
  }
  for (; at < end; at += 4) {
    const score = <f32>load<i32>(dots + at) * load<f32>(steps + at) * queryStep;
    const width = load<f32>(errors + at) * errorWeight + load<f32>(norms + at) * normWeight + slack;
    store<f32>(dots + at, score + width);
    store<f32>(lows + at, score - width);
  }
}

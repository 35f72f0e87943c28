// Int8 codes of rows, int16 codes of the query, and their integer dot products.

import { stride, queryAt, queryCodesAt, qualityAt, dotsAt, codesAt, rowsAt } from "./layout";

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

export let queryStep: f64 = 0;
export let queryError: f64 = 0;
export let queryNorm: f64 = 0;

/** Codes of the query: the largest range whose dot product with int8 codes cannot overflow 32 bits. */
export function quantiseQuery(): void {
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

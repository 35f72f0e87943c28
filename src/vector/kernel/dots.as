// Dot products of the query with f32 rows.

import { stride, queryAt, rowsAt } from "./layout";

/** The float64 dot product; four partial sums in the order that scan-js.ts uses, so that both give the same bits. */
export function dotExact(row: i32): f64 {
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

export function dotF32(row: i32): f32 {
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

/** The little linear algebra that the training needs; matrices are flat, row-major Float32Arrays. */
import type { Random } from "../../src/ports.js";

/** A B^T: rows of `a` against rows of `b`, both `width` long. */
export function timesTransposed(a: Float32Array, b: Float32Array, width: number): Float32Array {
  const rows = a.length / width;
  const columns = b.length / width;
  const result = new Float32Array(rows * columns);
  // Blocks of b stay in the cache while all rows of a pass.
  for (let block = 0; block < columns; block += 64) {
    const blockEnd = Math.min(columns, block + 64);
    for (let row = 0; row < rows; row++) {
      for (let column = block; column < blockEnd; column++)
        result[row * columns + column] = dot(a, row * width, b, column * width, width);
    }
  }
  return result;
}

/** A A^T, computing each pair once. */
export function gram(a: Float32Array, width: number): Float32Array {
  const rows = a.length / width;
  const result = new Float32Array(rows * rows);
  for (let block = 0; block < rows; block += 64) {
    for (let row = block; row < rows; row++) {
      for (let column = block; column < Math.min(row + 1, block + 64); column++) {
        const value = dot(a, row * width, a, column * width, width);
        result[row * rows + column] = value;
        result[column * rows + row] = value;
      }
    }
  }
  return result;
}

export function transpose(a: Float32Array, width: number): Float32Array {
  const rows = a.length / width;
  const result = new Float32Array(a.length);
  for (let row = 0; row < rows; row++) for (let d = 0; d < width; d++) result[d * rows + row] = a[row * width + d]!;
  return result;
}

/** Scales each row to unit norm, in place. */
export function normalizeRows(a: Float32Array, width: number): Float32Array {
  for (let at = 0; at < a.length; at += width) {
    const norm = Math.sqrt(dot(a, at, a, at, width)) + 1e-9;
    for (let d = 0; d < width; d++) a[at + d]! /= norm;
  }
  return a;
}

/** The leading right singular vectors of `a`, by subspace iteration on A^T A.
 * @returns `count` orthonormal rows of length `width`, strongest first */
export function principalDirections(a: Float32Array, width: number, count: number, random: Random): Float32Array {
  const second = gram(transpose(a, width), a.length / width);
  let basis: Float32Array = Float32Array.from({ length: count * width }, () => random() - 0.5);
  for (let step = 0; step < 100; step++) basis = orthonormalize(timesTransposed(basis, second, width), width);
  return basis;
}

/** Gram–Schmidt over rows; earlier rows keep their direction. */
function orthonormalize(basis: Float32Array, width: number): Float32Array {
  for (let row = 0; row < basis.length; row += width) {
    for (let earlier = 0; earlier < row; earlier += width) {
      const along = dot(basis, row, basis, earlier, width);
      for (let d = 0; d < width; d++) basis[row + d]! -= along * basis[earlier + d]!;
    }
    const norm = Math.sqrt(dot(basis, row, basis, row, width)) + 1e-12;
    for (let d = 0; d < width; d++) basis[row + d]! /= norm;
  }
  return basis;
}

function dot(a: Float32Array, atA: number, b: Float32Array, atB: number, width: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let d = 0;
  for (; d + 3 < width; d += 4) {
    s0 += a[atA + d]! * b[atB + d]!;
    s1 += a[atA + d + 1]! * b[atB + d + 1]!;
    s2 += a[atA + d + 2]! * b[atB + d + 2]!;
    s3 += a[atA + d + 3]! * b[atB + d + 3]!;
  }
  for (; d < width; d++) s0 += a[atA + d]! * b[atB + d]!;
  return s0 + s1 + s2 + s3;
}

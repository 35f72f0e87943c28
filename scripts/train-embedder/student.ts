/** The student: a table of piece vectors whose mean should lie among sentences as the teacher's embedding does. */
import type { Random } from "../../src/ports.js";
import { gram, normalizeRows } from "./matrix.js";
import { shuffle } from "./sentences.js";

/** Softmax temperature over in-batch similarities. */
const TEMPERATURE = 0.05;
/** Weight of the cosine to the teacher's projected embedding beside the divergence of similarities. */
const COSINE_WEIGHT = 0.3;
const BATCH = 1_024;
const LEARNING_RATE = 0.01;
/** Pull towards the distilled start, which keeps rare pieces where the teacher puts them. */
const PULL = 1e-4;

export interface Examples {
  /** Rows of each sentence's pieces. */
  readonly pieces: readonly Uint16Array[];
  /** Teacher embeddings, unit norm, flat. */
  readonly teacher: Float32Array;
  /** The same projected to the student's dimension, unit norm, flat. */
  readonly projected: Float32Array;
}

/** Sentence vectors of the student before normalisation, flat. */
export function encode(table: Float32Array, dimension: number, pieces: readonly Uint16Array[]): Float32Array {
  const vectors = new Float32Array(pieces.length * dimension);
  pieces.forEach((rows, index) => {
    for (const row of rows)
      for (let d = 0; d < dimension; d++) vectors[index * dimension + d]! += table[row * dimension + d]! / rows.length;
  });
  return vectors;
}

/** Trains the table in place with Adam (.9, .99), the learning rate falling linearly to zero.
 * Loss: KL of in-batch similarity distributions, teacher to student, minus the weighted cosine. */
export function train(
  table: Float32Array,
  dimension: number,
  { pieces, teacher, projected }: Examples,
  epochs: number,
  random: Random,
): void {
  const teacherWidth = teacher.length / pieces.length;
  const start = table.slice();
  const first = new Float32Array(table.length);
  const second = new Float32Array(table.length);
  const order = pieces.map((_, index) => index);
  const steps = epochs * Math.floor(order.length / BATCH);
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    let loss = 0;
    for (let from = 0; from + BATCH <= order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH);
      const rows = batch.map((index) => pieces[index]!);
      const vectors = encode(table, dimension, rows);
      const { gradient, divergence } = similarityGradient(
        vectors,
        dimension,
        take(teacher, teacherWidth, batch),
        take(projected, dimension, batch),
      );
      loss += divergence;
      const rate = LEARNING_RATE * (1 - step++ / steps) + 1e-5;
      adam(table, start, first, second, tableGradient(rows, gradient, dimension), dimension, rate);
    }
    console.log(`epoch ${epoch + 1} of ${epochs}: divergence ${(loss / Math.floor(order.length / BATCH)).toFixed(3)}`);
  }
}

/** Gradient of the loss by the raw sentence vectors. */
function similarityGradient(vectors: Float32Array, dimension: number, teacher: Float32Array, projected: Float32Array) {
  const count = vectors.length / dimension;
  const unit = normalizeRows(vectors.slice(), dimension);
  const wanted = softmaxRows(gram(teacher, teacher.length / count), count);
  const given = softmaxRows(gram(unit, dimension), count);
  let divergence = 0;
  const pull = new Float32Array(count * count);
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      const at = row * count + column;
      const mirrored = column * count + row;
      divergence += (wanted[at]! * (Math.log(wanted[at]! + 1e-12) - Math.log(given[at]! + 1e-12))) / count;
      pull[at] = (given[at]! - wanted[at]! + given[mirrored]! - wanted[mirrored]!) / TEMPERATURE / count;
    }
  }
  const gradient = new Float32Array(vectors.length);
  for (let row = 0; row < count; row++) {
    const to = gradient.subarray(row * dimension, (row + 1) * dimension);
    for (let column = 0; column < count; column++) {
      const weight = pull[row * count + column]!;
      for (let d = 0, at = column * dimension; d < dimension; d++, at++) to[d]! += weight * unit[at]!;
    }
    let radial = 0;
    let squares = 0;
    for (let d = 0, at = row * dimension; d < dimension; d++, at++) {
      to[d]! -= ((COSINE_WEIGHT / TEMPERATURE) * projected[at]!) / count;
      radial += to[d]! * unit[at]!;
      squares += vectors[at]! * vectors[at]!;
    }
    const norm = Math.sqrt(squares) + 1e-9;
    for (let d = 0, at = row * dimension; d < dimension; d++, at++) to[d] = (to[d]! - radial * unit[at]!) / norm;
  }
  return { gradient, divergence };
}

/** Softmax of each row over the others: a sentence is not compared with itself. */
function softmaxRows(similarities: Float32Array, count: number): Float32Array {
  for (let row = 0; row < count; row++) {
    const values = similarities.subarray(row * count, (row + 1) * count);
    values[row] = -Infinity;
    let top = -Infinity;
    for (const value of values) if (value > top) top = value;
    let sum = 0;
    for (let column = 0; column < count; column++) sum += values[column] = Math.exp((values[column]! - top) / TEMPERATURE);
    for (let column = 0; column < count; column++) values[column]! /= sum;
  }
  return similarities;
}

function tableGradient(rows: readonly Uint16Array[], gradient: Float32Array, dimension: number): Map<number, Float32Array> {
  const sums = new Map<number, Float32Array>();
  rows.forEach((pieces, index) => {
    for (const piece of pieces) {
      let sum = sums.get(piece);
      if (!sum) sums.set(piece, (sum = new Float32Array(dimension)));
      for (let d = 0; d < dimension; d++) sum[d]! += gradient[index * dimension + d]! / pieces.length;
    }
  });
  return sums;
}

function adam(
  table: Float32Array,
  start: Float32Array,
  first: Float32Array,
  second: Float32Array,
  gradients: ReadonlyMap<number, Float32Array>,
  dimension: number,
  rate: number,
): void {
  for (const [row, gradient] of gradients) {
    for (let d = 0, at = row * dimension; d < dimension; d++, at++) {
      const g = gradient[d]! + PULL * (table[at]! - start[at]!);
      first[at] = 0.9 * first[at]! + 0.1 * g;
      second[at] = 0.99 * second[at]! + 0.01 * g * g;
      table[at]! -= (rate * first[at]!) / (Math.sqrt(second[at]!) + 1e-8);
    }
  }
}

function take(matrix: Float32Array, width: number, rows: readonly number[]): Float32Array {
  const result = new Float32Array(rows.length * width);
  rows.forEach((row, at) => result.set(matrix.subarray(row * width, (row + 1) * width), at * width));
  return result;
}

/** Trains the static embedder and writes `workers/embeddings.bin`: `npm run train:embedder -- [--data DIR] [--out FILE]
 * [--cache DIR] [--models DIR] [--dimension 64] [--sentences 45000] [--epochs 8] [--seed 5]`.
 *
 * Takes 16 CPU minutes, most of them the teacher's, whose answers are kept in the cache folder for the next run. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { WordPiece } from "../../src/embed/wordpiece.js";
import type { Random } from "../../src/ports.js";
import { ensureModel, MODELS_FOLDER } from "../models.mjs";
import { gram, normalizeRows, principalDirections, timesTransposed } from "./matrix.js";
import { trainingSentences } from "./sentences.js";
import { encode, train } from "./student.js";
import { TEACHER, TEACHER_DIMENSION, Teacher } from "./teacher.js";
import { quantize, staticFile } from "./write-file.js";

/** Sentences kept from training, to measure on. */
const HELD_OUT = 2_000;
const MAX_PIECES = 256;

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: fileURLToPath(new URL("../../../shared/data", import.meta.url)) },
    out: { type: "string", default: fileURLToPath(new URL("../../workers/embeddings.bin", import.meta.url)) },
    cache: { type: "string", default: join(tmpdir(), "keepsake-train-embedder") },
    models: { type: "string", default: MODELS_FOLDER },
    dimension: { type: "string", default: "64" },
    sentences: { type: "string", default: "45000" },
    epochs: { type: "string", default: "8" },
    seed: { type: "string", default: "5" },
  },
});
const dimension = Number(options.dimension);
const seed = Number(options.seed);
const random = mulberry32(seed);

await ensureModel("minilm", { root: options.models, log: console.log });
const teacher = await Teacher.open(options.models, options.cache);
// The teacher's special and reserved pieces never come of a text.
const kept = [...teacher.vocabulary.keys()].filter((id) => !/^\[(?:unused\d+|PAD|CLS|SEP|MASK)\]$/.test(teacher.vocabulary[id]!));
const vocabulary = kept.map((id) => teacher.vocabulary[id]!);
const sentences = await trainingSentences(options.data, Number(options.sentences), random);
console.log(`${sentences.length} sentences, ${vocabulary.length} pieces`);

const pieceVectors = await teacher.pieces(kept);
const teacherVectors = await teacher.texts(sentences);
const wordPiece = new WordPiece(vocabulary);
const buffer = new Uint16Array(MAX_PIECES);
const pieces = sentences.map((sentence) => buffer.slice(0, wordPiece.encode(sentence, buffer)));

const training = { pieces: pieces.slice(HELD_OUT), teacher: teacherVectors.subarray(HELD_OUT * TEACHER_DIMENSION) };
const directions = principalDirections(training.teacher, TEACHER_DIMENSION, dimension, random);
const projected = normalizeRows(timesTransposed(training.teacher, directions, TEACHER_DIMENSION), dimension);
const table = distil();
report("distilled");
train(table, dimension, { ...training, projected }, Number(options.epochs), random);
report("trained");

const file = staticFile(vocabulary, table, dimension, {
  teacher: `${TEACHER} int8, SHA-256 ${teacher.sha256}`,
  data: [
    "LongMemEval_S development split without ShareGPT and answer sessions (MIT)",
    "API-Bank (Apache-2.0)",
    "tau-bench (MIT)",
  ],
  sentences: sentences.length,
  seed,
});
await writeFile(options.out, file);
console.log(`${options.out}: ${file.length} bytes`);

/** The start: the teacher's vector of each piece, projected, and the less weight the commoner it is (smooth inverse
 * frequency, a = .001). */
function distil(): Float32Array {
  const seen = new Float64Array(vocabulary.length);
  for (const rows of training.pieces) for (const row of new Set(rows)) seen[row]!++;
  const all = seen.reduce((sum, count) => sum + count, 0);
  const start = timesTransposed(pieceVectors, directions, TEACHER_DIMENSION);
  for (let row = 0; row < vocabulary.length; row++) {
    const weight = 1e-3 / (1e-3 + seen[row]! / all);
    for (let d = 0; d < dimension; d++) start[row * dimension + d]! *= weight;
  }
  return start;
}

/** Correlation of the similarities of all held-out pairs, student (as it would be stored) against teacher. */
function report(stage: string): void {
  const { rows } = quantize(table, dimension);
  const stored = table.slice();
  for (let row = 0; row < vocabulary.length; row++) {
    const largest = table
      .subarray(row * dimension, (row + 1) * dimension)
      .reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (let d = 0; d < dimension; d++) stored[row * dimension + d] = (rows[row * dimension + d]! * largest) / 127;
  }
  const student = gram(normalizeRows(encode(stored, dimension, pieces.slice(0, HELD_OUT)), dimension), dimension);
  const wanted = gram(teacherVectors.subarray(0, HELD_OUT * TEACHER_DIMENSION), TEACHER_DIMENSION);
  const a: number[] = [];
  const b: number[] = [];
  for (let row = 0; row < HELD_OUT; row++) {
    for (let column = 0; column < row; column++) {
      a.push(student[row * HELD_OUT + column]!);
      b.push(wanted[row * HELD_OUT + column]!);
    }
  }
  console.log(
    `${stage}: correlation of pair similarities with the teacher ${correlation(a, b).toFixed(3)} on ${HELD_OUT} held-out sentences`,
  );
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const meanA = a.reduce((sum, value) => sum + value, 0) / a.length;
  const meanB = b.reduce((sum, value) => sum + value, 0) / b.length;
  let ab = 0;
  let aa = 0;
  let bb = 0;
  a.forEach((value, at) => {
    const x = value - meanA;
    const y = b[at]! - meanB;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  });
  return ab / Math.sqrt(aa * bb);
}

function mulberry32(state: number): Random {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

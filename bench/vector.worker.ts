/** Measures the vector indexes inside a worker; `vector.ts` starts it. It imports the room itself, since indexes are no
 * public names. */

import { FlatIndex } from "../src/vector/flat.js";
import { loadHnswLibrary } from "../src/vector/hnsw-library.js";
import { type Kernel, loadKernel } from "../src/vector/kernel.js";
import { kernelUrl } from "../workers/assets.js";
import type { WorkerAnswer } from "./browser.js";
import { normalised, seeded, unit } from "./random.js";
import { timeInRounds } from "./timing.js";

interface Input {
  readonly entries: number;
  readonly dimension: number;
  readonly seed: number;
}

const K = 20;
const QUERIES = 100;
const ROUNDS = 9;
const EF = 50;
const TOPICS = 200;
/** Share of the slots that the filter passes. */
const PASSING = 0.01;

async function measure({ entries, dimension, seed }: Input): Promise<Record<string, number>> {
  const opened = await loadKernel(kernelUrl());
  if (!opened.kernel) throw new Error(opened.reason);
  const random = seeded(seed);
  const rows = topicRows(entries + QUERIES, dimension, random);
  const row = (i: number) => rows.slice(i * dimension, (i + 1) * dimension);
  const queries = Array.from({ length: QUERIES }, (_, i) => row(entries + i));

  const flat = new FlatIndex({ dimension, kernel: opened.kernel });
  const plain = new FlatIndex({ dimension });
  const flatBuild = elapsed(() => {
    for (let i = 0; i < entries; i++) flat.add(i, row(i));
  });
  for (let i = 0; i < entries; i++) plain.add(i, row(i));

  const graph = (await loadHnswLibrary()).newGraph(dimension);
  graph.initIndex(entries + 1, 16, 200, 100);
  const graphBuild = elapsed(() => {
    for (let i = 0; i < entries; i++) graph.addPoint(row(i), i, false);
  });
  graph.setEfSearch(EF);

  const truths = queries.map((query) => nearestInFloat64(rows, entries, dimension, query));
  const recall = (find: (query: Float32Array) => Iterable<number>) =>
    queries.reduce((found, query, i) => found + [...find(query)].filter((slot) => truths[i]?.has(slot)).length, 0) /
    (K * QUERIES);

  const mask = Uint8Array.from({ length: entries }, () => (random() < PASSING ? 1 : 0));
  const at = (i: number) => queries[i % QUERIES] as Float32Array;
  const ms = timeInRounds(
    [
      { name: "flat", samples: QUERIES, run: (i) => flat.search(at(i), K) },
      { name: "graph", samples: QUERIES, run: (i) => graph.searchKnn(at(i), K, undefined) },
      { name: "flat.filtered", samples: QUERIES, batch: 10, run: (i) => flat.search(at(i), K, mask) },
      { name: "graph.filtered", samples: 5, run: (i) => graph.searchKnn(at(i), K, (label) => mask[label] === 1) },
      { name: "js", samples: 10, run: (i) => plain.search(at(i), K) },
    ],
    ROUNDS,
  );
  const figures = {
    "coarse.ms": ms["flat"] ?? Number.NaN,
    "coarse.ms.hnsw": ms["graph"] ?? Number.NaN,
    "coarse.ms.js": ms["js"] ?? Number.NaN,
    "coarse.recall@20": recall((query) => flat.search(query, K).map((hit) => hit.slot)),
    "coarse.recall@20.hnsw": recall((query) => graph.searchKnn(query, K, undefined).neighbors),
    "coarse.build.ms": flatBuild,
    "coarse.build.ms.hnsw": graphBuild,
    "filter.ms": ms["flat.filtered"] ?? Number.NaN,
    "filter.ms.hnsw": ms["graph.filtered"] ?? Number.NaN,
    "filter.share": (ms["flat.filtered"] ?? Number.NaN) / (ms["flat"] ?? Number.NaN),
  };
  graph.delete();
  flat.close();
  plain.close();
  return { ...figures, ...scoreAllFigures(opened.kernel, entries, random) };
}

/** `scoreAll` over entries of 2.5 rows (whole text and sentences), with the dimensions of our two embedders. */
function scoreAllFigures(kernel: Kernel, entries: number, random: () => number): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const dimension of [64, 384]) {
    const index = new FlatIndex({ dimension, kernel });
    const rows = topicRows(4, dimension, random);
    for (let slot = 0; slot < entries; slot++) {
      const count = [1, 2, 3, 4][slot % 4] as number;
      const own = rows.slice(0, count * dimension);
      for (let i = 0; i < own.length; i++) own[i] = (own[i] as number) * (0.5 + random());
      index.add(slot, own);
    }
    const query = topicRows(1, dimension, random);
    const name = `scoreAll.ms.${dimension}d`;
    Object.assign(figures, timeInRounds([{ name, samples: 40, run: () => void index.scoreAll(query) }], ROUNDS));
    index.close();
  }
  return figures;
}

/** The K nearest by float64 dot products, ties by slot. */
function nearestInFloat64(rows: Float32Array, count: number, dimension: number, query: Float32Array): ReadonlySet<number> {
  const scores = Array.from({ length: count }, (_, slot) => {
    let dot = 0;
    for (let i = 0; i < dimension; i++) dot += (rows[slot * dimension + i] as number) * (query[i] as number);
    return { slot, dot };
  });
  scores.sort((a, b) => b.dot - a.dot || a.slot - b.slot);
  return new Set(scores.slice(0, K).map(({ slot }) => slot));
}

function elapsed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Unit rows around shared centres, as sentence embeddings are; cosines of .4 inside a topic, 0 between topics. */
function topicRows(count: number, dimension: number, random: () => number): Float32Array {
  const centres = Array.from({ length: TOPICS }, () => unit(dimension, random));
  const rows = new Float32Array(count * dimension);
  for (let i = 0; i < count; i++) {
    const centre = centres[Math.floor(random() * TOPICS)] as Float32Array;
    const own = unit(dimension, random);
    const mixed = own.map((value, j) => value + 0.8 * (centre[j] as number));
    rows.set(normalised(mixed), i * dimension);
  }
  return rows;
}

const post = (answer: WorkerAnswer) => postMessage(answer);

self.onmessage = (event: MessageEvent<Input>) => {
  measure(event.data).then(
    (value) => post({ ok: true, value }),
    (error: unknown) => post({ ok: false, error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }),
  );
};

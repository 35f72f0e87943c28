/** Trains the lite selector and writes `src/retrieve/selector-data.ts`: `npm run train:selector -- [--data DIR] [--out FILE] [--cache DIR]
 * [--embedder static|minilm] [--limit N] [--seed N]`.
 *
 * Learns on LongMemEval dev without its ShareGPT sessions; LoCoMo is only measured. (What ships was made when ten sessions with evidence,
 * "answer_sharegpt_…" of 10,309, were still taken for others; its weights hold none of their words.) Takes some ten CPU minutes for the
 * static embedder, nearly all of them for making the pools, which the cache folder keeps; for MiniLM about a minute a question. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Dataset } from "../../eval/data/dataset.js";
import { isPermissive } from "../../eval/data/licence.js";
import { openLocomo } from "../../eval/data/locomo.js";
import { openLongMemEval } from "../../eval/data/longmemeval.js";
import { openEmbedder } from "../../eval/embedders.js";
import { findData } from "../../eval/find-data.js";
import { loadKernelFile } from "../../eval/kernel-file.js";
import { crossValidate, measure, scoreAll } from "./evaluate.js";
import { fitLogit } from "./fit.js";
import { collectPools, type Pool } from "./pools.js";
import { fitProbability } from "./probability.js";
import { writeWeights } from "./write-weights.js";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: fileURLToPath(new URL("../../../shared/data", import.meta.url)) },
    out: { type: "string", default: fileURLToPath(new URL("../../src/retrieve/selector-data.ts", import.meta.url)) },
    cache: { type: "string", default: join(tmpdir(), "keepsake-train-selector") },
    embedder: { type: "string", default: "static" },
    limit: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
const { embedder: name } = options;
if (name !== "static" && name !== "minilm") throw new RangeError(`--embedder is static or minilm, got ${name}`);
const limit = options.limit === undefined ? Number.POSITIVE_INFINITY : Number(options.limit);
const seed = Number(options.seed);

const found = await findData(options.data);
const pathOf = (set: Dataset["name"]): string => {
  const path = found.find((one) => one.name === set)?.path;
  if (path === undefined) throw new RangeError(`no ${set} in ${options.data}`);
  return path;
};
const { embedder, wordVectors } = await openEmbedder(name);
const kernel = await loadKernelFile();
const parts = { embedder, wordVectors, ...(kernel ? { kernel } : {}) };
await mkdir(options.cache, { recursive: true });

const training = await pools("train-permissive", openLongMemEval(pathOf("longmemeval"), { keepSession: isPermissive }));
const testing = await pools("longmemeval", openLongMemEval(pathOf("longmemeval")));
const locomo = await pools("locomo", openLocomo(pathOf("locomo")), Number.POSITIVE_INFINITY);

const held = crossValidate(training, testing, seed);
const fitted = fitLogit(training);
// Probabilities come from logits of selectors that did not see the question.
const probability = fitProbability(crossValidate(training, training, seed));
report("LongMemEval, selector trained without the fold", measure(held, seed));
report("LoCoMo, never trained on", measure(scoreAll(locomo, fitted), seed));
const version = await writeWeights(options.out, {
  embedder: name,
  fitted,
  probability,
  provenance:
    `LongMemEval_S dev without ShareGPT sessions (MIT), ${training.length} questions with evidence; conditional logit over the 50 best of the ` +
    "coarse search, signs constrained, L2 60 towards a weight of 2 for the score and 0 for the others; LoCoMo was not used; " +
    `embedder ${embedder.id}, seed ${seed}`,
});
console.log(`${options.out}: ${version}`);
await embedder.close();

/** The pools of a data set, from the cache if they are in it. */
async function pools(set: string, data: Dataset, most = limit): Promise<Pool[]> {
  const file = join(options.cache, `${set}-${name}-${Number.isFinite(most) ? most : "all"}.json`);
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as Pool[];
  const made: Pool[] = [];
  const startedAt = performance.now();
  for await (const pool of collectPools(data, parts, most)) {
    made.push(pool);
    process.stderr.write(`\r${set}: ${made.length} questions, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s `);
  }
  process.stderr.write("\n");
  await writeFile(file, JSON.stringify(made));
  return made;
}

function report(title: string, measured: ReturnType<typeof measure>): void {
  const interval = ([low, high]: readonly [number, number]): string => `[${low.toFixed(3)}, ${high.toFixed(3)}]`;
  console.log(title);
  console.log(`  recall@10 ${measured["recall@10"].toFixed(4)} ${interval(measured["recall@10.interval"])}`);
  console.log(`  all@10    ${measured["all@10"].toFixed(4)} ${interval(measured["all@10.interval"])}`);
  for (const [category, recall] of Object.entries(measured.categories)) console.log(`  ${category} ${recall.toFixed(4)}`);
}

/** Trains the sentence gate and writes `src/write/gate-data.ts`: `npm run train:gate -- [--data DIR] [--out FILE] [--cache DIR]
 * [--seed N]`.
 *
 * Learns on LongMemEval dev (MIT) without sessions whose id holds "sharegpt_"; LoCoMo is never read here. The same data and seed
 * give the same bytes: the seed deals the questions into the folds that the scorer's held-out scores come from. Takes some
 * three CPU minutes, most of them for those scores, which the cache folder keeps. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadLongMemEval } from "../../eval/lre/dialogues.js";
import { makeFolds } from "../../eval/lre/folds.js";
import { gateCurve } from "./curve.js";
import { firstOccurrence, trainFolds, trainGate } from "./learning.js";
import { heldOutScores } from "./lre-scores.js";
import { collectGate } from "./rows.js";
import { writeWeights } from "./shipping.js";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: fileURLToPath(new URL("../../../shared/data", import.meta.url)) },
    out: { type: "string", default: fileURLToPath(new URL("../../src/write/gate-data.ts", import.meta.url)) },
    cache: { type: "string", default: join(tmpdir(), "keepsake-train-gate") },
    seed: { type: "string", default: "1" },
  },
});

const dialogues = await loadLongMemEval(join(options.data, "longmemeval"));
const folds = makeFolds(dialogues, 5, Number(options.seed));
const scores = await turnScores();
const rows = collectGate(dialogues, (dialogue, at) => scores[dialogue]?.[at] ?? 0, firstOccurrence(dialogues));
const curve = gateCurve(
  rows,
  folds,
  trainFolds(rows, dialogues, folds).map(({ logistic }) => logistic),
);
for (const { share, recall, turns } of curve)
  console.log(
    `${(100 * share).toFixed(0)}% of sentences stored: ${recall.toFixed(3)} of evidence turns kept, ${turns.toFixed(3)} of all`,
  );
const { weights } = trainGate(
  rows,
  dialogues,
  `LongMemEval_S dev without ShareGPT sessions (MIT), persons' turns of the sessions that hold evidence; multiple-instance logistic, L2 1000, ` +
    `turn scores held out in ${folds.count} folds; LoCoMo was not used; seed ${options.seed}`,
);
await writeWeights(options.out, weights);
console.log(`${options.out}: ${weights.version}`);

/** Held-out scores of all turns, from the cache if they are in it. */
async function turnScores(): Promise<readonly (readonly number[])[]> {
  const file = join(options.cache, `turn-scores-${options.seed}.json`);
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as number[][];
  const made = heldOutScores(dialogues, folds, (done) => process.stderr.write(`\rturn scores: fold ${done} of ${folds.count} `));
  process.stderr.write("\n");
  await mkdir(options.cache, { recursive: true });
  await writeFile(file, JSON.stringify(made));
  return made;
}

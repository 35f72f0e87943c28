/** The sentence gate on LongMemEval, by gates that did not learn from the fold: its curve, and its default as it runs. */

import { join } from "node:path";
import { type CurvePoint, gateCurve } from "../../scripts/train-gate/curve.js";
import { firstOccurrence, trainFolds } from "../../scripts/train-gate/learning.js";
import { heldOutScores } from "../../scripts/train-gate/lre-scores.js";
import { collectGate } from "../../scripts/train-gate/rows.js";
import { splitSentences } from "../../src/text/sentences.js";
import { judgeSentence, tellsInAsking } from "../../src/write/gate.js";
import { GateStream } from "../../src/write/gate-stream.js";
import type { GateWeights } from "../../src/write/gate-weights.js";
import { type Dialogue, loadLongMemEval } from "../lre/dialogues.js";
import { makeFolds } from "../lre/folds.js";

const FOLDS = 5;
const MAX_SENTENCES = 400;

export interface GateFindings {
  readonly curve: readonly CurvePoint[];
  /** By evidence turn of a person, 1 where the default stores one of its sentences. */
  readonly kept: readonly number[];
  /** Share of persons' sentences that the default stores. */
  readonly stored: number;
}

/** @param folder of LongMemEval's files */
export async function measureGate(folder: string, seed: number): Promise<GateFindings> {
  const dialogues = await loadLongMemEval(join(folder));
  const folds = makeFolds(dialogues, FOLDS, seed);
  const scores = heldOutScores(dialogues, folds, (done) => process.stderr.write(`\rgate: turn scores, fold ${done} `));
  const rows = collectGate(dialogues, (dialogue, at) => scores[dialogue]?.[at] ?? 0, firstOccurrence(dialogues));
  const gates = trainFolds(rows, dialogues, folds);
  const curve = gateCurve(
    rows,
    folds,
    gates.map(({ logistic }) => logistic),
  );
  const runs = dialogues.map((dialogue, number) =>
    runDefault(dialogue, scores[number] as number[], (gates[folds.of[number] as number] as (typeof gates)[number]).weights),
  );
  process.stderr.write("\n");
  const sum = (pick: (run: (typeof runs)[number]) => number): number => runs.reduce((total, run) => total + pick(run), 0);
  return { curve, kept: runs.flatMap(({ kept }) => kept), stored: sum((run) => run.stored) / sum((run) => run.sentences) };
}

/** What the gate stores of a whole haystack as one conversation. */
function runDefault({ turns, gold }: Dialogue, scores: readonly number[], weights: GateWeights) {
  let at = -1;
  const stream = new GateStream("assistant", { push: () => scores[at] ?? 0 }, weights);
  const kept: number[] = [];
  let [sentences, stored] = [0, 0];
  for (const { role, text, session } of turns) {
    at++;
    const spoken = role === "user" ? splitSentences(text).slice(0, MAX_SENTENCES) : [];
    const gated = stream.push({ role, text, sessionId: String(session) }, spoken);
    const passing = spoken.filter((sentence, index) => {
      const verdict = judgeSentence(sentence, role, new Set());
      if (verdict === "question") return gated[index]?.passesAsking === true && tellsInAsking(sentence);
      return verdict === "keep" && gated[index]?.passes === true;
    }).length;
    sentences += spoken.length;
    stored += passing;
    if (gold[at] === 1 && role === "user") kept.push(passing > 0 ? 1 : 0);
  }
  return { kept, sentences, stored };
}

/** Trains the model for dialogue between people, from the person's side of LongMemEval. */

import type { Dialogue } from "../../eval/lre/dialogues.js";
import { DIALOGUE_FEATURES, DialogueFeatures } from "../../src/lre/dialogue-features.js";
import { CLIP, fitLogistic, standardisation } from "../../src/lre/logistic.js";
import type { ScorerModel } from "../../src/lre/model.js";
import { deviationOf, logitsOf, RowStore, toPart } from "../../src/lre/rows.js";
import { RunningNormal } from "../../src/lre/running-normal.js";

/** What does not carry over from talk with an assistant: position, the turn before, captions, thanks and names. */
const LEFT_OUT = new Set(
  (
    "sessionTurn captionWords hasCaption previousEndsAsking previousAsksWh previousQuestionShare answers answerNewStems lengthRatio reaction thanks " +
    "namesSpeaker"
  ).split(" "),
);
/** Held tight, for the same reason. */
const L2 = 4_000;
/** There is no answering between people in the training data, so this weight is set by hand, in deviations of z: new words in answer
 * to the other's question. */
const ANSWER_WEIGHT = 0.5;

const columnsOf = (names: (name: string) => boolean): number[] =>
  DIALOGUE_FEATURES.flatMap((name, column) => (names(name) ? [column] : []));

/** @param dialogues without the texts that may not be learned from */
export function trainPeople(dialogues: readonly Dialogue[], provenance: string): ScorerModel {
  const width = DIALOGUE_FEATURES.length;
  const raw = new RowStore(width);
  const rows: { dialogue: number; row: number; label: number; learn: boolean }[] = [];
  dialogues.forEach((dialogue, number) => {
    const stream = new DialogueFeatures();
    dialogue.turns.forEach((turn, at) => {
      if (turn.role !== "user") return;
      stream.push(turn);
      const row = raw.add(stream.dense, stream.buckets, 0);
      // Evidence sessions alone: elsewhere a fact may matter just as much and nobody asked for it.
      rows.push({
        dialogue: number,
        row,
        label: dialogue.gold[at] as number,
        learn: dialogue.sessions[turn.session]?.isEvidence ?? false,
      });
    });
  });
  const all = columnsOf(() => true);
  const seed = standardisation(
    raw.data,
    Uint32Array.from(rows, ({ row }) => row),
    all,
  );
  const normal = new RowStore(width);
  let running = new RunningNormal(seed.mean, seed.deviation);
  let current = -1;
  const values = new Float64Array(width);
  const { dense } = raw.data;
  for (const { dialogue, row } of rows) {
    if (dialogue !== current) running = new RunningNormal(seed.mean, seed.deviation);
    current = dialogue;
    running.learn((k) => dense[row * width + k] as number);
    for (let k = 0; k < width; k++)
      values[k] = Math.max(-CLIP, Math.min(CLIP, running.normal(k, dense[row * width + k] as number)));
    normal.add(values, new Int32Array(0), 0);
  }
  const use = columnsOf((name) => !LEFT_OUT.has(name));
  const unit = { mean: new Float64Array(use.length), deviation: new Float64Array(use.length).fill(1) };
  const labels = Float32Array.from(rows, ({ label }) => label);
  const subset = Uint32Array.from(rows.flatMap(({ row, learn }) => (learn ? [row] : [])));
  const fitted = fitLogistic(normal.data, { labels, subset, use, l2: L2, scale: unit });
  const spread = deviationOf(logitsOf(fitted, normal.data, subset));
  const part = toPart(fitted, DIALOGUE_FEATURES, "", spread);
  const answer = DIALOGUE_FEATURES.indexOf("answerNewStems");
  return {
    profile: "people",
    provenance,
    parts: [
      {
        ...part,
        normal: "running",
        features: [...part.features, "answerNewStems"],
        mean: Float64Array.from([...use, answer], (column) => seed.mean[column] as number),
        deviation: Float64Array.from([...use, answer], (column) => seed.deviation[column] as number),
        weights: Float64Array.from([...part.weights, ANSWER_WEIGHT * spread]),
      },
    ],
  };
}

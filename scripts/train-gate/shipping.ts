/** From fitted numbers to the gate's weights as they ship, and to the weights of a fold. */

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { type Logistic, logit, type TrainingRows } from "../../src/lre/logistic.js";
import { GATE_DATA } from "../../src/write/gate-data.js";
import { GATE_FEATURES } from "../../src/write/gate-features.js";
import type { GateWeights, LearnedFeature } from "../../src/write/gate-weights.js";

export const LEARNED = GATE_FEATURES.filter((name): name is LearnedFeature => name !== "answers");
export const LEARNED_COLUMNS = LEARNED.map((name) => GATE_FEATURES.indexOf(name));

const STEPS = 40;
/** Deviations of the score that an answer between people is worth: WRITING, measured on LoCoMo. */
const ANSWER_BONUS = 0.3;
const round = (value: number): number => Number(value.toFixed(4));

/** SHA-256 over what is learned, in a fixed order, so that a changed digit shows. */
export function checksumOf({ features, answers, quantiles }: Pick<GateWeights, "features" | "answers" | "quantiles">): string {
  const numbers = LEARNED.flatMap((name) => {
    const { mean, deviation, weight } = features[name];
    return [name, mean, deviation, weight];
  });
  return createHash("sha256")
    .update([...numbers, answers, ...quantiles].join(" "))
    .digest("hex");
}

/** @param rows whose scores the first idea of a distribution is taken from */
export function toWeights(fitted: Logistic, data: TrainingRows, rows: readonly number[], provenance: string): GateWeights {
  const scores = Float64Array.from(rows, (row) => logit(fitted, data.dense, row * data.columns) - fitted.bias).sort();
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const spread = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
  const features = Object.fromEntries(
    LEARNED.map((name, k) => [
      name,
      {
        mean: round(fitted.mean[k] as number),
        deviation: round(fitted.deviation[k] as number),
        weight: round(fitted.weights[k] as number),
      },
    ]),
  ) as GateWeights["features"];
  const quantiles = Array.from({ length: STEPS + 1 }, (_, step) =>
    round(scores[Math.min(scores.length - 1, Math.floor((step / STEPS) * scores.length))] as number),
  );
  const numbers = { features, answers: round(ANSWER_BONUS * spread), quantiles };
  const sha256 = checksumOf(numbers);
  const [family = "gate", number = "0"] = GATE_DATA.version.split("/");
  const version = sha256 === GATE_DATA.sha256 ? GATE_DATA.version : `${family}/${Number(number) + 1}`;
  return { version, sha256, provenance, ...numbers };
}

export async function writeWeights(path: string, weights: GateWeights): Promise<void> {
  const { version, sha256, provenance, features, answers, quantiles } = weights;
  const lines = Object.entries(features).map(
    ([name, { mean, deviation, weight }]) => `    ${name}: { mean: ${mean}, deviation: ${deviation}, weight: ${weight} },`,
  );
  await writeFile(
    path,
    `/** Weights of the sentence gate. Written by \`npm run train:gate\`; data, no logic. */

import type { GateWeights } from "./gate-weights.js";

export const GATE_DATA: GateWeights = {
  version: ${JSON.stringify(version)},
  sha256: ${JSON.stringify(sha256)},
  provenance:
    ${JSON.stringify(provenance)},
  features: {
${lines.join("\n")}
  },
  answers: ${answers},
  quantiles: [
${rowsOf(quantiles).join("\n")}
  ],
};
`,
  );
}

function rowsOf(numbers: readonly number[]): string[] {
  const rows: string[] = [];
  let row = "";
  for (const number of numbers) {
    const next = row === "" ? `    ${number},` : `${row} ${number},`;
    if (next.length > 130) {
      rows.push(row);
      row = `    ${number},`;
    } else row = next;
  }
  return [...rows, row];
}

/** Writes the selectors' weights as a TypeScript file of data, one selector an embedder; the other's stay as they are. */

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { SELECTOR_DATA } from "../../src/retrieve/selector-data.js";
import type { SelectorFeature, SelectorWeights } from "../../src/retrieve/selector-weights.js";
import type { Fitted } from "./fit.js";
import { FEATURES } from "./pools.js";
import type { Probability } from "./probability.js";

const round = (value: number): number => Number(value.toFixed(4));

/** SHA-256 over what is learned, in a fixed order, so that a changed digit shows. */
export function checksumOf({ features, probability }: Pick<SelectorWeights, "features" | "probability">): string {
  const numbers = FEATURES.flatMap((name) => {
    const { mean, deviation, weight } = features[name];
    return [name, mean, deviation, weight];
  });
  const all = [...numbers, probability.logit, probability.gap, probability.bias];
  return createHash("sha256").update(all.join(" ")).digest("hex");
}

const KEYS = { static: "static", minilm: "sentenceModel" } as const;

/** @returns the new version */
export async function writeWeights(
  path: string,
  trained: {
    readonly embedder: keyof typeof KEYS;
    readonly fitted: Fitted;
    readonly probability: Probability;
    readonly provenance: string;
  },
): Promise<string> {
  const key = KEYS[trained.embedder];
  const before = SELECTOR_DATA[key];
  const features = Object.fromEntries(
    FEATURES.map((name, f) => [
      name,
      {
        mean: round(trained.fitted.means[f] as number),
        deviation: round(trained.fitted.deviations[f] as number),
        weight: round(trained.fitted.weights[f] as number),
      },
    ]),
  ) as Record<SelectorFeature, { mean: number; deviation: number; weight: number }>;
  const { logit, gap, bias } = trained.probability;
  const probability = { logit: round(logit), gap: round(gap), bias: round(bias) };
  const sha256 = checksumOf({ features, probability });
  const [family = key, number = "0"] = before.version.split("/");
  const version = sha256 === before.sha256 ? before.version : `${family}/${Number(number) + 1}`;
  const now: SelectorWeights = {
    version,
    sha256,
    provenance: trained.provenance,
    features,
    probability,
    minCosine: before.minCosine,
  };
  const data = { ...SELECTOR_DATA, [key]: now };
  const text = `/** Weights of the lite selectors. Written by \`npm run train:selector\`; data, no logic. */

import type { SelectorWeights } from "./selector-weights.js";

export const SELECTOR_DATA: Readonly<Record<"static" | "sentenceModel", SelectorWeights>> = ${literal(data, "")};
`;
  await writeFile(path, text);
  return version;
}

/** Plain data as source in the house's format. */
function literal(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.every(([, inner]) => typeof inner === "number"))
    return `{ ${entries.map(([name, inner]) => `${name}: ${inner}`).join(", ")} }`;
  const lines = entries.map(([name, inner]) => {
    const text = `${indent}  ${name}: ${literal(inner, `${indent}  `)},`;
    // Long strings go on a line of their own.
    return typeof inner === "string" && text.length > 130 ? `${indent}  ${name}:\n${indent}    ${JSON.stringify(inner)},` : text;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

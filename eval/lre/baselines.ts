/** What the scorer is compared with: scores that need no learning, one a turn, and how each is used to choose. */

import { solveKnapsack } from "../../src/lre/knapsack.js";
import { contentStems } from "../../src/lre/labels.js";
import { calibrate } from "../../src/lre/scorer.js";
import type { Embedder } from "../../src/ports.js";
import { seededRandom } from "../metrics.js";
import type { Dialogue } from "./dialogues.js";
import { type Policy, RECENT, settleRecent } from "./retention.js";

export interface Baseline {
  readonly name: string;
  /** Larger is kept first. */
  score(dialogue: Dialogue): Promise<Float64Array> | Float64Array;
  /** "newest" stops at the first turn that does not fit; "best" takes the largest scores; "density" divides by tokens first, as a sum
   * of worth should be. */
  readonly takes: "newest" | "best" | "density";
}

/** Σ idf over distinct stems, document frequencies of the turns before. */
function salience({ turns }: Dialogue): Float64Array {
  const frequency = new Map<string, number>();
  return Float64Array.from(turns, ({ text, caption }, at) => {
    const distinct = new Set(contentStems(caption ? `${text} ${caption}` : text));
    let sum = 0;
    for (const stem of distinct) sum += Math.max(0, Math.log((at + 2) / ((frequency.get(stem) ?? 0) + 0.5)));
    for (const stem of distinct) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
    return sum;
  });
}

/** Turns until a decayed salience is halved. */
const HALF_LIFE = 100;

/** Mean self-information of a turn's words under the unigrams heard so far: what token pruning keeps most of. */
function selfInformation(dialogue: Dialogue): Float64Array {
  const counts = new Map<string, number>();
  let total = 0;
  return Float64Array.from(dialogue.turns, ({ text }) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
    let sum = 0;
    for (const word of words) sum -= Math.log(((counts.get(word) ?? 0) + 0.5) / (total + 1_000));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    total += words.length;
    return words.length > 0 ? sum / words.length : 0;
  });
}

/** Cosine of a turn with the centroid of its conversation. */
async function centrality(dialogue: Dialogue, embedder: Embedder): Promise<Float64Array> {
  const vectors = await embedder.embed(dialogue.turns.map(({ text, caption }) => (caption ? `${text} ${caption}` : text)));
  const { dimension } = embedder;
  const centroid = new Float64Array(dimension);
  for (let i = 0; i < vectors.length; i++) centroid[i % dimension] = (centroid[i % dimension] as number) + (vectors[i] as number);
  return Float64Array.from(dialogue.turns, (_, at) => {
    let dot = 0;
    for (let k = 0; k < dimension; k++) dot += (vectors[at * dimension + k] as number) * (centroid[k] as number);
    return dot;
  });
}

/** @param embedders for the dense baselines, by the name that ends their figures */
export function baselines(seed: number, embedders: Readonly<Record<string, Embedder>>): Baseline[] {
  const random = seededRandom(seed);
  return [
    { name: "fifo", takes: "newest", score: ({ turns }) => Float64Array.from(turns, (_, at) => at) },
    { name: "random", takes: "best", score: ({ turns }) => Float64Array.from(turns, () => random()) },
    {
      name: "decay",
      takes: "best",
      score: (dialogue) => salience(dialogue).map((value, at) => value * 2 ** ((at - dialogue.turns.length) / HALF_LIFE)),
    },
    { name: "tfidf", takes: "density", score: salience },
    { name: "pruning", takes: "best", score: selfInformation },
    ...Object.entries(embedders).map(
      ([name, embedder]): Baseline => ({ name, takes: "best", score: (dialogue) => centrality(dialogue, embedder) }),
    ),
    { name: "oracle", takes: "density", score: ({ gold }) => Float64Array.from(gold) },
  ];
}

/** The recent turns, then older ones in the baseline's order as long as they fit. @param scores of each dialogue's turns */
export const baselinePolicy =
  ({ takes }: Pick<Baseline, "takes">, scores: readonly ArrayLike<number>[]): Policy =>
  (ask) => {
    const own = scores[ask.number] as ArrayLike<number>;
    const settled = settleRecent(ask);
    const { kept, first } = settled;
    let { left } = settled;
    if (takes === "density") {
      const { taken } = solveKnapsack(Array.from(own).slice(0, first), ask.costs.slice(0, first), left);
      for (let at = 0; at < first; at++) if (taken[at] === 1) kept.add(at);
      return kept;
    }
    const order = Array.from({ length: first }, (_, at) => at).sort((a, b) => (own[b] as number) - (own[a] as number));
    for (const at of order) {
      const cost = ask.costs[at] as number;
      if (cost > left) {
        if (takes === "newest") break;
        continue;
      }
      kept.add(at);
      left -= cost;
    }
    return kept;
  };

/** What the context window does with these scores, where they do not come from a model that it could run. */
export const scorePolicy = (scores: readonly ArrayLike<number>[]): Policy => {
  const byDensity = { takes: "density" } as const;
  return (ask) => {
    const first = Math.max(0, ask.costs.length - RECENT);
    const probabilities = calibrate(Array.from(scores[ask.number] as ArrayLike<number>).slice(0, first));
    return baselinePolicy(byDensity, [probabilities])({ ...ask, number: 0 });
  };
};

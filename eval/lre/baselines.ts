/** What the scorer is compared with: scores that need no learning, one a turn. */

import { solveKnapsack } from "../../src/lre/knapsack.js";
import { contentStems } from "../../src/lre/labels.js";
import type { Embedder } from "../../src/ports.js";
import { seededRandom } from "../metrics.js";
import type { Dialogue } from "./dialogues.js";

export interface Baseline {
  readonly name: string;
  /** Larger is kept first. */
  score(dialogue: Dialogue): Promise<Float64Array> | Float64Array;
  /** Divide by tokens before choosing, as a sum of worth should be. */
  readonly byDensity: boolean;
}

const wordsOf = (dialogue: Dialogue): string[][] =>
  dialogue.turns.map(({ text, caption }) => contentStems(caption ? `${text} ${caption}` : text));

/** Σ idf over distinct stems, document frequencies of the turns before. */
function salience(dialogue: Dialogue): Float64Array {
  const frequency = new Map<string, number>();
  return Float64Array.from(wordsOf(dialogue), (stems, at) => {
    const distinct = new Set(stems);
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

/** @param embedder for the dense baseline; left out without one */
export function baselines(seed: number, embedder?: Embedder): Baseline[] {
  const random = seededRandom(seed);
  const list: Baseline[] = [
    { name: "fifo", byDensity: false, score: ({ turns }) => Float64Array.from(turns, (_, at) => at) },
    { name: "random", byDensity: false, score: ({ turns }) => Float64Array.from(turns, () => random()) },
    {
      name: "decay",
      byDensity: false,
      score: (dialogue) => salience(dialogue).map((value, at) => value * 2 ** ((at - dialogue.turns.length) / HALF_LIFE)),
    },
    { name: "tfidf", byDensity: true, score: salience },
    { name: "pruning", byDensity: false, score: selfInformation },
    { name: "oracle", byDensity: true, score: ({ gold }) => Float64Array.from(gold) },
  ];
  if (embedder)
    list.push({ name: `dense-${embedder.dimension}d`, byDensity: false, score: (dialogue) => centrality(dialogue, embedder) });
  return list;
}

/** The last `recent` turns inside the budget, then the best of the others. FIFO stops at the first turn that does not fit. */
export function keepByScore(
  scores: Float64Array,
  costs: readonly number[],
  budget: number,
  recent: number,
  { byDensity, name }: Baseline,
): Set<number> {
  const kept = new Set<number>();
  let left = budget;
  const first = Math.max(0, scores.length - recent);
  for (let at = scores.length - 1; at >= first && (costs[at] as number) <= left; at--) {
    kept.add(at);
    left -= costs[at] as number;
  }
  if (name === "fifo") {
    for (let at = first - 1; at >= 0 && (costs[at] as number) <= left; at--) {
      kept.add(at);
      left -= costs[at] as number;
    }
    return kept;
  }
  if (byDensity) {
    const choice = solveKnapsack(scores.subarray(0, first), costs.slice(0, first), left);
    choice.taken.forEach((taken, at) => {
      if (taken === 1) kept.add(at);
    });
    return kept;
  }
  const order = Array.from({ length: first }, (_, at) => at).sort((a, b) => (scores[b] as number) - (scores[a] as number));
  for (const at of order) {
    if ((costs[at] as number) > left) continue;
    kept.add(at);
    left -= costs[at] as number;
  }
  return kept;
}

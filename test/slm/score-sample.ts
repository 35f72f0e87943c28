/** Three questions and five memories each, the one that answers first, to compare what engines make of the same weights. */

import type { EngineMessage, SlmEngine } from "../../src/ports.js";
import { likelihoodMessages } from "../../src/slm/prompts/selector.js";
import { perToken } from "../../src/slm/structured/scores.js";

interface ScoreSample {
  readonly question: string;
  readonly memories: readonly string[];
}

const SCORE_SAMPLES: readonly ScoreSample[] = [
  {
    question: "Which instrument does Greta play?",
    memories: [
      "2026-03-02 Greta: I rehearsed with my cello until the neighbours knocked on the wall.",
      "2026-03-04 Greta: The tickets for the ferry to Bergen were sold out.",
      "2026-03-05 Tomas: My nephew plays in a band on Fridays.",
      "2026-03-09 Greta: The kids played outside until dinner.",
      "2026-03-11 Tomas: Prices grow faster than wages.",
    ],
  },
  {
    question: "Where did Hassan grow up?",
    memories: [
      "2026-02-01 Hassan: All my school years were in Turku, we only left when I turned eighteen.",
      "2026-02-03 Hassan: My tomatoes refuse to grow up straight this year.",
      "2026-02-07 Uma: I would love to learn Danish one day.",
      "2026-02-08 Hassan: The clinic has a new allergy department.",
      "2026-02-15 Uma: We had risotto for lunch and it was lovely.",
    ],
  },
  {
    question: "Why did Ines quit the choir?",
    memories: [
      "2026-05-12 Ines: Singing on Tuesday evenings clashed with my physiotherapy, so I stopped.",
      "2026-05-13 Ines: The choir of Porto gave a concert in the old cinema.",
      "2026-05-13 Lars: I quit smoking in March.",
      "2026-05-19 Ines: The dishwasher broke again.",
      "2026-05-20 Lars: Which day is the bin collected?",
    ],
  },
];

/** What llama.cpp gives with SmolLM2-135M-Instruct in Q4_1, a token, on a CPU. */
const LLAMA_SCORES: readonly (readonly number[])[] = [
  [-2.885, -3.842, -4.3, -3.448, -5.479],
  [-1.968, -3.473, -6.055, -3.609, -5.333],
  [-3.75, -2.959, -5.561, -5.2, -5.842],
];

/** @returns the largest difference of two scores of the same memory, and the lowest rank correlation (Spearman's) of a sample */
export function agreement(ours: readonly (readonly number[])[]): { readonly difference: number; readonly correlation: number } {
  const pairs = ours.map((row, at) => [row, LLAMA_SCORES[at] ?? []] as const);
  return {
    difference: Math.max(...pairs.flatMap(([a, b]) => a.map((value, at) => Math.abs(value - (b[at] as number))))),
    correlation: Math.min(...pairs.map(([a, b]) => rankCorrelation(a, b))),
  };
}

function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const rank = (values: readonly number[]) => values.map((value) => values.filter((other) => other > value).length);
  const [ra, rb] = [rank(a), rank(b)];
  const squares = ra.reduce((sum, value, at) => sum + (value - (rb[at] as number)) ** 2, 0);
  return 1 - (6 * squares) / (a.length * (a.length ** 2 - 1));
}

/** @returns log P(question | memory) a token, for each memory of each sample */
export async function scoresOf(engine: SlmEngine): Promise<number[][]> {
  const scores: number[][] = [];
  for (const { question, memories } of SCORE_SAMPLES) {
    const row: number[] = [];
    for (const memory of memories) {
      const prompt: readonly EngineMessage[] = likelihoodMessages(memory);
      row.push(...(await perToken(engine, prompt, [question], {})));
    }
    scores.push(row);
  }
  return scores;
}

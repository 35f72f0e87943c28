/** The ways to recall that are compared. Each gives entries best first and the tokens of ten of them as a block. */

import type { Embedder } from "../src/ports.js";
import type { CoarseWeights } from "../src/retrieve/coarse.js";
import { LiteController } from "../src/retrieve/controller.js";
import { pack } from "../src/retrieve/pack.js";
import { topSlots } from "../src/retrieve/ranking.js";
import { recall } from "../src/retrieve/recall.js";
import { searchByRank } from "../src/retrieve/reciprocal-rank.js";
import { LiteSelector } from "../src/retrieve/selector.js";
import { selectorWeightsFor } from "../src/retrieve/selector-weights.js";
import { termsOf } from "../src/text/terms.js";
import { defaultTokenizer } from "../src/text/tokens.js";
import type { Entry } from "../src/types.js";
import type { DatasetQuestion } from "./data/dataset.js";
import type { TurnMemory } from "./turn-memory.js";

export const METHODS = ["lite", "vector-only", "bm25", "hybrid", "paper"] as const;
export type Method = (typeof METHODS)[number];

/** What a method found. */
export interface Found {
  /** At most ten, best first. */
  readonly entries: readonly Entry[];
  /** What fits into a block of 700 tokens, where the method fills one. */
  readonly filled?: readonly Entry[];
  readonly tokens: number;
  readonly ms: number;
}

const K = 10;
const BUDGET = 700;
/** So many memories may fill the budget. */
const FILL = 50;

export interface MethodParts {
  readonly memory: TurnMemory;
  readonly embedder: Embedder;
  readonly weights?: Partial<CoarseWeights>;
}

const clock = { now: () => performance.now() };

async function recallEntries(
  parts: MethodParts,
  question: DatasetQuestion,
  k: number,
  contextTokens: number,
  form: "keepsake" | "paper",
  fill = false,
) {
  const weights = selectorWeightsFor(parts.embedder.dimension);
  const lite = {
    controller: new LiteController(),
    selector: new LiteSelector(fill ? { weights, minProbability: 0 } : { weights }),
  };
  const found = await recall(
    { text: question.text, now: question.askedAt, timeZone: "UTC" },
    { ...parts.memory, embedder: parts.embedder, clock, lite },
    {
      k,
      contextTokens,
      deadlineMs: Number.POSITIVE_INFINITY,
      plan: form,
      trace: false,
      ...(parts.weights ? { weights: parts.weights } : {}),
    },
  );
  const { table } = parts.memory;
  const entries = found.items.flatMap((item) => table.entry(table.slotOf(item.entryId) ?? -1) ?? []);
  return { entries, tokens: found.tokens, ms: found.trace.totalMs };
}

export async function runMethod(method: Method, parts: MethodParts, question: DatasetQuestion): Promise<Found> {
  if (method === "lite" || method === "paper") {
    const form = method === "paper" ? "paper" : "keepsake";
    const ten = await recallEntries(parts, question, K, Number.POSITIVE_INFINITY, form);
    if (form === "paper") return ten;
    const filled = await recallEntries(parts, question, FILL, BUDGET, form, true);
    return { ...ten, filled: filled.entries };
  }
  const { memory, embedder } = parts;
  const startedAt = performance.now();
  const mask = memory.table.mask();
  const slots = await rank(method, memory, embedder, question.text, mask);
  const entries = slots.flatMap((slot) => memory.table.entry(slot) ?? []);
  const packed = pack(entries, {
    contextTokens: Number.POSITIVE_INFINITY,
    tokenizer: defaultTokenizer,
    timeZone: "UTC",
    now: question.askedAt,
  });
  return { entries, tokens: packed.tokens, ms: performance.now() - startedAt };
}

async function rank(
  method: "vector-only" | "bm25" | "hybrid",
  memory: TurnMemory,
  embedder: Embedder,
  text: string,
  mask: Uint8Array,
): Promise<number[]> {
  if (method === "bm25")
    return topSlots(memory.plainLexical.scoreAll(new Map(termsOf(text).map((term) => [term, 1])), mask), K, mask);
  const vector = await embedder.embed([text]);
  if (method === "hybrid") return searchByRank(memory, [{ text, vector, share: 1 }], K, mask).map(({ slot }) => slot);
  const scores = memory.vector.scoreAll?.(vector, mask).whole;
  return scores ? topSlots(scores, K, mask) : memory.vector.search(vector, K, mask).map((hit) => hit.slot);
}

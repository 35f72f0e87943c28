/** The ways to recall that are compared. Each gives entries best first and the tokens of ten of them as a block. */

import type { Controller, Embedder } from "../src/ports.js";
import type { CoarseWeights } from "../src/retrieve/coarse.js";
import { LiteController } from "../src/retrieve/controller.js";
import { pack } from "../src/retrieve/pack.js";
import { topSlots } from "../src/retrieve/ranking.js";
import { recall } from "../src/retrieve/recall.js";
import { searchByRank } from "../src/retrieve/reciprocal-rank.js";
import { LiteSelector } from "../src/retrieve/selector.js";
import { type SelectorWeights, selectorWeightsFor } from "../src/retrieve/selector-weights.js";
import { termsOf } from "../src/text/terms.js";
import { defaultTokenizer } from "../src/text/tokens.js";
import type { Entry } from "../src/types.js";
import type { DatasetQuestion } from "./data/dataset.js";
import type { ModelRoles } from "./model-roles.js";
import type { TurnMemory } from "./turn-memory.js";

/** Parts of the coarse search that an ablation takes out. */
const PARTS: Readonly<Record<string, Partial<CoarseWeights>>> = {
  dense: { whole: 0, sentence: 0 },
  sentences: { whole: 0.55, sentence: 0 },
  lexical: { lexical: 0 },
  "soft-links": { softLinks: 0 },
  time: { time: 0 },
  subject: { subject: 0 },
  question: { question: 0 },
  session: { session: 0 },
  length: { length: 0 },
  feedback: { feedback: 0 },
  growth: { growth: 0 },
};
export const ABLATIONS = ["selector", "first-person", ...Object.keys(PARTS)].map((part) => `lite-without-${part}` as const);

export const METHODS = ["lite", "vector-only", "bm25", "hybrid", "paper"] as const;
/** "slm": lite with the roles of a model. */
export type Method = (typeof METHODS)[number] | "slm" | `lite-without-${string}`;

/** What a method found. */
export interface Found {
  /** At most ten, best first. */
  readonly entries: readonly Pick<Entry, "sources">[];
  /** What fits into a block of 700 tokens, where the method fills one. */
  readonly filled?: readonly Pick<Entry, "sources">[];
  readonly tokens: number;
  readonly ms: number;
}

export const K = 10;
export const BUDGET = 700;
/** So many memories may fill the budget. */
export const FILL = 50;

export interface MethodParts {
  readonly memory: TurnMemory;
  readonly embedder: Embedder;
  /** A planner beside lite's, such as one that errs. */
  readonly controller?: Controller;
  /** What a model plays, for the method "slm". */
  readonly roles?: Pick<ModelRoles, "controller" | "selectorOver">;
}

const clock = { now: () => performance.now() };

/** The coarse order as it is. */
function withoutSelector(weights: SelectorWeights): SelectorWeights {
  const features = Object.fromEntries(
    Object.entries(weights.features).map(([name, feature]) => [name, name === "score" ? feature : { ...feature, weight: 0 }]),
  ) as SelectorWeights["features"];
  return { ...weights, features };
}

/** Plans without the question's form in the first person. */
class PlainController extends LiteController {
  override planSync(input: Parameters<LiteController["planSync"]>[0]): ReturnType<LiteController["planSync"]> {
    const plan = super.planSync(input);
    return { ...plan, queries: plan.queries.filter(({ purpose }) => purpose !== "first-person") };
  }
}

async function recallEntries(
  parts: MethodParts,
  question: DatasetQuestion,
  k: number,
  contextTokens: number,
  method: Method,
  fill = false,
) {
  const part = method.startsWith("lite-without-") ? method.slice("lite-without-".length) : "";
  const learned = selectorWeightsFor(parts.embedder.dimension);
  const weights = part === "selector" ? withoutSelector(learned) : learned;
  const lite = {
    controller: part === "first-person" ? new PlainController() : new LiteController(),
    selector: new LiteSelector(fill ? { weights, minProbability: 0 } : { weights }),
  };
  const { memory, embedder, roles } = parts;
  const controller = method === "slm" ? roles?.controller : parts.controller;
  const selector = method === "slm" ? roles?.selectorOver?.(lite.selector) : undefined;
  const found = await recall(
    { text: question.text, now: question.askedAt, timeZone: "UTC" },
    { ...memory, embedder, clock, lite, ...(controller && { controller }), ...(selector && { selector }) },
    {
      k,
      contextTokens,
      deadlineMs: Number.POSITIVE_INFINITY,
      plan: method === "paper" ? "paper" : "keepsake",
      trace: false,
      ...(PARTS[part] ? { weights: PARTS[part] } : {}),
    },
  );
  const { table } = memory;
  const entries = found.items.flatMap((item) => table.entry(table.slotOf(item.entryId) ?? -1) ?? []);
  return { entries, tokens: found.tokens, ms: found.trace.totalMs };
}

export async function runMethod(method: Method, parts: MethodParts, question: DatasetQuestion, fill = true): Promise<Found> {
  if (method === "lite" || method === "paper" || method === "slm" || method.startsWith("lite-without-")) {
    const ten = await recallEntries(parts, question, K, Number.POSITIVE_INFINITY, method);
    if (method === "paper" || method === "slm" || !fill) return ten;
    const filled = await recallEntries(parts, question, FILL, BUDGET, method, true);
    return { ...ten, filled: filled.entries };
  }
  const { memory, embedder } = parts;
  const startedAt = performance.now();
  const mask = memory.table.mask();
  const slots = await rank(method as "vector-only" | "bm25" | "hybrid", memory, embedder, question.text, mask);
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

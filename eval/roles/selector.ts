/** SLM-2 on the benchmarks: what the coarse order, lite and each form of the model bring first, of the same candidates. */

import type { Candidate, Selected, SelectInput, Selector, SlmEngine } from "../../src/ports.js";
import { LiteController } from "../../src/retrieve/controller.js";
import { recall } from "../../src/retrieve/recall.js";
import { searchByRank } from "../../src/retrieve/reciprocal-rank.js";
import { LiteSelector } from "../../src/retrieve/selector.js";
import { selectorWeightsFor } from "../../src/retrieve/selector-weights.js";
import { blend, dated, GeneratingSelector, LikelihoodSelector } from "../../src/retrieve/slm-selector.js";
import { likelihoodMessages } from "../../src/slm/prompts/selector.js";
import type { StructuredAsker } from "../../src/slm/structured/ask.js";
import type { DatasetQuestion } from "../data/dataset.js";
import { rankMetrics } from "../metrics.js";
import { type BenchRun, clock, type FormFigures, K } from "./bench.js";

/** Candidates that the model scores over the coarse order, the paper's 2K. */
const CANDIDATES = 20;
/** Shares of the likelihood: over the coarse order the best that was found, over lite the one of an unsure exam. */
const OVER_COARSE = 0.7;
const OVER_LITE = 0.2;

export const SELECTOR_FORMS = ["coarse", "likelihood-coarse", "lite", "likelihood", "generate"] as const;
export type SelectorForm = (typeof SELECTOR_FORMS)[number];

/** What the paper tunes its SLM-2 with (§11.5), of memories alone: this run holds them as indexes, one memory a turn, and nothing
 * consolidates them, so that there is no long-term graph to take a subgraph of. */
export interface Sample {
  readonly query: string;
  /** The coarse order, best first, as the prompt shows them. */
  readonly candidates: readonly string[];
  /** Numbers from 1 of the candidates that hold evidence, in their order; never empty in the file. */
  readonly selection: readonly number[];
}

const turnsOf = (candidates: readonly Pick<Candidate, "entry">[]): string[][] =>
  candidates.map(({ entry }) => entry.sources.map(({ turnId }) => turnId as string));

/** @param onSample told the candidates, and which of them hold the evidence
 * @returns what each form brings; `reachable` is the share of the evidence that is among the candidates of the coarse order */
export async function askSelectors(
  run: BenchRun,
  question: DatasetQuestion,
  forms: readonly SelectorForm[],
  onSample?: (sample: Sample) => void,
): Promise<ReadonlyMap<string, FormFigures>> {
  const found = new Map<string, FormFigures>();
  const coarse = await coarseOrder(run, question);
  const wanted = new Set(question.evidence);
  const holds = ({ entry }: Candidate) => entry.sources.some(({ turnId }) => wanted.has(turnId));
  const there = new Set(coarse.flatMap(({ entry }) => entry.sources.map(({ turnId }) => turnId as string)));
  const reachable = question.evidence.filter((id) => there.has(id)).length / question.evidence.length;
  onSample?.({
    query: question.text,
    candidates: coarse.map(dated),
    selection: coarse.flatMap((candidate, at) => (holds(candidate) ? [at + 1] : [])),
  });
  for (const form of forms) {
    let ranked: readonly (readonly string[])[];
    if (form === "coarse") ranked = turnsOf(coarse);
    // No order of candidates that all miss the evidence is better than another.
    else if (form === "likelihood-coarse")
      ranked = turnsOf(reachable > 0 ? await byLikelihood(run.as("selector.likelihood"), coarse, question.text) : coarse);
    else ranked = await recalled(run, question, form);
    const { "recall@5": r5, "recall@10": r10, mrr } = rankMetrics(ranked, question.evidence);
    found.set(form, { "recall@5": r5, "recall@10": r10, mrr, reachable });
  }
  return found;
}

async function coarseOrder({ memory, opened }: BenchRun, { text }: DatasetQuestion): Promise<Candidate[]> {
  const vector = await opened.embedder.embed([text]);
  const hits = searchByRank(memory, [{ text, vector, share: 1 }], CANDIDATES, memory.table.mask());
  return hits.flatMap(({ slot, score }) => {
    const entry = memory.table.entry(slot);
    return entry ? [{ entry, score, features: { score } }] : [];
  });
}

async function byLikelihood(engine: SlmEngine, candidates: readonly Candidate[], text: string): Promise<Candidate[]> {
  const likelihoods: number[] = [];
  for (const candidate of candidates) {
    const [score] = (await engine.score?.(likelihoodMessages(dated(candidate)), [text])) ?? [];
    likelihoods.push(score ? score.logProbability / score.tokens : 0);
  }
  const blended = blend(
    candidates.map(({ score }) => score),
    likelihoods,
    OVER_COARSE,
  );
  const order = [...candidates.keys()].sort((a, b) => (blended[b] as number) - (blended[a] as number) || a - b);
  return order.map((at) => candidates[at] as Candidate);
}

async function recalled(
  { as, askers, memory, opened }: BenchRun,
  question: DatasetQuestion,
  form: "lite" | "likelihood" | "generate",
): Promise<string[][]> {
  const lite = new LiteSelector({ weights: selectorWeightsFor(opened.embedder.dimension) });
  const selector =
    form === "lite"
      ? undefined
      : form === "likelihood"
        ? new LikelihoodSelector(as("selector.likelihood"), lite, OVER_LITE)
        : new Shown(askers.selector);
  const { items } = await recall(
    { text: question.text, now: question.askedAt, timeZone: "UTC" },
    {
      ...memory,
      embedder: opened.embedder,
      clock,
      lite: { controller: new LiteController(), selector: lite },
      ...(selector && { selector }),
    },
    { k: K, contextTokens: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY, trace: false },
  );
  return items.map(({ sources }) => sources.map(({ turnId }) => turnId as string));
}

/** The model's numbers; nothing where its answer cannot be used, since this is what is measured. */
class Shown implements Selector {
  readonly #selector: GeneratingSelector;

  constructor(asker: StructuredAsker) {
    this.#selector = new GeneratingSelector(asker);
  }

  async select(input: SelectInput): Promise<readonly Selected[]> {
    return this.#selector.select(input).catch(() => []);
  }
}

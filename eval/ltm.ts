/** `ltm`: how the graph grows, what a batch costs, and what it brings to recall: the same questions before and after consolidation, by
 * either layer alone, and where the memory is full of another history; by the device alone, or with a model as consolidator. */

import type { Memory } from "keepsake/node";
import type { SlmEngine } from "../src/ports.js";
import type { DatasetMemory } from "./data/dataset.js";
import { openEmbedder } from "./embedders.js";
import { openEngine } from "./engines.js";
import { buildEntryMemory } from "./entry-memory.js";
import { findData } from "./find-data.js";
import { GOLD_NAMES, namesOneOf } from "./gold-names.js";
import { bootstrapInterval, mean, quantile, rankMetrics } from "./metrics.js";
import { consolidateByModel, type ModelBatches } from "./model-consolidation.js";
import type { EvalOptions } from "./options.js";
import { Progress } from "./question-log.js";
import type { Findings } from "./report.js";
import { recallOf, recallOfGraph, saturate } from "./update-gap.js";

interface Graph {
  readonly turns: number;
  readonly nodes: number;
  /** Of them those that are no person's own. */
  readonly general: number;
  /** General nodes that name a speaker of the conversation. */
  readonly identities: number;
  /** General nodes that hold a name of the list made by hand. */
  readonly goldNames: number;
  readonly batchMs: readonly number[];
  readonly byModel: ModelBatches | undefined;
}

/** What is measured beside the growth, with `--methods`. */
export const LTM_PARTS = ["growth", "gap"] as const;
const METRICS = ["recall@10", "all@10"] as const;

export async function runLtm(options: EvalOptions): Promise<Findings> {
  const sets = (await findData(options.data)).filter((set) => options.sets.includes(set.name));
  const opened = await openEmbedder(options.embedder);
  const embedder = options.embedder === "static" ? undefined : opened.embedder;
  const counting = options.engine === undefined ? undefined : await openEngine(options);
  const figures: Record<string, number> = {};
  const intervals: Record<string, readonly [number, number]> = {};
  for (const set of sets) {
    const samples = new Map<string, number[]>();
    const push = (name: string, value: number) => samples.set(name, [...(samples.get(name) ?? []), value]);
    const graphs: Graph[] = [];
    const recallMs = { before: [] as number[], after: [] as number[] };
    const progress = new Progress(set.name, options.limit);
    let done = 0;
    let other: DatasetMemory | undefined;
    for await (const data of set.memories()) {
      const questions = data.questions.slice(0, Math.max(0, options.limit - done)).filter(({ adversarial }) => !adversarial);
      if (questions.length === 0) continue;
      const built = await buildEntryMemory(data, "keepsake", embedder);
      const ask = async (into: number[], knowledge = false) => {
        const found = [];
        for (const question of questions) {
          const { entries, ms } = await built.ask(question, knowledge);
          into.push(ms);
          const turns = entries.map((entry) => [...new Set(entry.sources.map(({ turnId }) => turnId as string))]);
          found.push(rankMetrics(turns, question.evidence));
        }
        return found;
      };
      const before = await ask(recallMs.before);
      graphs.push(await grow(built.memory, GOLD_NAMES[data.id] ?? [], counting?.as("consolidator")));
      const after = await ask(recallMs.after, true);
      for (const [at, { category }] of questions.entries())
        for (const metric of METRICS) {
          const [without, having] = [before[at]?.[metric] ?? 0, after[at]?.[metric] ?? 0];
          for (const of of [`${metric}`, `${metric}.${category}`]) {
            push(`${set.name}.${of}.without`, without);
            push(`${set.name}.${of}.with`, having);
            push(`${set.name}.${of}.difference`, having - without);
          }
        }
      if (options.methods.includes("gap")) {
        const gap: Record<string, readonly number[]> = { ltmOnly: await recallOfGraph(built, questions) };
        gap.both = after.map((found) => found["recall@10"]);
        gap.mtmOnly = before.map((found) => found["recall@10"]);
        if (other) {
          await saturate(built, other);
          await built.memory.consolidate();
          gap["noisy.mtmOnly"] = await recallOf(built, questions, false);
          gap.noisy = await recallOf(built, questions, true);
        }
        for (const [layer, values] of Object.entries(gap))
          for (const [at, value] of values.entries())
            for (const of of ["", `.${questions[at]?.category}`]) push(`${set.name}.gap.${layer}${of}`, value);
        other = data;
      }
      await built.close();
      done += data.questions.length;
      progress.show(Math.min(done, options.limit));
    }
    for (const [name, values] of samples) {
      figures[name] = mean(values);
      intervals[name] = bootstrapInterval(values, options.seed);
    }
    const batches = graphs.flatMap(({ batchMs }) => batchMs);
    const sum = (of: (graph: Graph) => number) => graphs.reduce((total, graph) => total + of(graph), 0);
    figures[`${set.name}.ltm.nodesPerTurn`] = sum(({ nodes }) => nodes) / sum(({ turns }) => turns);
    figures[`${set.name}.ltm.generalNodesPerTurn`] = sum(({ general }) => general) / sum(({ turns }) => turns);
    figures[`${set.name}.ltm.identities`] = sum(({ identities }) => identities);
    figures[`${set.name}.ltm.goldNames`] = sum(({ goldNames }) => goldNames);
    for (const [name, values] of Object.entries({
      batchMs: batches,
      "recallMs.without": recallMs.before,
      "recallMs.with": recallMs.after,
    })) {
      figures[`${set.name}.ltm.${name}.p50`] = quantile(values, 0.5);
      figures[`${set.name}.ltm.${name}.p95`] = quantile(values, 0.95);
    }
    Object.assign(figures, figuresOf(set.name, graphs));
  }
  await opened.embedder.close();
  await counting?.engine.close();
  return { figures, intervals, failed: 0, ...(counting && { notes: [`consolidator: ${counting.engine.id}`] }) };
}

/** What a model's batches came to. */
function figuresOf(set: string, graphs: readonly Graph[]): Readonly<Record<string, number>> {
  const figures: Record<string, number> = {};
  const add = (name: string, value: number) => {
    const key = `${set}.ltm.model.${name}`;
    figures[key] = (figures[key] ?? 0) + value;
  };
  for (const { byModel } of graphs) {
    if (!byModel) continue;
    add("batches", byModel.batches);
    add("failed", byModel.failed);
    add("operations", byModel.operations);
    for (const [reason, count] of Object.entries(byModel.refused)) add(`refused.${reason}`, count);
  }
  return figures;
}

/** Consolidates all that a memory holds. */
async function grow(memory: Memory, gold: readonly string[], engine: SlmEngine | undefined): Promise<Graph> {
  const byModel = engine && (await consolidateByModel(memory, engine));
  const batchMs: number[] = [...(byModel?.batchMs ?? [])];
  let last = performance.now();
  const onProgress = ({ detail }: CustomEvent<{ readonly task: string }>) => {
    if (detail.task !== "consolidate") return;
    batchMs.push(performance.now() - last);
    last = performance.now();
  };
  memory.addEventListener("progress", onProgress);
  const { nodes } = await memory.consolidate();
  memory.removeEventListener("progress", onProgress);
  const { turns } = await memory.stats();
  const speakers = new Set<string>();
  for await (const { sources } of memory.entries())
    for (const { speaker } of sources) if (speaker) speakers.add(speaker.toLowerCase());
  let [general, identities, goldNames] = [0, 0, 0];
  const isNamed = namesOneOf([...speakers]);
  const isGold = namesOneOf(gold);
  for (let after: string | undefined; ; ) {
    const page = await memory.knowledge.nodes({ limit: 1_000, ...(after !== undefined && { after }) });
    for (const { scope, name, statement = "" } of page.nodes) {
      if (scope !== "general") continue;
      general++;
      if (isNamed(`${name} ${statement}`)) identities++;
      if (isGold(`${name} ${statement}`)) goldNames++;
    }
    after = page.next;
    if (after === undefined) break;
  }
  return { turns, nodes, general, identities, goldNames, batchMs, byModel };
}

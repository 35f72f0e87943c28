/** `recall`: how much of the evidence each method brings among ten memories, one memory a turn. */

import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Dataset, DatasetQuestion } from "./data/dataset.js";
import { openEmbedder } from "./embedders.js";
import { findData } from "./find-data.js";
import { loadKernelFile } from "./kernel-file.js";
import { type Found, METHODS, type Method, runMethod } from "./methods.js";
import { bootstrapInterval, mean, quantile, rankMetrics } from "./metrics.js";
import type { EvalOptions } from "./options.js";
import type { Findings } from "./report.js";
import { buildTurnMemory } from "./turn-memory.js";

/** Values of one metric over questions, by method, category and metric. */
type Samples = Map<string, number[]>;

const push = (samples: Samples, key: string, value: number): void => {
  const values = samples.get(key);
  if (values) values.push(value);
  else samples.set(key, [value]);
};

/** Lite's figures bear no method in their name. */
const suffix = (method: Method): string => (method === "lite" ? "" : `.${method}`);

function measure(samples: Samples, set: string, method: Method, question: DatasetQuestion, found: Found): Record<string, number> {
  const turnsOf = (entries: Found["entries"]): string[][] =>
    entries.map((entry) => entry.sources.map((source) => source.turnId as string));
  const figures: Record<string, number> = {
    ...rankMetrics(turnsOf(found.entries), question.evidence),
    contextTokens: found.tokens,
  };
  if (found.filled) {
    const held = new Set(turnsOf(found.filled).flat());
    figures["recall@700tokens"] = question.evidence.filter((id) => held.has(id)).length / question.evidence.length;
  }
  for (const [name, value] of Object.entries(figures)) {
    if (question.adversarial) {
      if (name === "recall@10") push(samples, `${set}.${name}.adversarial${suffix(method)}`, value);
      continue;
    }
    push(samples, `${set}.${name}${suffix(method)}`, value);
    push(samples, `${set}.${name}.${question.category}${suffix(method)}`, value);
  }
  push(samples, `ms ${set}${suffix(method)}`, found.ms);
  return figures;
}

async function runSet(set: Dataset, options: EvalOptions, log: string, samples: Samples): Promise<void> {
  const { embedder, wordVectors } = await openEmbedder(options.embedder);
  const kernel = await loadKernelFile();
  let asked = 0;
  const startedAt = performance.now();
  for await (const memory of set.memories()) {
    if (asked >= options.limit) break;
    const built = await buildTurnMemory(memory, { embedder, wordVectors, ...(kernel ? { kernel } : {}) });
    const lines: string[] = [];
    for (const question of memory.questions.slice(0, options.limit - asked)) {
      for (const method of options.methods as Method[]) {
        const found = await runMethod(method, { memory: built, embedder }, question);
        const figures = measure(samples, set.name, method, question, found);
        lines.push(JSON.stringify({ set: set.name, id: question.id, method, ...figures, ms: found.ms }));
      }
      asked++;
    }
    await appendFile(log, `${lines.join("\n")}\n`);
    built.close();
    process.stderr.write(`\r${set.name}: ${asked} questions, ${((performance.now() - startedAt) / 1000).toFixed(0)} s `);
  }
  process.stderr.write(`\n${set.name}: defects ${JSON.stringify(set.defects)}\n`);
}

export const RECALL_METHODS = METHODS;

export async function runRecall(options: EvalOptions): Promise<Findings> {
  if (options.unit !== "turn") throw new RangeError("--unit entry needs the writer; this harness has turns so far");
  const sets = (await findData(options.data)).filter((set) => options.sets.includes(set.name));
  process.stderr.write(`found ${sets.map((set) => `${set.name} (${set.path})`).join(", ")}\n`);
  await mkdir(options.out, { recursive: true });
  const log = join(options.out, "questions.jsonl");
  await rm(log, { force: true });
  const samples: Samples = new Map();
  for (const set of sets) await runSet(set, options, log, samples);

  const figures: Record<string, number> = {};
  const intervals: Record<string, readonly [number, number]> = {};
  for (const [name, values] of samples) {
    if (name.startsWith("ms ")) {
      const key = `${name.slice(3)}.ms`;
      figures[`${key}.p50`] = quantile(values, 0.5);
      figures[`${key}.p95`] = quantile(values, 0.95);
      continue;
    }
    figures[name] = mean(values);
    intervals[name] = bootstrapInterval(values, options.seed);
  }
  for (const set of sets)
    for (const [kind, count] of Object.entries(set.defects)) figures[`${set.name}.defects.${kind.replace(/\W+/g, "-")}`] = count;
  return { figures, intervals, failed: 0 };
}

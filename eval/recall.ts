/** `recall`: how much of the evidence each method brings among ten memories, one memory a turn or Keepsake's own entries. */

import { entriesTokens } from "./block-tokens.js";
import type { Dataset, DatasetMemory, DatasetQuestion } from "./data/dataset.js";
import { type OpenedEmbedder, openEmbedder } from "./embedders.js";
import { buildEntryMemory } from "./entry-memory.js";
import { findData } from "./find-data.js";
import { loadKernelFile } from "./kernel-file.js";
import { ABLATIONS, type Found, METHODS, type Method, runMethod } from "./methods.js";
import { bootstrapInterval, mean, quantile, rankMetrics } from "./metrics.js";
import { type ModelRoles, modelOf, openModelRoles } from "./model-roles.js";
import type { EvalOptions } from "./options.js";
import { type LogLine, Progress, QuestionLog } from "./question-log.js";
import type { Findings } from "./report.js";
import { buildTurnMemory, type TurnMemoryParts } from "./turn-memory.js";

type Asker = (method: Method, question: DatasetQuestion) => Promise<Found>;

function figuresOf(question: DatasetQuestion, found: Found): Record<string, number> {
  const turnsOf = (entries: Found["entries"]): string[][] =>
    entries.map((entry) => [...new Set(entry.sources.map((source) => source.turnId as string))]);
  const figures: Record<string, number> = {
    ...rankMetrics(turnsOf(found.entries), question.evidence),
    contextTokens: found.tokens,
    dilution: dilutionOf(found.entries, question.evidence),
  };
  if (found.filled) {
    const held = new Set(turnsOf(found.filled).flat());
    figures["recall@700tokens"] = question.evidence.filter((id) => held.has(id)).length / question.evidence.length;
    figures["dilution@700tokens"] = dilutionOf(found.filled, question.evidence);
  }
  return figures;
}

/** Focus dilution: the share of the shown memories' tokens that are not evidence. */
function dilutionOf(entries: Found["entries"], evidence: readonly string[]): number {
  const wanted = new Set(evidence);
  const tokens = entriesTokens(entries);
  const all = tokens.reduce((sum, count) => sum + count, 0);
  const useful = entries.reduce(
    (sum, entry, index) => sum + (entry.sources.some(({ turnId }) => wanted.has(turnId)) ? (tokens[index] as number) : 0),
    0,
  );
  return all === 0 ? 0 : 1 - useful / all;
}

async function openMemory(
  memory: DatasetMemory,
  options: EvalOptions,
  opened: OpenedEmbedder,
  parts: TurnMemoryParts,
  roles: ModelRoles | undefined,
) {
  if (options.unit === "turn") {
    const built = await buildTurnMemory(memory, parts);
    const asked = { memory: built, embedder: opened.embedder, ...(roles && { roles }) };
    const ask: Asker = (method, question) => runMethod(method, asked, question);
    return { ask, close: async () => built.close() };
  }
  const embedder = options.embedder === "static" ? undefined : opened.embedder;
  const memories = new Map(
    await Promise.all(
      (["keepsake", "paper"] as const)
        .filter((plan) => options.methods.includes(plan === "paper" ? "paper" : "lite"))
        .map(async (plan) => [plan, await buildEntryMemory(memory, plan, embedder)] as const),
    ),
  );
  const ask: Asker = async (method, question) => {
    const entryMemory = memories.get(method === "paper" ? "paper" : "keepsake");
    if (!entryMemory || method === "slm")
      throw new RangeError(`--unit entry recalls through the public surface: lite and paper, not ${method}`);
    return entryMemory.ask(question);
  };
  return { ask, close: async () => void (await Promise.all([...memories.values()].map((one) => one.close()))) };
}

async function runSet(
  set: Dataset,
  options: EvalOptions,
  opened: OpenedEmbedder,
  roles: ModelRoles | undefined,
  log: QuestionLog,
): Promise<void> {
  const kernel = await loadKernelFile();
  const parts = { ...opened, ...(kernel ? { kernel } : {}) };
  let total = 0;
  for await (const { questions } of set.memories()) total += questions.length;
  const progress = new Progress(set.name, Math.min(total, options.limit));
  let done = 0;
  for await (const memory of set.memories()) {
    const questions = memory.questions.slice(0, Math.max(0, options.limit - done));
    const missing = questions.map((question) => ({
      question,
      methods: options.methods.filter((method) => !log.has({ set: set.name, id: question.id, method })),
    }));
    const open = missing.filter(({ methods }) => methods.length > 0);
    progress.skip(questions.length - open.length);
    if (open.length > 0) {
      const built = await openMemory(memory, options, opened, parts, roles);
      const lines: LogLine[] = [];
      for (const { question, methods } of open) {
        const { id, category, adversarial } = question;
        for (const method of methods) {
          const found = await built.ask(method as Method, question);
          lines.push({ set: set.name, id, category, adversarial, method, ms: found.ms, figures: figuresOf(question, found) });
        }
      }
      await built.close();
      await log.add(lines);
    }
    done += questions.length;
    progress.show(done);
  }
  process.stderr.write(`\n${set.name}: defects ${JSON.stringify(set.defects)}\n`);
}

export const RECALL_METHODS: readonly string[] = [...METHODS, "slm", ...ABLATIONS];

/** Lite's figures bear no method in their name. */
const suffix = (method: string): string => (method === "lite" ? "" : `.${method}`);

/** Means and intervals of the lines, by set, category and method, and what each method loses against lite, question by question. */
export function summarise(lines: readonly LogLine[], seed: number) {
  const samples = new Map<string, Map<string, number>>();
  const push = (name: string, id: string, value: number): void => {
    const values = samples.get(name);
    if (values) values.set(id, value);
    else samples.set(name, new Map([[id, value]]));
  };
  const times = new Map<string, number[]>();
  for (const { set, id, category, adversarial, method, ms, figures } of lines) {
    const key = `${set}.ms${suffix(method)}`;
    times.set(key, [...(times.get(key) ?? []), ms]);
    for (const [name, value] of Object.entries(figures)) {
      if (adversarial) {
        if (name === "recall@10") push(`${set}.${name}.adversarial${suffix(method)}`, id, value);
        continue;
      }
      push(`${set}.${name}${suffix(method)}`, id, value);
      push(`${set}.${name}.${category}${suffix(method)}`, id, value);
    }
  }
  const figures: Record<string, number> = {};
  const intervals: Record<string, readonly [number, number]> = {};
  for (const [name, values] of samples) {
    figures[name] = mean([...values.values()]);
    intervals[name] = bootstrapInterval([...values.values()], seed);
  }
  for (const [name, values] of times) {
    figures[`${name}.p50`] = quantile(values, 0.5);
    figures[`${name}.p95`] = quantile(values, 0.95);
  }
  for (const set of new Set(lines.map((line) => line.set))) {
    for (const method of new Set(lines.map((line) => line.method))) {
      const ours = samples.get(`${set}.recall@10`);
      const theirs = samples.get(`${set}.recall@10.${method}`);
      if (method === "lite" || !ours || !theirs) continue;
      const differences = [...theirs].flatMap(([id, value]) => (ours.has(id) ? [value - (ours.get(id) as number)] : []));
      figures[`${set}.recall@10.difference.${method}`] = mean(differences);
      intervals[`${set}.recall@10.difference.${method}`] = bootstrapInterval(differences, seed);
    }
  }
  return { figures, intervals };
}

export async function runRecall(options: EvalOptions): Promise<Findings> {
  const sets = (await findData(options.data)).filter((set) => options.sets.includes(set.name));
  process.stderr.write(`found ${sets.map((set) => `${set.name} (${set.path})`).join(", ")}\n`);
  const opened = await openEmbedder(options.embedder);
  const setting = JSON.stringify({ unit: options.unit, embedder: opened.embedder.id, ...modelOf(options) });
  const log = await QuestionLog.open(options.out, setting, options.resume);
  const roles = await openModelRoles(options, opened);
  for (const set of sets) await runSet(set, options, opened, roles, log);
  await roles?.close();
  await opened.embedder.close();
  const { figures, intervals } = summarise(log.lines, options.seed);
  for (const set of sets)
    for (const [kind, count] of Object.entries(set.defects)) figures[`${set.name}.defects.${kind.replace(/\W+/g, "-")}`] = count;
  return { figures, intervals, failed: 0, ...(roles && { notes: roles.notes }) };
}

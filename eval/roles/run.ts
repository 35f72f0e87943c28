/** `roles`: what a small model does in the three roles, against lite: SLM-2 on the benchmarks, SLM-1 and SLM-3 on generated items, and
 * what the bundled exam says of it. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { controllerItems, fieldsOf } from "../../src/exams/controller-exam.js";
import { seededRandom } from "../../src/exams/seeded.js";
import { tellingOf, writerItems } from "../../src/exams/writer-exam.js";
import type { Controller, Writer } from "../../src/ports.js";
import { LiteController } from "../../src/retrieve/controller.js";
import { SlmController } from "../../src/retrieve/slm-controller.js";
import { StructuredAsker } from "../../src/slm/structured/ask.js";
import { GeneratingWriter, RankingWriter } from "../../src/write/slm-writer.js";
import { LiteWriter } from "../../src/write/writer.js";
import type { Dataset, DatasetQuestion } from "../data/dataset.js";
import { type OpenedEmbedder, openEmbedder } from "../embedders.js";
import { type CountingEngine, openEngine } from "../engines.js";
import { findData } from "../find-data.js";
import { loadKernelFile } from "../kernel-file.js";
import { bootstrapInterval, mean } from "../metrics.js";
import { sitExam } from "../model-roles.js";
import type { EvalOptions } from "../options.js";
import { Progress, QuestionLog } from "../question-log.js";
import type { Findings } from "../report.js";
import { buildTurnMemory } from "../turn-memory.js";
import { askSelectors, type Sample, SELECTOR_FORMS, type SelectorForm } from "./selector.js";

export const ROLE_PARTS: readonly string[] = [...SELECTOR_FORMS, "controller", "writer", "exam"];

/** Questions a data set where no limit is given: some minutes of a CPU. */
const QUESTIONS = 20;

type Samples = Map<string, number[]>;

const push = (samples: Samples, name: string, value: number): void => {
  samples.set(name, [...(samples.get(name) ?? []), value]);
};

export async function runRoles(options: EvalOptions): Promise<Findings> {
  const counting = await openEngine(options.engine ?? "node-llama", options.model);
  const opened = await openEmbedder(options.embedder);
  const samples: Samples = new Map();
  const askers = {
    controller: new StructuredAsker(counting.as("controller")),
    selector: new StructuredAsker(counting.as("selector.generate")),
    writer: new StructuredAsker(counting.as("writer")),
  };
  const notes: string[] = [`model: ${counting.engine.id}, context ${counting.engine.capabilities.contextTokens}`];
  const forms = SELECTOR_FORMS.filter((form) => options.methods.includes(form));
  const exported: Sample[] = [];
  const setting = JSON.stringify({ command: "roles", engine: counting.engine.id, embedder: options.embedder });
  const log = await QuestionLog.open(options.out, setting, options.resume);
  if (forms.length > 0)
    for (const set of (await findData(options.data)).filter(({ name }) => options.sets.includes(name)))
      await askSet(
        set,
        options,
        forms,
        counting,
        askers.selector,
        opened,
        log,
        // LoCoMo is for evaluation alone.
        set.name === "longmemeval" ? exported : undefined,
      );
  addLogged(log, samples);
  if (options.methods.includes("controller")) await askController(askers.controller, options.seed, samples);
  if (options.methods.includes("writer")) await askWriter(counting, askers.writer, options.seed, samples);
  const figures: Record<string, number> = {};
  const intervals: Record<string, readonly [number, number]> = {};
  if (options.methods.includes("exam")) notes.push(...(await askExam(counting, opened, options.seed, figures)));
  for (const [name, values] of samples) {
    figures[name] = mean(values);
    intervals[name] = bootstrapInterval(values, options.seed);
  }
  const counts = Object.values(askers).map(({ counts: of }) => of);
  const asked = counts.reduce((sum, one) => sum + one.asked, 0);
  for (const how of ["parsed", "repaired", "cut", "retried", "failed"] as const)
    if (asked > 0) figures[`roles.structured.${how}`] = counts.reduce((sum, one) => sum + one[how], 0) / asked;
  if (asked > 0) figures["roles.structured.valid"] = 1 - (figures["roles.structured.failed"] ?? 0);
  for (const [role, { calls, promptTokens, completionTokens, ms }] of counting.asked) {
    figures[`roles.${role}.calls`] = calls;
    figures[`roles.${role}.msPerCall`] = ms / calls;
    if (completionTokens > 0) figures[`roles.${role}.promptTokens`] = promptTokens / calls;
    if (completionTokens > 0) figures[`roles.${role}.completionTokens`] = completionTokens / calls;
  }
  if (options.exportTraining) notes.push(await exportTraining(options.out, exported));
  await counting.engine.close();
  return { figures, intervals, failed: 0, notes };
}

/** Questions that are asked, spread over the whole set. */
async function spread(set: Dataset, limit: number): Promise<ReadonlySet<string>> {
  const ids: string[] = [];
  for await (const { questions } of set.memories())
    ids.push(...questions.filter(({ adversarial }) => !adversarial).map(({ id }) => id));
  const step = Math.max(1, ids.length / limit);
  return new Set(Array.from({ length: Math.min(limit, ids.length) }, (_, at) => ids[Math.floor(at * step)] as string));
}

async function askSet(
  set: Dataset,
  options: EvalOptions,
  forms: readonly SelectorForm[],
  counting: CountingEngine,
  asker: StructuredAsker,
  opened: OpenedEmbedder,
  log: QuestionLog,
  exported: Sample[] | undefined,
): Promise<void> {
  const wanted = await spread(set, Number.isFinite(options.limit) ? options.limit : QUESTIONS);
  const kernel = await loadKernelFile();
  const progress = new Progress(`roles ${set.name}`, wanted.size);
  let done = 0;
  for await (const memory of set.memories()) {
    const questions = memory.questions.filter(({ id }) => wanted.has(id));
    if (questions.length === 0) continue;
    const built = await buildTurnMemory(memory, { ...opened, ...(kernel && { kernel }) });
    const onSample = exported && ((sample: Sample) => exported.push(sample));
    const run = { engine: counting.as("selector.likelihood"), asker, memory: built, opened, ...(onSample && { onSample }) };
    for (const question of questions) {
      await askOne(run, set.name, question, forms, log);
      progress.show(++done);
    }
    built.close();
  }
  process.stderr.write("\n");
}

/** Asks what the log does not hold already: a question takes a model on a busy CPU some minutes. */
async function askOne(
  run: Parameters<typeof askSelectors>[0],
  set: Dataset["name"],
  question: DatasetQuestion,
  forms: readonly SelectorForm[],
  log: QuestionLog,
): Promise<void> {
  const { id, category } = question;
  const left = forms.filter((method) => !log.has({ set, id, method }));
  const started = performance.now();
  const { found, isReachable } = await askSelectors(run, question, left);
  const ms = performance.now() - started;
  await log.add(
    [...found].map(([method, metrics]) => ({
      set,
      id,
      category,
      adversarial: false,
      method,
      ms,
      figures: { ...metrics, reachable: isReachable ? 1 : 0 },
    })),
  );
}

function addLogged({ lines }: QuestionLog, samples: Samples): void {
  for (const { set, method, figures } of lines)
    for (const metric of ["recall@5", "recall@10", "mrr"]) {
      const name = `roles.selector.${method}.${metric}`;
      const value = figures[metric] ?? 0;
      push(samples, name, value);
      push(samples, `${name}.${set}`, value);
      if (figures.reachable) push(samples, `${name}.${set}.reachable`, value);
    }
}

async function exportTraining(out: string, exported: readonly Sample[]): Promise<string> {
  await mkdir(out, { recursive: true });
  const useful = exported.filter(({ selection }) => selection.length > 0);
  await writeFile(join(out, "selector-training.jsonl"), useful.map((sample) => `${JSON.stringify(sample)}\n`).join(""));
  return `${useful.length} training samples for SLM-2 in selector-training.jsonl, without ShareGPT sessions`;
}

async function askController(asker: StructuredAsker, seed: number, samples: Samples): Promise<void> {
  const lite = new LiteController();
  const model: Controller = new SlmController(asker, lite);
  for (const item of controllerItems(seededRandom(seed))) {
    const plans = {
      lite: lite.planSync(item.input),
      generate: await model.plan(item.input).catch(() => lite.planSync(item.input)),
    };
    for (const [form, plan] of Object.entries(plans))
      for (const [field, value] of Object.entries(fieldsOf(plan, item)))
        push(samples, `roles.controller.${form}.${field}`, value);
  }
}

async function askWriter(counting: CountingEngine, asker: StructuredAsker, seed: number, samples: Samples): Promise<void> {
  const lite = new LiteWriter();
  const forms: Record<string, Writer> = {
    lite,
    generate: new GeneratingWriter(asker, lite),
    ...(counting.engine.score && { rank: new RankingWriter(counting.as("writer.rank"), lite) }),
  };
  for (const item of writerItems(seededRandom(seed)))
    for (const [form, writer] of Object.entries(forms)) {
      const output = await writer.write(item.input).catch(() => lite.write(item.input));
      const { isKept, isGrounded, score } = tellingOf(output.statements[0], item);
      push(samples, `roles.writer.${form}.kept`, isKept ? 1 : 0);
      push(samples, `roles.writer.${form}.grounded`, isGrounded ? 1 : 0);
      push(samples, `roles.writer.${form}.score`, score);
    }
}

/** @returns its reasons, in words */
async function askExam(
  counting: CountingEngine,
  opened: OpenedEmbedder,
  seed: number,
  figures: Record<string, number>,
): Promise<string[]> {
  const started = performance.now();
  const verdicts = await sitExam(counting.as("exam"), opened, seed);
  figures["roles.exam.ms"] = performance.now() - started;
  const notes: string[] = [];
  for (const [role, { form, reason, trials }] of Object.entries(verdicts)) {
    figures[`roles.exam.${role}`] = form === "lite" ? 0 : 1;
    notes.push(`exam, ${role}: ${form}; ${reason}`);
    for (const trial of trials) {
      figures[`roles.exam.${role}.${trial.form}.lite`] = trial.lite;
      figures[`roles.exam.${role}.${trial.form}.model`] = trial.model;
      figures[`roles.exam.${role}.${trial.form}.low`] = trial.low;
      figures[`roles.exam.${role}.${trial.form}.msPerItem`] = trial.msPerItem;
    }
  }
  return notes;
}

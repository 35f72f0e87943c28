/** `roles`: what a small model does in the three roles, against lite, on the benchmarks and on generated items, and what the bundled
 * exam says of it. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StructuredAsker } from "../../src/slm/structured/ask.js";
import type { Dataset, DatasetQuestion } from "../data/dataset.js";
import { isPermissive } from "../data/licence.js";
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
import type { BenchRun, FormFigures } from "./bench.js";
import { askController, askWriter, type Put } from "./items.js";
import { addLogged, lossesOf } from "./logged.js";
import { askControllers, CONTROLLER_FORMS } from "./planning.js";
import { askSelectors, type Sample, SELECTOR_FORMS, type SelectorForm } from "./selector.js";
import { askWriters, WRITER_FORMS } from "./writing.js";

export const ROLE_PARTS: readonly string[] = [...SELECTOR_FORMS, "controller", "writer", "exam"];

/** Questions a data set where no limit is given: some minutes of a CPU. */
const QUESTIONS = 20;

/** What a whole set is asked with. */
interface SetRun extends Omit<BenchRun, "said" | "memory"> {
  readonly forms: { readonly selector: readonly SelectorForm[]; readonly controller: boolean; readonly writer: boolean };
  readonly log: QuestionLog;
  readonly onSample: ((sample: Sample) => void) | undefined;
}

export async function runRoles(options: EvalOptions): Promise<Findings> {
  const counting = await openEngine(options);
  const opened = await openEmbedder(options.embedder);
  const samples = new Map<string, number[]>();
  const put: Put = (name, value) => samples.set(`roles.${name}`, [...(samples.get(`roles.${name}`) ?? []), value]);
  const askers = {
    controller: new StructuredAsker(counting.as("controller")),
    selector: new StructuredAsker(counting.as("selector.generate")),
    writer: new StructuredAsker(counting.as("writer")),
  };
  const notes: string[] = [`model: ${counting.engine.id}, context ${counting.engine.capabilities.contextTokens}`];
  const hasScores = counting.engine.score !== undefined;
  if (!hasScores) notes.push("the engine gives no scores: what is done by likelihood is left out");
  const forms = {
    selector: SELECTOR_FORMS.filter((form) => options.methods.includes(form) && (hasScores || !form.startsWith("likelihood"))),
    controller: options.methods.includes("controller"),
    writer: options.methods.includes("writer"),
  };
  const exported: Sample[] = [];
  const { exportTraining: exports } = options;
  const setting = JSON.stringify({
    command: "roles",
    engine: counting.engine.id,
    embedder: options.embedder,
    limit: options.limit,
    exports,
  });
  const log = await QuestionLog.open(options.out, setting, options.resume);
  if (forms.selector.length > 0 || forms.controller || forms.writer)
    for (const set of await findData(options.data, exports ? { keepSession: isPermissive } : {})) {
      if (!options.sets.includes(set.name)) continue;
      // LoCoMo is for evaluation alone.
      const onSample = exports && set.name === "longmemeval" ? (sample: Sample) => void exported.push(sample) : undefined;
      await askSet(set, options, { as: counting.as, askers, opened, forms, log, onSample });
    }
  addLogged(log.lines, put);
  notes.push(...lossesOf(log.lines, options.seed));
  if (forms.controller) await askController(counting.as("controller.likelihood"), askers.controller, options.seed, put);
  if (forms.writer) await askWriter(counting.as("writer.rank"), askers.writer, options.seed, put);
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
  for (const [role, { calls, scorings, promptTokens, completionTokens, estimatedTokens, ms }] of counting.asked) {
    figures[`roles.${role}.calls`] = calls;
    figures[`roles.${role}.msPerCall`] = ms / calls;
    if (completionTokens > 0) figures[`roles.${role}.promptTokens`] = promptTokens / (calls - scorings);
    if (completionTokens > 0) figures[`roles.${role}.completionTokens`] = completionTokens / (calls - scorings);
    if (scorings > 0) figures[`roles.${role}.estimatedTokens`] = estimatedTokens / scorings;
  }
  if (exports) notes.push(await exportTraining(options.out, exported));
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

/** Asks what the log does not hold already: a question takes a model on a busy CPU some minutes. */
async function askSet(set: Dataset, options: EvalOptions, run: SetRun): Promise<void> {
  const wanted = await spread(set, Number.isFinite(options.limit) ? options.limit : QUESTIONS);
  const kernel = await loadKernelFile();
  const progress = new Progress(`roles ${set.name}`, wanted.size);
  let done = 0;
  for await (const said of set.memories()) {
    const questions = said.questions.filter(({ id }) => wanted.has(id));
    if (questions.length === 0) continue;
    const memory = await buildTurnMemory(said, { ...run.opened, ...(kernel && { kernel }) });
    for (const question of questions) {
      await askOne(set.name, question, { ...run, said, memory });
      progress.show(++done);
    }
    memory.close();
  }
  process.stderr.write("\n");
}

async function askOne(set: Dataset["name"], question: DatasetQuestion, run: SetRun & BenchRun): Promise<void> {
  const { id, category } = question;
  const left = <Form extends string>(role: string, forms: readonly Form[]) =>
    forms.filter((form) => !run.log.has({ set, id, method: `${role}.${form}` }));
  const ask = async (role: string, form: () => Promise<ReadonlyMap<string, FormFigures>>): Promise<void> => {
    const started = performance.now();
    const found = await form();
    const ms = performance.now() - started;
    await run.log.add(
      [...found].map(([name, figures]) => ({ set, id, category, adversarial: false, method: `${role}.${name}`, ms, figures })),
    );
  };
  if (run.forms.selector.length > 0)
    await ask("selector", () => askSelectors(run, question, left("selector", run.forms.selector), run.onSample));
  if (run.forms.controller) await ask("controller", () => askControllers(run, question, left("controller", CONTROLLER_FORMS)));
  if (run.forms.writer) await ask("writer", () => askWriters(run, question, left("writer", WRITER_FORMS)));
}

/** `selector-training.jsonl`: a {@link Sample} a line, of the questions that have evidence among their candidates. */
async function exportTraining(out: string, exported: readonly Sample[]): Promise<string> {
  await mkdir(out, { recursive: true });
  const useful = exported.filter(({ selection }) => selection.length > 0);
  await writeFile(join(out, "selector-training.jsonl"), useful.map((sample) => `${JSON.stringify(sample)}\n`).join(""));
  return `${useful.length} training samples for SLM-2 in selector-training.jsonl, without ShareGPT sessions`;
}

/** @returns its reasons, in words */
async function askExam(
  counting: CountingEngine,
  opened: OpenedEmbedder,
  seed: number,
  figures: Record<string, number>,
): Promise<string[]> {
  const started = performance.now();
  const { verdicts, notes: ofExam } = await sitExam(counting.as("exam"), opened, seed);
  figures["roles.exam.ms"] = performance.now() - started;
  const notes = [...ofExam];
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

/** `noise`: what recall keeps when a planner errs: 0, 50 or 100% of its queries, and the times it names, are another question's; and
 * with the plans and choices of a real model, where the run names one. */

import type { Controller, PlanInput } from "../src/ports.js";
import { LiteController } from "../src/retrieve/controller.js";
import { toStatement } from "../src/retrieve/rewrite.js";
import type { Plan, PlannedQuery } from "../src/types.js";
import type { DatasetQuestion } from "./data/dataset.js";
import { openEmbedder } from "./embedders.js";
import { findData } from "./find-data.js";
import { loadKernelFile } from "./kernel-file.js";
import { type Found, type Method, runMethod } from "./methods.js";
import { bootstrapInterval, mean, rankMetrics, seededRandom } from "./metrics.js";
import { openModelRoles } from "./model-roles.js";
import type { EvalOptions } from "./options.js";
import type { Findings } from "./report.js";
import { buildTurnMemory } from "./turn-memory.js";

const LEVELS = [0, 50, 100] as const;
const FORMS: readonly Method[] = ["lite", "paper"];

/** A planner that asks the question and its statement; each query is another question's with the given probability, and so are its times. */
class NoisyController implements Controller {
  readonly #lite = new LiteController();
  readonly #others: readonly string[];
  readonly #share: number;
  readonly #random: () => number;

  constructor(others: readonly string[], share: number, random: () => number) {
    this.#others = others;
    this.#share = share;
    this.#random = random;
  }

  async plan(input: PlanInput): Promise<Plan> {
    const own = this.#lite.planSync(input);
    const texts = [input.text, toStatement(input.text)];
    const other = (): string => this.#others[Math.floor(this.#random() * this.#others.length)] ?? "";
    const errs = (): boolean => this.#random() < this.#share;
    const queries = texts.map(
      (text): PlannedQuery => ({
        text: errs() ? other() : text,
        purpose: "hypothetical",
        route: "both",
        share: 1 / texts.length,
      }),
    );
    return errs() ? { ...this.#lite.planSync({ ...input, text: other() }), queries } : { ...own, queries };
  }
}

export async function runNoise(options: EvalOptions): Promise<Findings> {
  const sets = (await findData(options.data)).filter((set) => options.sets.includes(set.name));
  const opened = await openEmbedder(options.embedder);
  const { embedder } = opened;
  const kernel = await loadKernelFile();
  const roles = await openModelRoles(options, opened);
  const figures: Record<string, number> = {};
  const intervals: Record<string, readonly [number, number]> = {};
  for (const set of sets) {
    const samples = new Map<string, number[]>();
    let asked = 0;
    let others: readonly string[] = [];
    for await (const memory of set.memories()) {
      if (asked >= options.limit) break;
      const built = await buildTurnMemory(memory, { ...opened, ...(kernel && { kernel }) });
      const questions = memory.questions.filter(({ adversarial }) => !adversarial).slice(0, options.limit - asked);
      asked += questions.length;
      // A memory that is asked once borrows the questions of the one before it.
      if (memory.questions.length > 1 || others.length === 0) others = memory.questions.map(({ text }) => text);
      for (const level of LEVELS) {
        const random = seededRandom(options.seed + level);
        for (const question of questions) {
          const controller = new NoisyController(
            others.filter((text) => text !== question.text),
            level / 100,
            random,
          );
          for (const form of FORMS) {
            const { entries } = await runMethod(form, { memory: built, embedder, controller }, question, false);
            const key = `${set.name}.noise${level}.recall@10${form === "lite" ? "" : `.${form}`}`;
            samples.set(key, [...(samples.get(key) ?? []), recallAt10(entries, question)]);
          }
        }
      }
      for (const question of roles ? questions : []) {
        const { entries } = await runMethod("slm", { memory: built, embedder, ...(roles && { roles }) }, question);
        const key = `${set.name}.model.recall@10`;
        samples.set(key, [...(samples.get(key) ?? []), recallAt10(entries, question)]);
      }
      if (memory.questions.length === 1) others = [...others.slice(-200), ...memory.questions.map(({ text }) => text)];
      built.close();
      process.stderr.write(`\r${set.name}: ${asked} questions `);
    }
    process.stderr.write("\n");
    for (const [name, values] of samples) {
      figures[name] = mean(values);
      intervals[name] = bootstrapInterval(values, options.seed);
    }
    const withModel = figures[`${set.name}.model.recall@10`];
    if (withModel !== undefined)
      figures[`${set.name}.model.kept`] = withModel / (figures[`${set.name}.noise0.recall@10`] as number);
    for (const form of FORMS) {
      const suffix = form === "lite" ? "" : `.${form}`;
      const clean = figures[`${set.name}.noise0.recall@10${suffix}`] as number;
      for (const level of LEVELS.slice(1))
        figures[`${set.name}.noise${level}.kept${suffix}`] =
          (figures[`${set.name}.noise${level}.recall@10${suffix}`] as number) / clean;
    }
  }
  await roles?.close();
  return { figures, intervals, failed: 0, ...(roles && { notes: roles.notes }) };
}

function recallAt10(entries: Found["entries"], { evidence }: DatasetQuestion): number {
  const ranked = entries.map(({ sources }) => sources.map(({ turnId }) => turnId as string));
  return rankMetrics(ranked, evidence)["recall@10"];
}

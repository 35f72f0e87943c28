/** SLM-1 on the benchmarks: which fields of its plan are right of a question whose evidence is known, and what the plan finds. */

import type { Controller } from "../../src/ports.js";
import { LiteController } from "../../src/retrieve/controller.js";
import { recall } from "../../src/retrieve/recall.js";
import { LiteSelector } from "../../src/retrieve/selector.js";
import { selectorWeightsFor } from "../../src/retrieve/selector-weights.js";
import { SlmController } from "../../src/retrieve/slm-controller.js";
import type { Plan } from "../../src/types.js";
import type { DatasetQuestion } from "../data/dataset.js";
import { rankMetrics } from "../metrics.js";
import { type BenchRun, clock, type FormFigures, K } from "./bench.js";

/** Questions of a benchmark stand alone, so that nothing is to be chosen among readings of them. */
export const CONTROLLER_FORMS = ["lite", "generate"] as const;

export async function askControllers(
  run: BenchRun,
  question: DatasetQuestion,
  forms: readonly (typeof CONTROLLER_FORMS)[number][],
): Promise<ReadonlyMap<string, FormFigures>> {
  const { memory, askers } = run;
  const lite = new LiteController();
  const speakers = memory.table.speakers();
  const input = { text: question.text, recent: [], speakers, now: question.askedAt, timeZone: "UTC" };
  const byRules = lite.planSync(input);
  const found = new Map<string, FormFigures>();
  for (const form of forms) {
    const planned =
      form === "lite" ? byRules : await new SlmController(askers.controller, lite).plan(input).catch(() => undefined);
    // Who gives no plan searches by the rules'.
    const fields = planned === undefined ? {} : fieldsOf(planned, question, run);
    found.set(form, { answered: planned ? 1 : 0, ...fields, "recall@10": await recalled(run, question, planned ?? byRules) });
  }
  return found;
}

/** The evidence lies in what was said, so a query that goes to the graph alone misses it, and so does a window that leaves it out. */
function fieldsOf({ queries, windows }: Plan, { text, evidence }: DatasetQuestion, { said, memory }: BenchRun): FormFigures {
  const names = memory.table.speakers().filter((name) => text.includes(name));
  const added = queries.filter(({ purpose }) => purpose === "hypothetical");
  const namesAll = (query: string) => names.every((name) => query.toLowerCase().includes(name.toLowerCase()));
  const times = said.turns.filter(({ id }) => evidence.includes(id)).map(({ at }) => at);
  const isInside = windows.some(({ from, to }) => times.some((at) => from <= at && at < to));
  const share = (wanted: readonly Plan["queries"][number][]) => wanted.reduce((sum, query) => sum + query.share, 0);
  return {
    added: added.length > 0 ? 1 : 0,
    ...(names.length > 0 &&
      added.length > 0 && { names: added.filter(({ text: query }) => namesAll(query)).length / added.length }),
    ...(added.length > 0 && { route: share(added.filter(({ route }) => route !== "ltm")) / share(added) }),
    window: windows.length === 0 || isInside ? 1 : 0,
  };
}

async function recalled({ memory, opened }: BenchRun, { text, askedAt, evidence }: DatasetQuestion, plan: Plan): Promise<number> {
  const controller: Controller = { form: "generate", plan: async () => plan };
  const lite = {
    controller: new LiteController(),
    selector: new LiteSelector({ weights: selectorWeightsFor(opened.embedder.dimension) }),
  };
  const { items } = await recall(
    { text, now: askedAt, timeZone: "UTC" },
    { ...memory, embedder: opened.embedder, clock, lite, controller },
    { k: K, contextTokens: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY, trace: false },
  );
  return rankMetrics(
    items.map(({ sources }) => sources.map(({ turnId }) => turnId as string)),
    evidence,
  )["recall@10"];
}

/** SLM-1 and SLM-3 on items such as their exams have: messages that mean something said before, and exchanges of which a part must be
 * kept. */

import { controllerItems, fieldsOf } from "../../src/exams/controller-exam.js";
import { seededRandom } from "../../src/exams/seeded.js";
import { tellingOf, writerItems } from "../../src/exams/writer-exam.js";
import type { Controller, SlmEngine, Writer } from "../../src/ports.js";
import { LiteController } from "../../src/retrieve/controller.js";
import { LikelihoodController } from "../../src/retrieve/likelihood-controller.js";
import { SlmController } from "../../src/retrieve/slm-controller.js";
import type { StructuredAsker } from "../../src/slm/structured/ask.js";
import { GeneratingWriter, RankingWriter } from "../../src/write/slm-writer.js";
import { LiteWriter } from "../../src/write/writer.js";

/** Told each figure of each item, 0 to 1; `answered` of all, the others of those that a form answered by itself. */
export type Put = (name: string, value: number) => void;

export async function askController(engine: SlmEngine, asker: StructuredAsker, seed: number, put: Put): Promise<void> {
  const lite = new LiteController();
  const forms: Record<string, Controller> = {
    generate: new SlmController(asker, lite),
    ...(engine.score && { likelihood: new LikelihoodController(engine, lite) }),
  };
  for (const item of controllerItems(seededRandom(seed))) {
    const plans = new Map([["lite", lite.planSync(item.input)]]);
    for (const [form, model] of Object.entries(forms)) {
      const plan = await model.plan(item.input).catch(() => undefined);
      put(`controller.${form}.answered`, plan ? 1 : 0);
      if (plan) plans.set(form, plan);
    }
    for (const [form, plan] of plans)
      for (const [field, value] of Object.entries(fieldsOf(plan, item))) put(`controller.${form}.${field}`, value);
  }
}

export async function askWriter(engine: SlmEngine, asker: StructuredAsker, seed: number, put: Put): Promise<void> {
  const lite = new LiteWriter();
  const forms: Record<string, Writer> = {
    lite,
    generate: new GeneratingWriter(asker, lite),
    ...(engine.score && { rank: new RankingWriter(engine, lite) }),
  };
  for (const item of writerItems(seededRandom(seed)))
    for (const [form, writer] of Object.entries(forms)) {
      const output = await writer.write(item.input).catch(() => undefined);
      put(`writer.${form}.answered`, output ? 1 : 0);
      if (!output) continue;
      const { isKept, isGrounded, score } = tellingOf(output.statements[0], item);
      put(`writer.${form}.kept`, isKept ? 1 : 0);
      put(`writer.${form}.grounded`, isGrounded ? 1 : 0);
      put(`writer.${form}.score`, score);
    }
}

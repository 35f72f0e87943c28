/** The on-line roles that a run's model plays: those that its exam gives it, or those that the run names. */

import { examine } from "../src/exams/exam.js";
import type { Controller, Selector, SlmEngine } from "../src/ports.js";
import { LiteController } from "../src/retrieve/controller.js";
import { LikelihoodController } from "../src/retrieve/likelihood-controller.js";
import type { LiteSelector } from "../src/retrieve/selector.js";
import { SlmController } from "../src/retrieve/slm-controller.js";
import { GeneratingSelector, LikelihoodSelector } from "../src/retrieve/slm-selector.js";
import { StructuredAsker } from "../src/slm/structured/ask.js";
import type { RoleForm, RoleVerdict, RoleVerdicts } from "../src/types.js";
import { FlatIndex } from "../src/vector/flat.js";
import type { OpenedEmbedder } from "./embedders.js";
import { openEngine } from "./engines.js";
import type { EvalOptions } from "./options.js";

export interface ModelRoles {
  readonly controller?: Controller;
  readonly selectorOver?: (lite: LiteSelector) => Selector;
  /** Which they are, and why. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/** @returns undefined for a run without a model
 * @throws RangeError for roles and forms that there are not, and for an engine that cannot be had here or cannot play them */
export async function openModelRoles(options: EvalOptions, opened: OpenedEmbedder): Promise<ModelRoles | undefined> {
  if (options.engine === undefined) return undefined;
  const given = options.roles === "exam" ? undefined : readRoles(options.roles);
  const { engine } = await openEngine(options);
  const { verdicts, notes: ofExam } = given ?? (await sitExam(engine, opened, options.seed));
  const { controller, selector } = verdicts;
  if (!engine.score && [controller.form, selector.form].includes("likelihood")) {
    await engine.close();
    throw new RangeError(`${engine.id} gives no scores, so it plays no role by likelihood; got --roles ${options.roles}`);
  }
  const asker = new StructuredAsker(engine);
  const lite = new LiteController();
  const said = (role: string, { form, reason }: RoleVerdict) => `${role}: ${form}; ${reason}`;
  const notes = [`model: ${engine.id}`, said("controller", controller), said("selector", selector), ...ofExam];
  return {
    notes,
    ...(controller.form === "likelihood" && { controller: new LikelihoodController(engine, lite) }),
    ...(controller.form === "generate" && { controller: new SlmController(asker, lite) }),
    ...(selector.form === "likelihood" && {
      selectorOver: (over: LiteSelector) => new LikelihoodSelector(engine, over, selector.weight),
    }),
    ...(selector.form === "generate" && { selectorOver: () => new GeneratingSelector(asker) }),
    close: () => engine.close(),
  };
}

/** What a log must share to go on with a run with a model. */
export function modelOf({ engine, model, baseUrl, roles }: EvalOptions): Readonly<Record<string, string>> {
  if (engine === undefined) return {};
  return { engine, roles, ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseUrl }) };
}

interface Sat<Role extends keyof RoleVerdicts> {
  readonly verdicts: Pick<RoleVerdicts, Role>;
  /** To be read with the verdicts. */
  readonly notes: readonly string[];
}

const FORMS: readonly string[] = ["lite", "likelihood", "generate"];

/** @param text such as "controller=generate,selector=likelihood"; what is left out is lite's */
function readRoles(text: string): Sat<"controller" | "selector"> {
  const roles = Object.fromEntries(text.split(",").map((one) => one.split("=")));
  for (const [role, form] of Object.entries(roles))
    if (!["controller", "selector"].includes(role) || !FORMS.includes(String(form)))
      throw new RangeError(`--roles is "exam", or controller=… and selector=… of ${FORMS.join(", ")}; got ${text}`);
  const verdictOf = (form = "lite") => ({ form: form as RoleForm, reason: "as the run names it", trials: [] });
  const verdicts = { controller: verdictOf(roles.controller), selector: verdictOf(roles.selector) };
  return { verdicts, notes: [] };
}

/** The bundled exam, as a memory holds it in its idle time. */
export async function sitExam(
  engine: SlmEngine,
  { embedder, wordVectors }: OpenedEmbedder,
  seed: number,
): Promise<Sat<keyof RoleVerdicts>> {
  const { verdicts, outage } = await examine({
    engine,
    embedder,
    wordVectors,
    createVectorIndex: (dimension) => new FlatIndex({ dimension }),
    stopwatch: { now: () => performance.now() },
    idle: async () => undefined,
    onProgress: (done, total) => process.stderr.write(`\rexam: ${done} of at most ${total} items `),
    seed,
  }).finally(() => process.stderr.write("\n"));
  const notes = outage === undefined ? [] : [`exam: the engine failed at times, which says nothing of its model: ${outage}`];
  return { verdicts, notes };
}

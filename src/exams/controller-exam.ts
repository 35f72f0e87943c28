/** The exam of SLM-1: plans for messages that mean something said before. Compared is what a recall would search for, with the model's
 * queries beside the rules' and by the rules alone. */

import type { Controller, PlanInput, Random, SlmEngine } from "../ports.js";
import { LiteController } from "../retrieve/controller.js";
import { LikelihoodController, readingsOf, withReading } from "../retrieve/likelihood-controller.js";
import { mergePlans } from "../retrieve/merged-plan.js";
import { SlmController } from "../retrieve/slm-controller.js";
import { StructuredAsker } from "../slm/structured/ask.js";
import { timeMentions } from "../text/time.js";
import type { FormTrial, Plan } from "../types.js";
import { QUESTIONS } from "./questions.js";
import { filler, shuffled } from "./seeded.js";
import { type TrialParts, tryForm } from "./trial.js";
import { decksOf } from "./words.js";

export interface ControllerItem {
  readonly input: PlanInput;
  /** In lower case. */
  readonly about: readonly string[];
  readonly route: "mtm" | "ltm";
  /** Words of the time that the message names; "" for none. */
  readonly time: string;
}

/** A Wednesday. */
const NOW = Date.UTC(2026, 8, 16, 10);

export function controllerItems(random: Random): ControllerItem[] {
  const decks = decksOf(random);
  return shuffled(QUESTIONS, random).map(({ turns, asked, about, route, time = "" }) => {
    const fill = filler(decks);
    const recent = turns.map((text, at) => ({
      role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
      text: fill(text),
      at: NOW - (turns.length - at) * 60_000,
    }));
    return {
      input: { text: fill(asked), recent, speakers: [], now: NOW, timeZone: "UTC" },
      about: about.map((one) => fill(one).toLowerCase()),
      route,
      time: fill(time),
    };
  });
}

/** The fields of a plan that are right, each 0 to 1. */
export interface PlanFields {
  /** Share of what the message is about that some query names. */
  readonly referents: number;
  /** Share of the added queries that name any of it: the others bring what nobody asked for. */
  readonly names: number;
  /** By the shares of the queries; "both" is half right. */
  readonly route: number;
  readonly window: number;
}

export function fieldsOf(plan: Plan, { input, about, route, time }: ControllerItem): PlanFields {
  const texts = plan.queries.map((query) => query.text.toLowerCase());
  const named = about.filter((one) => texts.some((text) => text.includes(one)));
  const added = plan.queries.filter(({ purpose }) => purpose === "hypothetical");
  const sound = added.filter((query) => about.some((one) => query.text.toLowerCase().includes(one)));
  const routed = added.length > 0 ? added : plan.queries;
  const weight = routed.reduce((sum, { share }) => sum + share, 0);
  const right = routed.reduce(
    (sum, query) => sum + query.share * (query.route === route ? 1 : query.route === "both" ? 0.5 : 0),
    0,
  );
  return {
    referents: named.length / about.length,
    names: added.length > 0 ? sound.length / added.length : 1,
    route: weight > 0 ? right / weight : 0.5,
    window: hasWindow(plan, input, time) ? 1 : 0,
  };
}

/** The expected window is the one that the same words give by themselves. */
function hasWindow({ windows }: Plan, { now, timeZone }: PlanInput, time: string): boolean {
  if (time === "") return windows.length === 0;
  const [expected] = timeMentions(time, { at: now, timeZone });
  return windows.some(({ from, to }) => from === expected?.window.from && to === expected.window.to);
}

/** Most weight for what decides whether the evidence is among the candidates. */
function scoreOf(plan: Plan, item: ControllerItem): number {
  const { referents, names, route, window } = fieldsOf(plan, item);
  return 0.5 * referents + 0.2 * names + 0.1 * route + 0.2 * window;
}

export async function tryController(engine: SlmEngine, random: Random, parts: TrialParts): Promise<readonly FormTrial[]> {
  const rules = new LiteController();
  const items = controllerItems(random);
  const byRules = (item: ControllerItem) => scoreOf(rules.planSync(item.input), item);
  const lite = async (item: ControllerItem) => byRules(item);
  const playWith = (model: Controller, before: (item: ControllerItem) => number) => async (item: ControllerItem) => ({
    lite: before(item),
    models: [scoreOf(mergePlans(rules.planSync(item.input), await model.plan(item.input, parts)), item)],
  });
  const trials: FormTrial[] = [];
  if (engine.score) {
    const play = playWith(new LikelihoodController(engine, rules), (item) => Math.max(byRules(item), byChance(rules, item)));
    trials.push(await tryForm("likelihood", items, play, lite, parts));
  }
  const play = playWith(new SlmController(new StructuredAsker(engine), rules), byRules);
  trials.push(await tryForm("generate", items, play, lite, parts));
  return trials;
}

/** What any choice among the readings brings on average: only beyond that it is the model that has chosen well. */
function byChance(rules: LiteController, item: ControllerItem): number {
  const plan = rules.planSync(item.input);
  const readings = readingsOf(item.input);
  if (readings.length < 2) return 0;
  return readings.reduce((sum, one) => sum + scoreOf(withReading(plan, one), item), 0) / readings.length;
}

/** SLM-1 with a model that cannot write a plan: it chooses what a question points at, by how likely it finds each reading of it. */

import type { CallOptions, Controller, PlanInput, SlmEngine } from "../ports.js";
import { ANY_QUESTION, rewritingMessages } from "../slm/prompts/controller.js";
import { promptRoom } from "../slm/structured/room.js";
import { logProbabilities } from "../slm/structured/scores.js";
import type { Plan } from "../types.js";
import { type LiteController, OWN_WORDS_SHARE } from "./controller.js";
import { fittingTurns } from "./fitting-turns.js";
import { possibleReadings } from "./possible-readings.js";

/** Tokens of a reading of the question. */
const MAX_TOKENS = 120;
/** Characters of a question that are read; a longer one says itself what it is about. */
const LENGTH_READ = 400;

export class LikelihoodController implements Controller {
  readonly form = "likelihood";
  readonly #engine: SlmEngine;
  readonly #lite: LiteController;

  /** @throws TypeError for an engine without scores */
  constructor(engine: SlmEngine, lite: LiteController) {
    if (!engine.score) throw new TypeError(`the engine ${engine.id} gives no scores`);
    this.#engine = engine;
    this.#lite = lite;
  }

  /** @returns the rules' plan, with the likeliest reading beside it where there are several
   * @throws MemoryError "model-failed" for numbers that are no probabilities; what the engine throws */
  async plan(input: PlanInput, { signal }: CallOptions = {}): Promise<Plan> {
    const lite = this.#lite.planSync(input);
    const readings = readingsOf(input);
    if (readings.length < 2) return lite;
    const gains = await this.#gains(readings, input, { signal });
    const most = Math.max(...gains);
    const likeliest = readings[gains.indexOf(most)];
    // Who finds all alike has not chosen.
    const isChosen = likeliest !== undefined && gains.filter((gain) => gain === most).length === 1;
    return isChosen ? withReading(lite, likeliest) : lite;
  }

  /** How much likelier each reading is after these turns than without them: else the most common word would win. */
  async #gains(readings: readonly string[], { recent, text }: PlanInput, options: CallOptions): Promise<number[]> {
    const before = fittingTurns(
      recent,
      (turns) => rewritingMessages({ recent: turns, message: text }),
      promptRoom(this.#engine, MAX_TOKENS),
    );
    const after = await logProbabilities(this.#engine, before, readings, options);
    const anyway = await logProbabilities(this.#engine, ANY_QUESTION, readings, options);
    return after.map((value, at) => value - (anyway[at] as number));
  }
}

/** What the message may mean; none where it points at nothing. */
export function readingsOf({ text, recent }: Pick<PlanInput, "text" | "recent">): readonly string[] {
  return possibleReadings(text.slice(0, LENGTH_READ), recent);
}

/** The rules' plan, which searches for this reading too. */
export function withReading(lite: Plan, text: string): Plan {
  if (lite.queries.some((query) => query.text === text)) return lite;
  const added = { text, purpose: "hypothetical", route: "both", share: 1 - OWN_WORDS_SHARE } as const;
  return { ...lite, queries: [...lite.queries, added] };
}

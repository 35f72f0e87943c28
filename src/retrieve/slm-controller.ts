/** SLM-1 with a model: its queries beside the rules' plan. What it may decide is guarded here and in `recall`. */

import { MemoryError } from "../errors.js";
import type { CallOptions, Controller, PlanInput } from "../ports.js";
import { controllerAnswer, controllerMessages, controllerPlan } from "../slm/prompts/controller.js";
import type { StructuredAsker } from "../slm/structured/ask.js";
import { termsOf } from "../text/terms.js";
import { timeMentions } from "../text/time.js";
import type { Plan, PlannedQuery } from "../types.js";
import { type LiteController, OWN_WORDS_SHARE } from "./controller.js";
import { fittingTurns } from "./fitting-turns.js";

/** Tokens of its answer: three queries of some twenty words. */
const MAX_TOKENS = 250;

export class SlmController implements Controller {
  readonly form = "generate";
  readonly #asker: StructuredAsker;
  readonly #lite: LiteController;

  constructor(asker: StructuredAsker, lite: LiteController) {
    this.#asker = asker;
    this.#lite = lite;
  }

  /** @throws MemoryError "model-failed" when no plan can be read from the model's answers */
  async plan(input: PlanInput, { signal }: CallOptions = {}): Promise<Plan> {
    const answer = await this.#asker.ask({
      messages: fittingTurns(
        input.recent,
        (turns) => controllerMessages({ recent: turns, message: input.text }),
        this.#asker.room(MAX_TOKENS),
      ),
      schema: controllerAnswer,
      asks: controllerPlan,
      maxTokens: MAX_TOKENS,
      ...(signal && { signal }),
    });
    const lite = this.#lite.planSync(input);
    if (!answer.ok) throw new MemoryError("model-failed", `its answer could not be read: ${answer.reason}`);
    const { queries, time, kinds, budget } = answer.value;
    const seen = new Set(lite.queries.map(({ text }) => text.toLowerCase()));
    // A query without a content word would bring whatever is common.
    const added = queries.filter(({ text }) => termsOf(text).length > 0 && !seen.has(text.toLowerCase()));
    return {
      ...lite,
      queries: [...lite.queries, ...sharesOf(added)],
      windows: lite.windows.length > 0 ? lite.windows : quotedTimes(time, input),
      ...(kinds.length > 0 && { kinds }),
      ...(budget !== undefined && { budget }),
    };
  }
}

/** The model's weights over the half that own words leave. */
function sharesOf(
  queries: readonly { readonly text: string; readonly route: PlannedQuery["route"]; readonly share: number }[],
): PlannedQuery[] {
  const sum = queries.reduce((total, { share }) => total + share, 0);
  return queries.map(({ text, route, share }) => ({
    text,
    route,
    purpose: "hypothetical",
    share: ((1 - OWN_WORDS_SHARE) * share) / sum,
  }));
}

/** Times that the model quotes from the message; what the message does not say is no time of it. */
function quotedTimes(time: string, { text, now, timeZone }: PlanInput): Plan["windows"] {
  const quote = time.trim();
  if (quote === "" || !text.toLowerCase().includes(quote.toLowerCase())) return [];
  return timeMentions(quote, { at: now, timeZone }).map((mention) => mention.window);
}

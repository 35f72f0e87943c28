/** SLM-1 with a model: its queries beside the rules' plan. What it may decide is guarded here and in `recall`. */

import { MemoryError } from "../errors.js";
import { ContextWindow } from "../lre/context-window.js";
import type { Unit } from "../lre/unit.js";
import type { CallOptions, Controller, EngineMessage, PlanInput, RecentTurn } from "../ports.js";
import { controllerAnswer, controllerMessages } from "../slm/prompts/controller.js";
import type { StructuredAsker } from "../slm/structured/ask.js";
import { termsOf } from "../text/terms.js";
import { timeMentions } from "../text/time.js";
import { estimateTokens } from "../text/tokens.js";
import type { Plan, PlannedQuery } from "../types.js";
import { type LiteController, OWN_WORDS_SHARE } from "./controller.js";

/** Turns that the model sees, those of them that are always shown, and tokens of its answer: three queries of some twenty words. */
const RECENT = 6;
const LAST = 2;
const MAX_TOKENS = 220;

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
      messages: this.#messages(input),
      schema: controllerAnswer,
      maxTokens: MAX_TOKENS,
      ...(signal && { signal }),
    });
    const lite = this.#lite.planSync(input);
    if (!answer.ok) throw new MemoryError("model-failed", `its answer could not be read: ${answer.reason}`);
    const { queries, time } = answer.value;
    const seen = new Set(lite.queries.map(({ text }) => text.toLowerCase()));
    // A query without a content word would bring whatever is common.
    const added = queries.filter(({ text }) => termsOf(text).length > 0 && !seen.has(text.toLowerCase()));
    return {
      ...lite,
      queries: [...lite.queries, ...sharesOf(added)],
      windows: lite.windows.length > 0 ? lite.windows : quotedTimes(time, input),
    };
  }

  /** With fewer turns where the context is small; what is load-bearing stays. */
  #messages({ recent, text }: PlanInput): EngineMessage[] {
    const messagesOf = (turns: readonly RecentTurn[]) =>
      controllerMessages({ recent: turns.map(({ role, name, text }) => ({ speaker: name ?? role, text })), message: text });
    const last = recent.slice(-RECENT);
    const room = this.#asker.room(MAX_TOKENS);
    const whole = messagesOf(last);
    if (tokensOf(whole) <= room) return whole;
    return messagesOf(loadBearing(last, Math.max(0, room - tokensOf(messagesOf([])))));
  }
}

/** What the prompt takes of a turn beside its text. */
const PER_TURN = 8;

function tokensOf(messages: readonly EngineMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

/** The turns that matter most, in their order. */
function loadBearing(recent: readonly RecentTurn[], budgetTokens: number): RecentTurn[] {
  const window = new ContextWindow<Unit & { readonly turn: RecentTurn }>({
    budgetTokens,
    recent: LAST,
    recentInside: true,
    ledgerShare: 0,
  });
  for (const [at, turn] of recent.entries()) {
    const { role, name, text } = turn;
    const tokens = estimateTokens(text.slice(0, 300)) + PER_TURN;
    window.push({ id: String(at), role, speaker: name ?? role, text, tokens, pinned: false, turn });
  }
  return window.select().kept.map(({ unit }) => unit.turn);
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

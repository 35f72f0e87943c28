/** SLM-2 with a model, in two forms: numbers that it writes, and the probability that it gives the question after each memory. */

import { isMemoryError, MemoryError } from "../errors.js";
import type { CallOptions, Candidate, EngineMessage, Selected, SelectInput, Selector, SlmEngine } from "../ports.js";
import { likelihoodMessages, selectorAnswer, selectorMessages } from "../slm/prompts/selector.js";
import type { StructuredAsker } from "../slm/structured/ask.js";
import { perToken } from "../slm/structured/scores.js";
import { estimateTokens } from "../text/tokens.js";
import type { LiteSelector } from "./selector.js";

/** Tokens of twenty numbers as JSON. */
const MAX_TOKENS = 90;
/** Candidates that a reordering may move: further down nothing is shown anyway. */
const REORDERED = 10;

/** A memory as a model reads it. */
export const dated = ({ entry }: Candidate): string =>
  `${new Date(entry.saidAt).toISOString().slice(0, 10)} ${entry.subject}: ${entry.text}`;

/** The model writes the numbers of what supports the question; fewer when fewer do. */
export class GeneratingSelector implements Selector {
  readonly form = "generate";
  readonly #asker: StructuredAsker;

  constructor(asker: StructuredAsker) {
    this.#asker = asker;
  }

  /** @throws MemoryError "model-failed" when no numbers can be read from the model's answers, "too-large" where not even one memory
   * fits beside the question: lite's selection stands then */
  async select(input: SelectInput, { signal }: CallOptions = {}): Promise<readonly Selected[]> {
    let shown = this.#fitting(input);
    for (;;) {
      if (shown === 0) throw new MemoryError("too-large", "the question leaves no room for a memory in the model's context");
      try {
        return await this.#ask(input, shown, signal);
      } catch (error) {
        if (!isMemoryError(error, "too-large") || shown === 1) throw error;
        // The estimate was too low for this vocabulary.
        shown = Math.floor(shown / 2);
      }
    }
  }

  /** How many of the best candidates fit into the context. */
  #fitting(input: SelectInput): number {
    const room = this.#asker.room(MAX_TOKENS);
    let shown = input.candidates.length;
    while (shown > 0 && tokensOf(messagesFor(input, shown)) > room) shown--;
    return shown;
  }

  async #ask(input: SelectInput, shown: number, signal: AbortSignal | undefined): Promise<readonly Selected[]> {
    const answer = await this.#asker.ask({
      messages: messagesFor(input, shown),
      schema: selectorAnswer,
      maxTokens: MAX_TOKENS,
      ...(signal && { signal }),
    });
    if (!answer.ok) throw new MemoryError("model-failed", `its answer could not be read: ${answer.reason}`);
    const { numbers } = answer.value;
    const known = [...new Set(numbers)].filter((number) => number >= 1 && number <= shown);
    // Nothing supports the question only where the model says so.
    if (known.length === 0 && numbers.length > 0)
      throw new MemoryError("model-failed", `it chose ${numbers.slice(0, 3).join(", ")} of ${shown} memories`);
    return known
      .slice(0, input.k)
      .map((number, rank) => ({ index: number - 1, score: 1 / (rank + 1), why: `the model's choice number ${rank + 1}` }));
  }
}

function messagesFor({ plan, candidates, k }: SelectInput, shown: number): EngineMessage[] {
  return selectorMessages(
    plan.queries.map(({ text }) => text),
    candidates.slice(0, shown).map(dated),
    k,
  );
}

function tokensOf(messages: readonly EngineMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

/** Query likelihood, log P(question | memory) a token, blended with lite's own score. It reorders what lite puts first, and selects
 * as many as lite.
 *
 * Alone, over a reciprocal-rank order, it lifts recall at 5 of a 135M model from .78 to .90; over lite the blend must stay near lite. */
export class LikelihoodSelector implements Selector {
  readonly form = "likelihood";
  readonly #engine: SlmEngine;
  readonly #lite: LiteSelector;
  readonly #weight: number;

  /** @param weight of the likelihood, 0 to 1; .2 where no exam has found a better one
   * @throws RangeError | TypeError for an engine without scores */
  constructor(engine: SlmEngine, lite: LiteSelector, weight = 0.2) {
    if (!engine.score) throw new TypeError(`the engine ${engine.id} gives no scores`);
    if (!(weight >= 0 && weight <= 1)) throw new RangeError(`a weight lies in 0 to 1, got ${weight}`);
    this.#engine = engine;
    this.#lite = lite;
    this.#weight = weight;
  }

  async select(input: SelectInput, { signal }: CallOptions = {}): Promise<readonly Selected[]> {
    const { selected, decisions, ranked } = this.#lite.decide(input);
    if (selected.length === 0) return selected;
    // Also what lite leaves out as unlikely, next to what it takes: a good model knows better.
    const first = ranked.filter(({ index }) => decisions[index]?.kind !== "repeats").slice(0, REORDERED);
    const likelihoods: number[] = [];
    for (const { index } of first) {
      signal?.throwIfAborted();
      const prompt = likelihoodMessages(dated(input.candidates[index] as Candidate));
      likelihoods.push(...(await perToken(this.#engine, prompt, [input.text], { signal })));
    }
    const blended = blend(
      first.map(({ logit }) => logit),
      likelihoods,
      this.#weight,
    );
    const order = [...first.keys()].sort((a, b) => (blended[b] as number) - (blended[a] as number) || a - b);
    // As many as lite takes, and the scores stay with their places: the best of them is still the probability that the question is
    // supported.
    return selected.map((one, place) => {
      const at = order[place];
      if (at === undefined) return one;
      const why = `${(likelihoods[at] as number).toFixed(2)} log-likelihood of the question a token, weight ${this.#weight}; lite put it at ${at + 1}`;
      return { index: (first[at] as (typeof first)[number]).index, score: one.score, why };
    });
  }
}

/** Both as deviations from their means, so that neither's scale wins. */
export function blend(lite: readonly number[], likelihood: readonly number[], weight: number): number[] {
  const [a, b] = [standardised(lite), standardised(likelihood)];
  return a.map((value, at) => (1 - weight) * value + weight * (b[at] as number));
}

function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  const deviation = Math.sqrt(variance);
  return values.map((value) => (deviation > 0 ? (value - mean) / deviation : 0));
}

/** SLM-3 with a model, in two forms: statements in its own words, and a choice among the person's sentences. Both start from what lite
 * keeps, so that a model decides how a turn is shown and never whether it is found. */

import { MemoryError } from "../errors.js";
import type { CallOptions, SlmEngine, Statement, WriteInput, WriteOutput, Writer } from "../ports.js";
import { rankMessages, type WriterPrompt, writerAnswer, writerMessages } from "../slm/prompts/writer.js";
import type { StructuredAsker } from "../slm/structured/ask.js";
import { perToken } from "../slm/structured/scores.js";
import { timeMentions } from "../text/time.js";
import { withDates } from "./dates.js";
import { placedSentences } from "./sentences.js";
import { without } from "./told.js";

/** Tokens of three statements as JSON. */
const MAX_TOKENS = 260;
/** Sentences that a choice leaves: with two of the person's own, 19 of 24 answers survive a 135M model. */
const CHOSEN = 2;

type NewTurn = WriteInput["turns"][number];

/** The model's statements in the place of lite's text; what they say beyond the turn is grounded away by whoever stores them. */
export class GeneratingWriter implements Writer {
  readonly #asker: StructuredAsker;
  readonly #lite: Writer;

  constructor(asker: StructuredAsker, lite: Writer) {
    this.#asker = asker;
    this.#lite = lite;
  }

  async write(input: WriteInput, options: CallOptions = {}): Promise<WriteOutput> {
    return withEach(await this.#lite.write(input, options), input, async (statement, turn, reply) => {
      const answer = await this.#asker.ask({
        messages: writerMessages(promptOf(turn, reply)),
        schema: writerAnswer,
        maxTokens: MAX_TOKENS,
        ...options,
      });
      if (!answer.ok) throw new MemoryError("model-failed", `its answer could not be read: ${answer.reason}`);
      const [first, ...others] = answer.value.statements;
      // A model that finds nothing worth keeping does not outvote the gate.
      if (!first) return statement;
      const text = [first, ...others].map((one) => closed(one.text)).join(" ");
      const mentions = timeMentions(text, { at: turn.at, timeZone: input.timeZone, bias: "nearest" });
      return { ...statement, text: withDates(text, 0, text.length, mentions), kind: first.kind };
    });
  }
}

/** The person's sentences that the model finds most worth repeating, by log P(sentence | exchange) − log P(sentence) a token. */
export class RankingWriter implements Writer {
  readonly #engine: SlmEngine;
  readonly #lite: Writer;

  /** @throws TypeError for an engine without scores */
  constructor(engine: SlmEngine, lite: Writer) {
    if (!engine.score) throw new TypeError(`the engine ${engine.id} gives no scores`);
    this.#engine = engine;
    this.#lite = lite;
  }

  async write(input: WriteInput, options: CallOptions = {}): Promise<WriteOutput> {
    return withEach(await this.#lite.write(input, options), input, async (statement, turn, reply) => {
      const quotes = statement.sources.filter(({ turnId }) => turnId === turn.id).map(({ quote }) => quote);
      const sentences = placedSentences(turn.text)
        .map(({ text }) => text)
        .filter((text) => quotes.some((quote) => quote.includes(text)));
      if (sentences.length <= CHOSEN) return statement;
      const gains = await this.#gains(promptOf(turn, reply), sentences, options);
      const order = [...sentences.keys()].sort((a, b) => (gains[b] as number) - (gains[a] as number) || a - b);
      const gone = new Set(order.slice(CHOSEN).map((at) => sentences[at] as string));
      return without(statement, gone, turn, input.timeZone) ?? statement;
    });
  }

  async #gains(prompt: WriterPrompt, sentences: readonly string[], options: CallOptions): Promise<number[]> {
    const given = await perToken(this.#engine, rankMessages(prompt), sentences, options);
    const alone = await perToken(this.#engine, rankMessages({ ...prompt, said: "", reply: "" }), sentences, options);
    return sentences.map((_, at) => (given[at] as number) - (alone[at] as number));
  }
}

function promptOf(turn: NewTurn, reply: NewTurn | undefined): WriterPrompt {
  return { speaker: turn.name ?? "The user", said: turn.text, reply: reply?.text ?? "" };
}

/** Lite's output with what a model makes of each person's statement; the assistant's stay as they are. */
async function withEach(
  output: WriteOutput,
  { turns }: WriteInput,
  rewrite: (statement: Statement, turn: NewTurn, reply: NewTurn | undefined) => Promise<Statement>,
): Promise<WriteOutput> {
  const statements: Statement[] = [];
  for (const statement of output.statements) {
    const at = turns.findIndex(({ id }) => id === statement.turnId);
    const turn = turns[at];
    const reply = turns.slice(at + 1).find(({ role }) => role === "assistant");
    statements.push(turn?.role === "user" ? await rewrite(statement, turn, reply) : statement);
  }
  return { ...output, statements };
}

/** So that the next statement's first word does not pass for a name in the middle of this one. */
const closed = (text: string): string => (/[.!?。！？…]["'”’)\]]*$/u.test(text) ? text : `${text}.`);

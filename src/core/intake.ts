/** From turns to statements that may be stored: read by the writer, without secrets, borne out by what was said, told apart by role,
 * with what they take back. */

import type { Statement, WriteHistory, WriteOutput, Writer } from "../ports.js";
import { countWords } from "../retrieve/entry-table.js";
import { ROLE_TAG } from "../retrieve/played-last.js";
import type { TurnId, Written } from "../types.js";
import { amendmentIn, asksToKeep } from "../write/corrections.js";
import { ground } from "../write/grounding.js";
import { endsRole, type OpenFrame, ROLE_MARK, type RoleFrame, roleFrames } from "../write/role-play.js";
import { type PlacedSentence, placedSentences } from "../write/sentences.js";
import { toldBy, without } from "../write/told.js";
import type { Amending } from "./amending.js";
import { pause } from "./pause.js";
import type { NewTurn } from "./turn-rows.js";

/** Turns before the new ones that the writer and the grounding see, and turns that are read at a time: some milliseconds of work. */
const RECENT_TURNS = 12;
const BATCH = 4;
/** A longer turn was pasted: nobody takes anything back in it, or asks to keep it. */
const MAX_TOLD = 2_000;
/** A sentence of so few words that ends a role says nothing else. */
const ONLY_ENDS = 6;

/** A statement with the turn that it is of. */
export interface Taken {
  readonly statement: Statement;
  readonly turn: NewTurn;
  readonly amending: readonly Amending[];
  /** What only withdraws is not stored. */
  readonly onlyAmends?: true;
}

export interface TakenIn {
  readonly taken: readonly Taken[];
  readonly refused: Written["refused"];
  readonly fallbacks: Written["fallbacks"];
  /** A role that is still played. */
  readonly open?: OpenFrame;
}

export interface IntakeParts {
  readonly writer: Writer;
  /** Loads what reading these texts needs; never rejects. */
  readonly prepareLanguages: (texts: readonly string[]) => Promise<void>;
  readonly timeZone: string;
}

export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** In batches, so that a recall or an abort comes through while a long history is read.
   * @param turns new ones, without secrets
   * @param before the conversation's turns before them, without secrets, oldest first
   * @param recalled what the replies were given with
   * @param earlier reads further back than `before`; without it the writer takes the turns for a conversation's first
   * @param begun a role that was declared before all of them */
  async read(
    turns: readonly NewTurn[],
    before: readonly NewTurn[],
    recalled: readonly string[],
    signal: AbortSignal | undefined,
    earlier?: WriteHistory["read"],
    begun?: OpenFrame,
  ): Promise<TakenIn> {
    await this.#parts.prepareLanguages(turns.map(({ text }) => text));
    const all = [...before, ...turns];
    const { frames, open } = roleFrames(all, begun);
    const taken: Taken[] = [];
    const refused: Written["refused"][number][] = [];
    const fallbacks: Written["fallbacks"][number][] = [];
    for (let from = 0; from < turns.length; from += BATCH) {
      if (from > 0) await pause();
      const batch = turns.slice(from, from + BATCH);
      const place = before.length + from;
      const output = await this.#write(
        batch,
        all.slice(Math.max(0, place - RECENT_TURNS), place),
        turns[from + BATCH],
        recalled,
        signal,
        earlier,
      );
      refused.push(...output.refused);
      const statements = new Map<TurnId, Statement[]>();
      for (const statement of output.statements)
        statements.set(statement.turnId, [...(statements.get(statement.turnId) ?? []), statement]);
      batch.forEach((turn, index) => {
        const context = all
          .slice(Math.max(0, place + index - RECENT_TURNS), place + index)
          .filter(({ sessionId }) => sessionId === turn.sessionId);
        for (const statement of this.#told(turn, statements.get(turn.id) ?? [])) {
          const grounded = ground(statement, { turn, context, timeZone: this.#parts.timeZone });
          if (grounded.missing.length > 0) fallbacks.push({ text: statement.text, missing: grounded.missing });
          taken.push(...this.#amending(turn, framed(grounded.statement, frames.get(turn.id))));
        }
      });
    }
    return { taken, refused, fallbacks, ...(open && { open }) };
  }

  async #write(
    turns: readonly NewTurn[],
    recent: readonly NewTurn[],
    next: NewTurn | undefined,
    recalled: readonly string[],
    signal: AbortSignal | undefined,
    earlier: WriteHistory["read"] | undefined,
  ): Promise<WriteOutput> {
    const { writer, timeZone } = this.#parts;
    const last = recent.at(-1);
    const history = earlier && { read: earlier, ...(last && { lastTurnId: last.id }) };
    const output = await writer.write(
      { turns, recent, recalled, timeZone, ...(next && { next }), ...(history && { history }) },
      { signal },
    );
    signal?.throwIfAborted();
    return output;
  }

  /** The statements of a turn, and one of what the writer left out although the person asked to keep it or takes something back. */
  #told(turn: NewTurn, statements: readonly Statement[]): readonly Statement[] {
    const told = toldSentences(turn);
    if (told.length === 0) return statements;
    const quotes = statements.flatMap(({ sources }) => sources.map(({ quote }) => quote));
    const missing = told.filter(({ sentence: { text } }) => !quotes.some((quote) => quote.includes(text)));
    const kept = told.filter(({ keep }) => keep).map(({ sentence }) => sentence.text);
    const all =
      missing.length === 0
        ? statements
        : [
            ...statements,
            toldBy(
              turn,
              missing.map(({ sentence }) => sentence),
              this.#parts.timeZone,
            ),
          ];
    return all.map((statement) =>
      statement.sources.some(({ quote }) => kept.some((text) => quote.includes(text)))
        ? { ...statement, salience: 1, pinned: true as const }
        : statement,
    );
  }

  /** A statement with what it takes back; a sentence that only withdraws is not shown. */
  #amending(turn: NewTurn, statement: Statement): Taken[] {
    const amending = toldSentences(turn).flatMap(({ sentence: { text }, amendment }): Amending[] =>
      amendment && statement.sources.some(({ quote }) => quote.includes(text))
        ? [{ sentence: text, amendment, earlier: earlierIn(turn, text) }]
        : [],
    );
    const gone = new Set([...amending.filter(onlyWithdraws).map(({ sentence }) => sentence), ...roleEnds(turn)]);
    if (gone.size === 0) return [{ statement, turn, amending }];
    const left = without(statement, gone, turn, this.#parts.timeZone);
    if (left) return [{ statement: left, turn, amending }];
    return amending.length > 0 ? [{ statement, turn, amending, onlyAmends: true }] : [];
  }
}

/** Sentences of a turn before one of them. */
function earlierIn({ text }: NewTurn, sentence: string): string[] {
  const sentences = placedSentences(text).map((one) => one.text);
  return sentences.slice(0, Math.max(0, sentences.indexOf(sentence)));
}

function onlyWithdraws({ amendment }: Amending): boolean {
  return amendment.kind === "withdrawal" && amendment.alone;
}

/** Sentences that say nothing but that a role is over. */
function roleEnds({ role, text }: NewTurn): string[] {
  if (role !== "user" || text.length > MAX_TOLD) return [];
  return placedSentences(text).flatMap(({ text: sentence }) =>
    endsRole(sentence) && countWords(sentence) <= ONLY_ENDS ? [sentence] : [],
  );
}

interface ToldSentence {
  readonly sentence: PlacedSentence;
  readonly keep: boolean;
  readonly amendment: Amending["amendment"] | undefined;
}

/** Sentences of a person that say what to do with what was said. */
function toldSentences({ role, text }: NewTurn): ToldSentence[] {
  if (role !== "user" || text.length > MAX_TOLD) return [];
  return placedSentences(text)
    .map((sentence) => ({ sentence, keep: asksToKeep(sentence.text), amendment: amendmentIn(sentence.text) }))
    .filter(({ keep, amendment }) => keep || amendment !== undefined);
}

/** What is said in a role is marked as such, with the sentence that declared it, and is nobody's taste or plan. */
function framed(statement: Statement, frame: RoleFrame | undefined): Statement {
  if (!frame) return statement;
  const { turnId, role, speaker, quote } = frame;
  const isOwn = statement.sources.some((source) => source.turnId === turnId && source.quote.includes(quote));
  return {
    ...statement,
    text: `${ROLE_MARK} ${statement.text}`,
    subject: ROLE_TAG,
    kind: "fact",
    tags: [...statement.tags, ROLE_TAG],
    salience: statement.salience / 2,
    sources: isOwn
      ? statement.sources
      : [...statement.sources, { turnId, role, ...(speaker !== undefined && { speaker }), quote }],
  };
}

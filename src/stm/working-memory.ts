/** Short-term memory: the turns of one conversation that go before the model, kept by LRE inside a token budget. */

import { ContextWindow as LreWindow } from "../lre/context-window.js";
import { type Bundle, bundlesOf } from "../lre/held.js";
import type { LocalModel } from "../lre/scorer.js";
import type { Tokenizer } from "../ports.js";
import type { ContextWindow, Message, TurnId } from "../types.js";
import { type DialogueProfile, profileOf } from "./profile.js";
import { type ConversationTurn, messageOf } from "./recent-turns.js";
import { traceOf } from "./trace.js";
import { type TurnUnit, unitOf } from "./turn-unit.js";

/** What chat formats spend on a message beside its text: role and separators. */
const TOKENS_PER_MESSAGE = 4;
/** Turns by which the scored ones move on: of a longer conversation the last one to two thousand are scored, and recall has the
 * others. Where they begin hangs on the number of turns alone, so a memory that is rebuilt chooses the same. */
const BLOCK = 1_024;
/** The newest exchange always stays, and of the turns before it as many as fit this share of the budget. */
const RECENT_TURNS = 2;
const RECENT_SHARE = 0.5;
/** Share of the budget that identifiers of evicted turns may take. */
const LEDGER_SHARE = 0.1;
/** Share that instructions (role "system") may take before other older turns. */
const INSTRUCTION_SHARE = 0.5;

export interface WorkingMemoryOptions {
  readonly tokenizer: Tokenizer;
  /** What was learned from the person's own log, where anything was. */
  readonly local?: (profile: DialogueProfile) => LocalModel | undefined;
}

export interface TurnSelectionOptions {
  /** Tokens for turns and ledger, 0 or more. */
  readonly budgetTokens: number;
  /** Ids of turns that stay whatever they cost. */
  readonly pinned?: readonly string[];
  /** Pinned turns from before those that are scored, oldest first. */
  readonly older?: readonly ConversationTurn[];
  readonly trace?: boolean;
}

/** A turn that is not shown. */
export type LeftOutTurn = ContextWindow["leftOut"][number];

/** No store: it is rebuilt from the conversation's turns, and the same turns give the same choice however they came in.
 *
 * Whole turns only: half a message misleads a model more than none. What is left out is told, so that it can be recalled. */
export class WorkingMemory {
  readonly #options: WorkingMemoryOptions;
  readonly #ids = new Set<string>();
  /** Turns before those that are scored. */
  readonly #older: LeftOutTurn[] = [];
  #turns: ConversationTurn[] = [];
  /** What the window has scored: the first of `#turns`. */
  #units: TurnUnit[] = [];
  #window: LreWindow<TurnUnit> | undefined;
  /** The window under a model that was learned meanwhile, until it has scored as much. */
  #next: { readonly window: LreWindow<TurnUnit>; scored: number } | undefined;

  constructor(options: WorkingMemoryOptions) {
    this.#options = options;
  }

  /** Turns of the conversation that it knows. */
  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Whether a turn is among those that {@link select} chooses from. */
  isScored(id: string): boolean {
    return this.#units.some((unit) => unit.id === id);
  }

  /** Takes the next turns, oldest first; {@link score} scores them. A turn that is known already is left as it is. */
  add(turns: readonly ConversationTurn[]): void {
    for (const turn of turns) {
      if (this.#ids.has(turn.id)) continue;
      this.#ids.add(turn.id);
      this.#turns.push(turn);
      if (this.#turns.length === 2 * BLOCK) this.#moveOn();
    }
  }

  /** Scores what was added, at most `limit` turns: long work comes in slices.
   * @returns whether all is scored */
  score(limit = Number.POSITIVE_INFINITY): boolean {
    const profile = profileOf(this.#turns);
    if (this.#window?.profile !== profile) this.#restart(profile);
    const until = Math.min(this.#turns.length, this.#units.length + limit);
    while (this.#units.length < until) {
      const unit = this.#unit(this.#turns[this.#units.length] as ConversationTurn);
      this.#units.push(unit);
      this.#window?.push(unit);
    }
    return this.#units.length === this.#turns.length;
  }

  /** What was learned has changed: {@link rescore} scores with it what is scored already. */
  beginRescore(): void {
    if (this.#window) this.#next = { window: this.#empty(this.#window.profile as DialogueProfile), scored: 0 };
  }

  /** Until it is done the former scores serve. @returns whether it is */
  rescore(limit: number): boolean {
    const next = this.#next;
    if (!next) return true;
    for (const unit of this.#units.slice(next.scored, next.scored + limit)) next.window.push(unit);
    next.scored = Math.min(this.#units.length, next.scored + limit);
    if (next.scored < this.#units.length) return false;
    this.#window = next.window;
    this.#next = undefined;
    return true;
  }

  /** What goes before the model, of what is scored. O(turns). */
  select({ budgetTokens, pinned = [], older = [], trace = false }: TurnSelectionOptions): ContextWindow {
    const before = older.map((turn) => this.#unit(turn));
    const beforeTokens = before.reduce((sum, { tokens }) => sum + tokens, 0);
    const budget = Math.max(0, budgetTokens - beforeTokens);
    const window = this.#window ?? this.#restart(profileOf(this.#turns));
    const selection = window.select(budget, this.#staying(budget, new Set(pinned)));
    const ledger: Message[] = selection.ledger.length > 0 ? [{ role: "system", text: selection.ledgerText }] : [];
    const shown = new Set(before.map(({ id }) => id));
    const tokens = beforeTokens + selection.tokens;
    const local = this.#options.local?.(window.profile as DialogueProfile);
    return {
      messages: [...ledger, ...older.map(messageOf), ...selection.kept.map(({ unit }) => messageOf(unit.turn))],
      tokens,
      leftOut: [
        ...this.#older.filter(({ turnId }) => !shown.has(turnId)),
        ...selection.leftOut.map(({ id, tokens: cost }) => ({ turnId: id as TurnId, tokens: cost })),
      ],
      ledger: selection.ledger.map(({ value, field, unitId }) => ({ value, field, turnId: unitId as TurnId })),
      overBudgetTokens: Math.max(0, tokens - budgetTokens),
      ...(trace && {
        trace: traceOf(this.#units, selection, { profile: window.profile as DialogueProfile, budgetTokens, local }),
      }),
    };
  }

  /** What was asked to stay, and of the instructions the newest that fit their share of what that leaves; each costs what is
   * joined to it, too. */
  #staying(budget: number, pinned: Set<string>): ReadonlySet<string> {
    const bundles = bundlesOf(this.#units.map((unit, at) => ({ unit, at, tokens: unit.tokens })));
    const isAsked = ({ from, to }: Bundle): boolean => this.#units.slice(from, to).some(({ id }) => pinned.has(id));
    const asked = bundles.filter(isAsked).reduce((sum, { tokens }) => sum + tokens, 0);
    const instructions = bundles.filter((bundle) => this.#units[bundle.from]?.role === "system" && !isAsked(bundle)).reverse();
    let left = Math.max(0, budget - asked) * INSTRUCTION_SHARE;
    for (const { from, tokens } of instructions) {
      if (tokens > left) continue;
      left -= tokens;
      pinned.add((this.#units[from] as TurnUnit).id);
    }
    return pinned;
  }

  #unit(turn: ConversationTurn): TurnUnit {
    return unitOf(turn, TOKENS_PER_MESSAGE + this.#options.tokenizer.count(turn.text));
  }

  /** Lets a block go from what is scored. */
  #moveOn(): void {
    for (const [at, turn] of this.#turns.splice(0, BLOCK).entries()) {
      const { tokens } = this.#units[at] ?? this.#unit(turn);
      this.#older.push({ turnId: turn.id, tokens });
    }
    this.#window = this.#next = undefined;
    this.#units = [];
  }

  #restart(profile: DialogueProfile): LreWindow<TurnUnit> {
    const window = this.#empty(profile);
    for (const unit of this.#units) window.push(unit);
    this.#window = window;
    this.#next = undefined;
    return window;
  }

  #empty(profile: DialogueProfile): LreWindow<TurnUnit> {
    const local = this.#options.local?.(profile);
    return new LreWindow<TurnUnit>({
      budgetTokens: 0,
      profile,
      recent: RECENT_TURNS,
      recentInside: true,
      recentShare: RECENT_SHARE,
      ledgerShare: LEDGER_SHARE,
      ledgerCost: TOKENS_PER_MESSAGE,
      tokenizer: this.#options.tokenizer,
      ...(local && { local }),
    });
  }
}

/** Short-term memory: the recent turns of one conversation under a token budget. */

import type { RecentTurn, Tokenizer } from "../ports.js";
import { defaultTokenizer } from "../text/tokens.js";
import type { ContextWindow, Message, Turn, TurnId } from "../types.js";

/** What chat formats spend on a message beside its text: role and separators. */
const TOKENS_PER_MESSAGE = 4;

export interface ConversationWindowOptions {
  /** Budget of {@link ConversationWindow.messages}, 0 or more; 2,000 by default. */
  readonly maxTokens?: number;
  readonly tokenizer?: Tokenizer;
  /** Turns held beyond those that `maxTokens` shows, 1 or more, 200 by default; of older ones the name and the length are kept. */
  readonly maxTurns?: number;
  /** Whether `turns` begin where the conversation began; true by default. */
  readonly isWhole?: boolean;
}

/** A turn that is not shown. */
export type LeftOutTurn = ContextWindow["leftOut"][number];

type WindowTurn = Omit<Turn, "sequence">;

interface Held {
  readonly turn: WindowTurn;
  readonly tokens: number;
}

/** A working set, not a store: it is rebuilt from the stored turns, is not searched, and forgets from its old end.
 *
 * Whole turns only: half a message misleads a model more than none. What is left out is told, so that it can be recalled. */
export class ConversationWindow {
  readonly #maxTokens: number;
  readonly #maxTurns: number;
  readonly #tokenizer: Tokenizer;
  readonly #held: Held[] = [];
  #heldTokens = 0;
  /** What came before the turns held, oldest first; undefined while that is not known. */
  #older: LeftOutTurn[] | undefined;

  /** @param turns the conversation so far, oldest first
   * @throws RangeError for a budget below 0 or no turns at all */
  constructor(
    turns: readonly WindowTurn[] = [],
    { maxTokens = 2000, tokenizer = defaultTokenizer, maxTurns = 200, isWhole = true }: ConversationWindowOptions = {},
  ) {
    if (!(maxTokens >= 0)) throw new RangeError(`maxTokens must be 0 or more, got ${maxTokens}`);
    if (!(maxTurns >= 1)) throw new RangeError(`maxTurns must be 1 or more, got ${maxTurns}`);
    this.#maxTokens = maxTokens;
    this.#maxTurns = maxTurns;
    this.#tokenizer = tokenizer;
    this.#older = isWhole ? [] : undefined;
    this.add(turns);
  }

  /** Turns held, oldest first, whether or not they fit the budget. */
  get turns(): readonly WindowTurn[] {
    return this.#held.map(({ turn }) => turn);
  }

  /** Whether turns before those held could be shown within a budget. */
  hasRoom(maxTokens: number): boolean {
    return this.#older?.length !== 0 && this.#heldTokens <= maxTokens;
  }

  /** Whether every turn of the conversation is held, or known by name at least. */
  get isWhole(): boolean {
    return this.#older !== undefined;
  }

  /** What a text costs as a message. */
  cost(text: string): number {
    return TOKENS_PER_MESSAGE + this.#tokenizer.count(text);
  }

  /** Adds what was just said, oldest first. A turn that is held already is left as it is. */
  add(turns: readonly WindowTurn[]): void {
    const known = new Set(this.#held.map(({ turn }) => turn.id));
    for (const turn of turns) {
      if (known.has(turn.id)) continue;
      known.add(turn.id);
      this.#hold({ turn, tokens: this.cost(turn.text) });
    }
    this.#trim();
  }

  /** Puts turns before those held: read from the store for a larger budget.
   * @param turns directly before the oldest held, oldest first
   * @param before the oldest held when they were read; when it is another now, nothing happens
   * @param isWhole whether nothing comes before them */
  extend(turns: readonly WindowTurn[], before: TurnId | undefined, isWhole: boolean): void {
    if (this.#held[0]?.turn.id !== before) return;
    const older = turns.map((turn) => ({ turn, tokens: this.cost(turn.text) }));
    this.#held.splice(0, 0, ...older);
    for (const { tokens } of older) this.#heldTokens += tokens;
    this.#older = isWhole ? [] : undefined;
  }

  /** Names all that came before the turns held, oldest first. @param before as for {@link extend} */
  nameOlder(older: readonly LeftOutTurn[], before: TurnId | undefined): void {
    if (this.#held[0]?.turn.id === before) this.#older = [...older];
  }

  /** Drops turns that were forgotten. */
  remove(ids: readonly TurnId[]): void {
    const gone = new Set(ids);
    const kept = this.#held.filter(({ turn }) => !gone.has(turn.id));
    this.#held.length = 0;
    this.#heldTokens = 0;
    for (const held of kept) this.#hold(held);
    this.#older = this.#older?.filter(({ turnId }) => !gone.has(turnId));
  }

  /** The last turns as the roles see them, oldest first. @param limit at most so many; 12 by default */
  recent(limit = 12): RecentTurn[] {
    const turns = limit > 0 ? this.#held.slice(-limit) : [];
    return turns.map(({ turn: { role, name, text, at } }) => ({ role, text, at, ...(name !== undefined && { name }) }));
  }

  /** The newest turns that fit the budget whole, without a gap, and what did not.
   * @param maxTokens the window's own budget by default */
  messages(maxTokens = this.#maxTokens): ContextWindow {
    let tokens = 0;
    let first = this.#held.length;
    while (first > 0) {
      const next = this.#held[first - 1];
      if (next === undefined || tokens + next.tokens > maxTokens) break;
      tokens += next.tokens;
      first -= 1;
    }
    return {
      messages: this.#held.slice(first).map(({ turn }) => messageOf(turn)),
      tokens,
      leftOut: [...(this.#older ?? []), ...this.#held.slice(0, first).map(nameOf)],
      ledger: [],
      overBudgetTokens: 0,
    };
  }

  #hold(held: Held): void {
    this.#held.push(held);
    this.#heldTokens += held.tokens;
  }

  /** Lets the oldest go that neither the budget nor the number of turns asks for. */
  #trim(): void {
    let count = 0;
    let left = this.#heldTokens;
    while (this.#held.length - count > this.#maxTurns) {
      const oldest = this.#held[count] as Held;
      // The first turn beyond the budget stays too: by it is seen that the budget is full.
      if (left - oldest.tokens <= this.#maxTokens) break;
      left -= oldest.tokens;
      count++;
    }
    for (const dropped of this.#held.splice(0, count)) this.#older?.push(nameOf(dropped));
    this.#heldTokens = left;
  }
}

function nameOf({ turn, tokens }: Held): LeftOutTurn {
  return { turnId: turn.id, tokens };
}

/** A stored turn as the message it was. */
export function messageOf({ role, name, text, at, id }: WindowTurn): Message {
  return { role, text, at, id, ...(name !== undefined && { name }) };
}

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
  /** Turns held at all, 1 or more; older ones are dropped for good. 200 by default: more than a budget of tokens shows. */
  readonly maxTurns?: number;
}

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

  /** @param turns the conversation so far, oldest first
   * @throws RangeError for a budget below 0 or no turns at all */
  constructor(
    turns: readonly WindowTurn[] = [],
    { maxTokens = 2000, tokenizer = defaultTokenizer, maxTurns = 200 }: ConversationWindowOptions = {},
  ) {
    if (!(maxTokens >= 0)) throw new RangeError(`maxTokens must be 0 or more, got ${maxTokens}`);
    if (!(maxTurns >= 1)) throw new RangeError(`maxTurns must be 1 or more, got ${maxTurns}`);
    this.#maxTokens = maxTokens;
    this.#maxTurns = maxTurns;
    this.#tokenizer = tokenizer;
    this.add(turns.slice(-maxTurns));
  }

  /** Turns held, oldest first, whether or not they fit the budget. */
  get turns(): readonly WindowTurn[] {
    return this.#held.map(({ turn }) => turn);
  }

  /** Adds what was just said, oldest first. A turn that is held already is left as it is. */
  add(turns: readonly WindowTurn[]): void {
    const known = new Set(this.#held.map(({ turn }) => turn.id));
    for (const turn of turns) {
      if (known.has(turn.id)) continue;
      known.add(turn.id);
      this.#held.push({ turn, tokens: TOKENS_PER_MESSAGE + this.#tokenizer.count(turn.text) });
    }
    if (this.#held.length > this.#maxTurns) this.#held.splice(0, this.#held.length - this.#maxTurns);
  }

  /** Drops turns that were forgotten. */
  remove(ids: readonly TurnId[]): void {
    const gone = new Set(ids);
    const kept = this.#held.filter(({ turn }) => !gone.has(turn.id));
    this.#held.splice(0, this.#held.length, ...kept);
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
      leftOut: this.#held.slice(0, first).map((held) => ({ turnId: held.turn.id, tokens: held.tokens })),
    };
  }
}

/** A stored turn as the message it was. */
export function messageOf({ role, name, text, at, id }: WindowTurn): Message {
  return { role, text, at, id, ...(name !== undefined && { name }) };
}

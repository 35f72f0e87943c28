/** The last turns of a conversation, as the roles see them. */

import type { RecentTurn } from "../ports.js";
import type { Message, Turn, TurnId } from "../types.js";

export type ConversationTurn = Omit<Turn, "sequence">;

export interface RecentTurnsOptions {
  /** Turns held, 1 or more; 32 by default. The oldest go first. */
  readonly maxTurns?: number;
}

/** What was said last: a working set, not a store. It is rebuilt from the stored turns and is not searched. */
export class RecentTurns {
  readonly #maxTurns: number;
  #turns: readonly ConversationTurn[] = [];

  /** @param turns the conversation so far, oldest first
   * @throws RangeError for no turns at all */
  constructor(turns: readonly ConversationTurn[] = [], { maxTurns = 32 }: RecentTurnsOptions = {}) {
    if (!(maxTurns >= 1)) throw new RangeError(`maxTurns must be 1 or more, got ${maxTurns}`);
    this.#maxTurns = maxTurns;
    this.add(turns);
  }

  /** Turns held, oldest first. */
  get turns(): readonly ConversationTurn[] {
    return this.#turns;
  }

  /** Adds what was just said, oldest first. A turn that is held already is left as it is. */
  add(turns: readonly ConversationTurn[]): void {
    const known = new Set(this.#turns.map(({ id }) => id));
    const fresh = turns.filter(({ id }) => !known.has(id) && known.add(id));
    this.#turns = [...this.#turns, ...fresh].slice(-this.#maxTurns);
  }

  /** Drops turns that were forgotten. */
  remove(ids: readonly TurnId[]): void {
    const gone = new Set(ids);
    this.#turns = this.#turns.filter(({ id }) => !gone.has(id));
  }

  /** The last turns as the roles see them, oldest first. @param limit at most so many; 12 by default */
  recent(limit = 12): RecentTurn[] {
    const turns = limit > 0 ? this.#turns.slice(-limit) : [];
    return turns.map(({ role, name, text, at }) => ({ role, text, at, ...(name !== undefined && { name }) }));
  }
}

/** A turn as the message it was. */
export function messageOf({ role, name, text, at, id }: ConversationTurn): Message {
  return { role, text, at, id, ...(name !== undefined && { name }) };
}

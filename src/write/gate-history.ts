/** What a conversation had been before a turn, as far as the sentence gate asks: words heard, who spoke last, how turns score. */

import type { Unit } from "../lre/unit.js";
import type { Role } from "../types.js";
import { contentWords, type SentencePlace } from "./gate-features.js";

export interface HeardTurn {
  readonly role: Role;
  readonly name?: string;
  readonly text: string;
  readonly sessionId: string;
}

/** Scores the turns of one conversation as they come: what the context window evicts by. */
export interface TurnScorer {
  push(unit: Unit): number;
}

/** Characters of a turn whose words are remembered. */
const READ = 3_000;
const ASKS = /[?？؟]\s*$/u;

/** Streams over one conversation: {@link enter} a turn, look at its sentences, then {@link leave} it. */
export class GateHistory {
  /** Turns of persons that hold a word. */
  readonly #words = new Map<string, number>();
  #turns = 0;
  #session: string | undefined;
  #spoken = 0;
  #last: { readonly speaker: string; readonly asks: boolean } | undefined;

  /** @param scorer of the context window; without one every turn scores 0 */
  constructor(private readonly scorer?: TurnScorer) {}

  get heard(): { readonly turns: number; readonly of: ReadonlyMap<string, number> } {
    return { turns: this.#turns, of: this.#words };
  }

  /** @returns what holds for every sentence of the turn */
  enter({ role, name, text, sessionId }: HeardTurn): Pick<SentencePlace, "turnLength" | "opensSession" | "answers" | "salience"> {
    if (sessionId !== this.#session) {
      this.#session = sessionId;
      this.#spoken = 0;
      this.#last = undefined;
    }
    const speaker = name ?? role;
    const salience = this.scorer?.push({ id: "", role, speaker, session: sessionId, text }) ?? 0;
    const answers = this.#last?.asks === true && this.#last.speaker !== speaker;
    return { turnLength: text.length, opensSession: this.#spoken === 0, answers, salience };
  }

  leave({ role, name, text }: HeardTurn): void {
    this.#last = { speaker: name ?? role, asks: ASKS.test(text) };
    if (role !== "user") return;
    this.#spoken++;
    this.#turns++;
    for (const word of contentWords(text.slice(0, READ))) this.#words.set(word, (this.#words.get(word) ?? 0) + 1);
  }
}

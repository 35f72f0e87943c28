/** A turn as a unit of the context window. */

import type { Unit } from "../lre/unit.js";
import type { ConversationTurn } from "./recent-turns.js";

export interface TurnUnit extends Unit {
  readonly turn: ConversationTurn;
  readonly tokens: number;
}

/** What a tool gave back makes no sense without the turn that asked for it, nor that turn without an answer.
 * @param tokens what it costs as a message */
export function unitOf(turn: ConversationTurn, tokens: number): TurnUnit {
  const { id, role, name, sessionId, text } = turn;
  // An instruction is kept inside the budget, not beyond it, so the window is not left to pin it.
  return { id, role, speaker: name ?? role, session: sessionId, text, tokens, pinned: false, isJoined: role === "tool", turn };
}

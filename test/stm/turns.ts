/** Turns and talk for the tests of the short-term memory. */

import type { ConversationTurn } from "../../src/stm/recent-turns.js";
import type { ConversationId, TurnId } from "../../src/types.js";

export const turn = (id: string, text: string, patch: Partial<ConversationTurn> = {}): ConversationTurn => ({
  id: id as TurnId,
  conversationId: "c" as ConversationId,
  sessionId: "s",
  role: "user",
  text,
  at: 0,
  recordedAt: 0,
  ...patch,
});

/** A person and an assistant; every seventh exchange holds something about the person, the others small talk. */
export function chat(exchanges: number): ConversationTurn[] {
  const facts = ["My sister Ana moved to Porto in May.", "I booked flight TP1234 for 12 June.", "My doctor is called Dr Weiss."];
  return Array.from({ length: exchanges }, (_, index) => {
    const said = index % 7 === 0 ? `${facts[(index / 7) % 3]} That was day ${index}.` : `ok, number ${index} sounds good, thanks`;
    return [turn(`u${index}`, said), turn(`a${index}`, `Sure, glad to hear it (${index}).`, { role: "assistant" as const })];
  }).flat();
}

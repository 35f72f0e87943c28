/** What an app passes to `record`, as rows to store. */

import type { ConversationId, Message, Timestamp, Turn, TurnId, TurnInput } from "../types.js";
import { SESSION_GAP_MS } from "../write/context.js";

export type NewTurn = Omit<Turn, "sequence">;

export interface RowInput {
  readonly conversationId: ConversationId;
  readonly now: Timestamp;
  readonly newId: () => string;
  /** The conversation's last turn, by which a gap is told. */
  readonly last?: { readonly at: Timestamp; readonly sessionId: string } | undefined;
}

export function messagesOf(turn: TurnInput): readonly Message[] {
  if ("messages" in turn) return turn.messages;
  const at = turn.at === undefined ? {} : { at: turn.at };
  const user: Message = { role: "user", text: turn.user, ...at };
  return turn.assistant === undefined ? [user] : [user, { role: "assistant", text: turn.assistant, ...at }];
}

/** One row a message; empty messages are left out (and told as refused by the recorder). */
export function turnRows(turn: TurnInput, { conversationId, now, newId, last }: RowInput): NewTurn[] {
  let previous = last;
  return messagesOf(turn).map((message) => {
    const at = message.at ?? now;
    const sessionId = turn.sessionId ?? (previous && Math.abs(at - previous.at) <= SESSION_GAP_MS ? previous.sessionId : newId());
    previous = { at, sessionId };
    return {
      id: (message.id ?? newId()) as TurnId,
      conversationId,
      sessionId,
      role: message.role,
      ...(message.name && { name: message.name }),
      text: message.text,
      at,
      recordedAt: now,
      ...(turn.private && { private: true as const }),
    };
  });
}

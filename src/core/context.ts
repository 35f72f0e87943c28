/** The messages to put before the model: the recalled block, then the newest turns that fit. */

import type { Tokenizer } from "../ports.js";
import type { ContextWindow, Message, Recall, Turn } from "../types.js";

type KnownTurn = Omit<Turn, "sequence">;

export interface ContextOptions {
  readonly stmTokens: number;
  readonly tokenizer: Tokenizer;
  readonly recall?: Recall;
  /** Bounds block and turns together; `stmTokens` for the turns alone by default. */
  readonly maxTokens?: number;
}

export function contextWindow(turns: readonly KnownTurn[], { stmTokens, tokenizer, recall, maxTokens }: ContextOptions): ContextWindow {
  const block: readonly Message[] = recall && recall.text !== "" ? [{ role: "system", text: recall.text }] : [];
  const blockTokens = block.length === 0 ? 0 : tokenizer.count((block[0] as Message).text);
  let left = maxTokens === undefined ? stmTokens : maxTokens - blockTokens;
  let used = 0;
  const kept: Message[] = [];
  const leftOut: { turnId: Turn["id"]; tokens: number }[] = [];
  for (const turn of [...turns].reverse()) {
    const tokens = tokenizer.count(turn.text);
    // Once one is left out all older ones are: a gap in the middle of the talk would mislead.
    if (leftOut.length > 0 || tokens > left) leftOut.push({ turnId: turn.id, tokens });
    else {
      left -= tokens;
      used += tokens;
      kept.push(messageOf(turn));
    }
  }
  const fits = maxTokens === undefined || blockTokens <= maxTokens;
  return {
    messages: [...(fits ? block : []), ...kept.reverse()],
    tokens: used + (fits ? blockTokens : 0),
    leftOut: leftOut.reverse(),
  };
}

export function messageOf({ id, role, name, text, at }: KnownTurn): Message {
  return { id, role, text, at, ...(name !== undefined && { name }) };
}

/** The messages to put before the model: the recalled block, then the newest turns that fit. */

import type { Tokenizer } from "../ports.js";
import type { ConversationWindow } from "../stm/conversation-window.js";
import type { ContextWindow, Message, Recall } from "../types.js";

/** @param options.maxTokens bounds block and turns together; without it the window's own budget bounds the turns alone. A
 * block that is larger than the bound is left out whole, which is told. */
export function contextWindow(
  window: ConversationWindow,
  tokenizer: Tokenizer,
  { recall, maxTokens }: { readonly recall?: Recall; readonly maxTokens?: number },
): ContextWindow {
  const text = recall?.text ?? "";
  const blockTokens = text === "" ? 0 : tokenizer.count(text);
  if (blockTokens === 0) return window.messages(maxTokens);
  if (maxTokens !== undefined && blockTokens > maxTokens) return { ...window.messages(maxTokens), recallLeftOut: true };
  const block: Message = { role: "system", text };
  const turns = window.messages(maxTokens === undefined ? undefined : maxTokens - blockTokens);
  return { ...turns, messages: [block, ...turns.messages], tokens: blockTokens + turns.tokens };
}

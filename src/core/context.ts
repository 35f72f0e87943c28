/** The messages to put before the model: the recalled block, then the turns that the short-term memory keeps. */

import type { ConversationRef } from "../backend.js";
import type { Tokenizer } from "../ports.js";
import type { ContextOptions, ContextWindow, Message } from "../types.js";
import type { WorkingMemories } from "./working-memories.js";

export interface ContextParts {
  readonly memories: WorkingMemories;
  readonly tokenizer: Tokenizer;
  /** Bounds the turns where `maxTokens` does not bound all. */
  readonly stmTokens: number;
}

/** A block that is larger than `maxTokens` is left out whole, which is told.
 * @throws the signal's reason */
export async function contextWindow(
  ref: ConversationRef,
  { recall, maxTokens, pinned = [], trace = false }: ContextOptions,
  { memories, tokenizer, stmTokens }: ContextParts,
  signal?: AbortSignal,
): Promise<ContextWindow> {
  const text = recall?.text ?? "";
  const blockTokens = text === "" ? 0 : tokenizer.count(text);
  const isTooLarge = maxTokens !== undefined && blockTokens > maxTokens;
  const block: readonly Message[] = blockTokens > 0 && !isTooLarge ? [{ role: "system", text }] : [];
  const shownTokens = block.length > 0 ? blockTokens : 0;
  const budgetTokens = maxTokens === undefined ? stmTokens : maxTokens - shownTokens;
  const turns = await selected(ref, { budgetTokens, pinned, trace }, memories, signal);
  return {
    ...turns,
    messages: [...block, ...turns.messages],
    tokens: shownTokens + turns.tokens,
    ...(isTooLarge && { recallLeftOut: true as const }),
  };
}

async function selected(
  ref: ConversationRef,
  options: { readonly budgetTokens: number; readonly pinned: readonly string[]; readonly trace: boolean },
  memories: WorkingMemories,
  signal: AbortSignal | undefined,
): Promise<ContextWindow> {
  for (;;) {
    const followed = await memories.of(ref, signal);
    const { memory } = followed;
    const unscored = options.pinned.filter((id) => !memory.isScored(id));
    const older = await memories.older(ref, unscored);
    signal?.throwIfAborted();
    if (!followed.isForgotten) return memory.select({ ...options, older });
  }
}

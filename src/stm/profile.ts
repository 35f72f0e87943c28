/** Whether a conversation is one between people or one with an assistant: the two have scorers of their own. */

import type { Turn } from "../types.js";

export type DialogueProfile = "people" | "assistant";

/** Turns that decide. */
const DECIDING = 50;

/** @param turns of one conversation, oldest first
 * @returns "people" where two or more named persons have the greater part of the first 50 turns */
export function profileOf(turns: readonly Pick<Turn, "role" | "name">[]): DialogueProfile {
  const first = turns.slice(0, DECIDING);
  const named = first.filter(({ role, name }) => role === "user" && name !== undefined);
  return named.length * 2 > first.length && new Set(named.map(({ name }) => name)).size >= 2 ? "people" : "assistant";
}

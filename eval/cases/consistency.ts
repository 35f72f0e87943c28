/** What can be said of a memory's consistency through its public surface, by the names that cases use. */

import type { Memory } from "keepsake";

/** @param said texts that were recorded and acknowledged
 * @returns names of the invariants that are violated */
export async function violatedIn(memory: Memory, said: readonly string[]): Promise<string[]> {
  const violated = new Set<string>();
  const conversations = new Set(["default"]);
  const entries = [];
  for await (const entry of memory.entries()) {
    entries.push(entry);
    conversations.add(entry.conversationId);
  }
  const ids = new Set<string>();
  const texts: string[] = [];
  for (const conversation of conversations) {
    for (const { id = "", text } of await memory.conversation(conversation).history({ limit: 10_000 })) {
      if (ids.has(id)) violated.add("duplicateTurn");
      ids.add(id);
      texts.push(text);
    }
  }
  for (const text of new Set(said)) {
    const count = texts.filter((one) => one === text).length;
    if (count === 0) violated.add("lostTurn");
    if (count > said.filter((one) => one === text).length) violated.add("duplicateTurn");
  }
  for (const { id, text, sources } of entries) {
    if (sources.some(({ turnId }) => !ids.has(turnId))) violated.add("entryWithoutTurn");
    const { items } = await memory.recall(text, { deadlineMs: 60_000, k: 100, contextTokens: 20_000, touch: false });
    if (!items.some(({ entryId }) => entryId === id)) violated.add("turnWithoutIndex");
  }
  return [...violated];
}

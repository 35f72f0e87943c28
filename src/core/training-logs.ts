/** The stored turns as logs to learn from: a conversation's turns in stretches of the log, each with what came before it. */

import type { Store, TrainingLog } from "../ports.js";
import { answeredIn } from "../stm/answered.js";
import type { ConversationId, Turn } from "../types.js";
import { pause } from "./pause.js";

/** Places of the log that make a stretch. A question belongs to one stretch, so it is learned from once. */
const STRETCH = 2_048;
const PAGE = 512;

/** The last stretch of a conversation. @param since questions before this place are left out */
export async function lastLog(store: Store, id: ConversationId, since: number): Promise<TrainingLog | undefined> {
  const [last] = await store.listTurns({ conversationId: id, limit: 1, reverse: true });
  if (!last) return undefined;
  const stretch = Math.floor(last.sequence / STRETCH);
  return logOf(id, await turnsFrom(store, (stretch - 1) * STRETCH, Number.POSITIVE_INFINITY, id), stretch, since);
}

/** Every stretch of every conversation that has questions. */
export async function* allLogs(store: Store, since: number, signal: AbortSignal): AsyncGenerator<TrainingLog> {
  const [last] = await store.listTurns({ limit: 1, reverse: true });
  for (let stretch = 0; last && stretch * STRETCH <= last.sequence; stretch++) {
    const turns = await turnsFrom(store, (stretch - 1) * STRETCH, (stretch + 1) * STRETCH);
    signal.throwIfAborted();
    for (const id of new Set(turns.map(({ conversationId }) => conversationId))) {
      const own = turns.filter(({ conversationId }) => conversationId === id);
      const log = logOf(id, own, stretch, since);
      if (log) yield log;
    }
  }
}

async function turnsFrom(store: Store, from: number, to: number, conversationId?: ConversationId): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let after = Math.max(-1, from - 1); ; ) {
    const page = await store.listTurns({ after, limit: PAGE, ...(conversationId !== undefined && { conversationId }) });
    turns.push(...page.filter(({ sequence }) => sequence < to));
    const last = page.at(-1);
    if (!last || page.length < PAGE || last.sequence >= to) return turns;
    after = last.sequence;
    await pause();
  }
}

function logOf(id: ConversationId, turns: readonly Turn[], stretch: number, since: number): TrainingLog | undefined {
  const from = Math.max(since, stretch * STRETCH);
  const answered = answeredIn(turns).filter(({ at }) => (turns[at]?.sequence ?? 0) >= from);
  if (answered.length === 0) return undefined;
  return {
    id: `${id}:${stretch}`,
    turns: turns.map(({ role, name, sessionId, text }) => ({ role, sessionId, text, ...(name !== undefined && { name }) })),
    answered: answered.map(({ at, question, answer }) => ({ question, answer, before: at })),
  };
}

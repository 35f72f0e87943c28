/** Plays a data set's conversation into a memory through its public surface, with its speakers and dates of then. */

import type { Memory, Recall, Written } from "keepsake";
import type { DatasetMemory, DatasetTurn } from "./data/dataset.js";

export interface ReplayOptions {
  readonly signal?: AbortSignal;
  /** Told the time of each session before it is recorded: who owns the memory's clock sets it. */
  readonly beforeSession?: (at: number) => void;
  /** Told after each session. */
  readonly onProgress?: (turns: number) => void;
  /** Told what became of each session. */
  readonly onWritten?: (written: Written) => void;
}

/** Records session by session; turns keep the data's ids. */
export async function replay(
  memory: Memory,
  { id, turns }: Pick<DatasetMemory, "id" | "turns">,
  { signal, beforeSession, onProgress, onWritten }: ReplayOptions = {},
): Promise<void> {
  const conversation = memory.conversation(id);
  let done = 0;
  for (const session of sessionsOf(turns)) {
    const messages = session.map(({ id: turnId, role, name, text, at }) => ({
      id: turnId,
      role,
      text,
      at,
      ...(name !== undefined && { name }),
    }));
    beforeSession?.(session[0]?.at ?? 0);
    const written = await conversation.record({ messages, sessionId: session[0]?.sessionId ?? "" }, signal ? { signal } : {});
    onWritten?.(written);
    done += session.length;
    onProgress?.(done);
  }
}

/** Turn ids behind each recalled item, best first. */
export function recalledTurns(recall: Recall): string[][] {
  return recall.items.map(({ sources }) => [...new Set(sources.map(({ turnId }) => turnId as string))]);
}

function sessionsOf(turns: readonly DatasetTurn[]): DatasetTurn[][] {
  const sessions: DatasetTurn[][] = [];
  for (const turn of turns) {
    const last = sessions.at(-1);
    if (last?.[0]?.sessionId === turn.sessionId) last.push(turn);
    else sessions.push([turn]);
  }
  return sessions;
}

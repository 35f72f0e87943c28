/** A benchmark history as Keepsake's own entries: recorded and recalled through the public surface, with the data's clock. */

import { type ConnectableEmbedder, type Memory, openMemory, type Written } from "keepsake/node";
import type { DatasetMemory, DatasetQuestion } from "./data/dataset.js";
import { BUDGET, FILL, type Found, K } from "./methods.js";
import { replay } from "./replay.js";

const NO_BUDGET = 100_000;
/** Lite has no step that waits; the deadline is that of a busy machine. */
const DEADLINE_MS = 60_000;
const CAPACITY = 1_000_000;

export interface EntryMemory {
  readonly memory: Memory;
  /** @param knowledge with the graph; a recall of an app walks it by default */
  ask(question: DatasetQuestion, knowledge?: boolean): Promise<Found>;
  close(): Promise<void>;
}

export async function buildEntryMemory(
  data: DatasetMemory,
  plan: "keepsake" | "paper",
  embedder?: ConnectableEmbedder,
  onWritten?: (written: Written) => void,
): Promise<EntryMemory> {
  let now = 0;
  const memory: Memory = await openMemory({
    name: "eval",
    userId: data.id,
    directory: ":memory:",
    timeZone: "UTC",
    plan,
    capacity: CAPACITY,
    clock: { now: () => now },
    ...(embedder && { embedder }),
  });
  await replay(memory, data, {
    ...(onWritten && { onWritten }),
    beforeSession: (at) => {
      now = at;
    },
  });
  return {
    memory,
    async ask({ text, askedAt }, knowledge = false) {
      // Not `at`, which hides what was said later: LongMemEval dates some evidence after its question, and turns are not hidden.
      now = askedAt;
      // A conversation of its own: a benchmark's question stands alone, without the last session's turns before it.
      const conversation = memory.conversation(undefined, { incognito: true });
      const options = { knowledge, touch: false, deadlineMs: DEADLINE_MS, trace: false };
      const ten = await conversation.recall(text, { ...options, k: K, contextTokens: NO_BUDGET });
      const filled = await conversation.recall(text, { ...options, k: FILL, contextTokens: BUDGET });
      return { entries: ten.items, filled: filled.items, tokens: ten.tokens, ms: ten.trace.totalMs };
    },
    close: () => memory.close(),
  };
}

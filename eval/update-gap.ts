/** The update gap: what is found by memories and graph together, by the graph alone, by memories alone, and where the memory is
 * full of what others said. */

import type { DatasetMemory, DatasetQuestion } from "./data/dataset.js";
import type { EntryMemory } from "./entry-memory.js";
import { rankMetrics } from "./metrics.js";
import { replay } from "./replay.js";

const NO_BUDGET = 100_000;
const DEADLINE_MS = 60_000;
const POOL = 50;
const REACHED = "reached over";

const metricsOf = (
  entries: readonly { readonly sources: readonly { readonly turnId: string }[] }[],
  question: DatasetQuestion,
): number =>
  rankMetrics(
    entries.map(({ sources }) => [...new Set(sources.map(({ turnId }) => turnId))]),
    question.evidence,
  )["recall@10"];

/** Recall at 10 of memories alone, or of both layers. */
export async function recallOf(built: EntryMemory, questions: readonly DatasetQuestion[], knowledge: boolean): Promise<number[]> {
  const found: number[] = [];
  for (const question of questions) found.push(metricsOf((await built.ask(question, knowledge)).entries, question));
  return found;
}

/** Recall at 10 where only those memories count that the graph leads to, in the order of the recall. */
export async function recallOfGraph({ memory }: EntryMemory, questions: readonly DatasetQuestion[]): Promise<number[]> {
  const found: number[] = [];
  for (const question of questions) {
    const conversation = memory.conversation(undefined, { incognito: true });
    const options = { knowledge: true, touch: false, deadlineMs: DEADLINE_MS, k: POOL, contextTokens: NO_BUDGET };
    const { items, trace } = await conversation.recall(question.text, options);
    const reached = new Set(trace.candidates.filter(({ reason }) => reason.includes(REACHED)).map(({ entryId }) => entryId));
    found.push(
      metricsOf(
        items.filter(({ entryId }) => reached.has(entryId)),
        question,
      ),
    );
  }
  return found;
}

/** Records another history beside, so that most of what is there is beside the point. */
export async function saturate({ memory }: EntryMemory, noise: DatasetMemory): Promise<void> {
  const turns = noise.turns.map((turn) => ({ ...turn, id: `noise ${turn.id}`, sessionId: `noise ${turn.sessionId}` }));
  await replay(memory, { id: `noise ${noise.id}`, turns });
}

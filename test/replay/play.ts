/** Replays a conversation and asks its questions; runs in Node and, by replay.worker.ts, in Chromium. */

import type { Memory } from "keepsake";
import type { DatasetMemory } from "../../eval/data/dataset.js";
import { recalledTurns, replay } from "../../eval/replay.js";

export interface Played {
  readonly turns: number;
  readonly entries: number;
  readonly subjects: string[];
  /** Earliest and latest time of an entry. */
  readonly said: [number, number];
  /** Per question: turn ids behind the first ten items. */
  readonly found: string[][];
}

export async function play(memory: Memory, data: DatasetMemory, questions: number): Promise<Played> {
  await replay(memory, data);
  const subjects = new Set<string>();
  const said: number[] = [];
  for await (const entry of memory.entries()) {
    subjects.add(entry.subject);
    said.push(entry.saidAt);
  }
  const found: string[][] = [];
  for (const { text, askedAt: at } of data.questions.slice(0, questions)) {
    const recall = await memory.recall(text, { at, k: 10, contextTokens: 4_000, touch: false, deadlineMs: 10_000 });
    found.push(recalledTurns(recall).flat());
  }
  const { turns, entries } = await memory.stats();
  return { turns, entries, subjects: [...subjects].sort(), said: [Math.min(...said), Math.max(...said)], found };
}

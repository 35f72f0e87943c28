/** Histories recorded through the public surface: what they come to, what recall finds of them beside whole turns, and what changed. */

import type { Dataset, DatasetMemory } from "../data/dataset.js";
import type { OpenedEmbedder } from "../embedders.js";
import { buildEntryMemory } from "../entry-memory.js";
import { loadKernelFile } from "../kernel-file.js";
import type { Figures } from "../lre/figures.js";
import { runMethod } from "../methods.js";
import { mean, rankMetrics } from "../metrics.js";
import { buildTurnMemory } from "../turn-memory.js";
import { Tally } from "./tally.js";
import { type Update, updateOf } from "./updates.js";

interface Paired {
  readonly entries: number[];
  readonly turns: number[];
  readonly entryTokens: number[];
  readonly turnTokens: number[];
}

export interface Replayed {
  readonly tally: Tally;
  readonly paired: Paired;
  readonly updates: readonly Update[];
}

const turnsOf = (entries: readonly { readonly sources: readonly { readonly turnId: string }[] }[]): string[][] =>
  entries.map(({ sources }) => [...new Set(sources.map(({ turnId }) => turnId))]);

/** @param wanted which memories to replay
 * @param isSampled which of them stand for all: what was picked for its kind of question would weigh too much in a mean over all kinds */
export async function replaySet(
  set: Dataset,
  opened: OpenedEmbedder,
  wanted: (memory: DatasetMemory, at: number) => boolean,
  isSampled: (at: number) => boolean,
): Promise<Replayed> {
  const kernel = await loadKernelFile();
  const parts = { ...opened, ...(kernel ? { kernel } : {}) };
  const tally = new Tally();
  const paired: Paired = { entries: [], turns: [], entryTokens: [], turnTokens: [] };
  const updates: Update[] = [];
  let next = 0;
  for await (const data of set.memories()) {
    const at = next++;
    if (!wanted(data, at)) continue;
    const recorded = await buildEntryMemory(data, "keepsake", undefined, (written) => tally.wrote(written));
    const whole = await buildTurnMemory(data, parts);
    const stored = await tally.look(recorded.memory, data, opened.embedder);
    for (const question of data.questions) {
      if (question.adversarial) continue;
      const ours = await recorded.ask(question);
      if (isSampled(at)) {
        const theirs = await runMethod("lite", { memory: whole, embedder: opened.embedder }, question, false);
        paired.entries.push(rankMetrics(turnsOf(ours.entries), question.evidence)["recall@10"]);
        paired.turns.push(rankMetrics(turnsOf(theirs.entries), question.evidence)["recall@10"]);
        paired.entryTokens.push(ours.tokens);
        paired.turnTokens.push(theirs.tokens);
      }
      if (question.category === "knowledge-update") {
        const update = updateOf(data, question, stored, ours.entries);
        if (update) updates.push(update);
      }
    }
    await recorded.close();
    whole.close();
    process.stderr.write(`\r${set.name}: ${paired.entries.length} questions `);
  }
  process.stderr.write("\n");
  return { tally, paired, updates };
}

/** Figures of one data set: its gate, and its entries beside its turns. */
export function addReplayed(figures: Figures, name: string, { tally, paired, updates }: Replayed): void {
  figures.add(`${name}.gate.recall.recorded`, tally.keptEvidence);
  figures.set(`${name}.gate.stored.recorded`, tally.storedSentences / Math.max(1, tally.sentences));
  figures.add(`${name}.entries.recall@10`, paired.entries);
  figures.add(`${name}.turns.recall@10`, paired.turns);
  figures.set(`${name}.entries.kept`, mean(paired.entries) / mean(paired.turns));
  figures.add(`${name}.entries.contextTokens`, paired.entryTokens);
  figures.add(`${name}.turns.contextTokens`, paired.turnTokens);
  figures.set(`${name}.entries.tokenShare`, mean(paired.entryTokens) / mean(paired.turnTokens));
  figures.set(`${name}.entries.perTurn`, tally.entries / Math.max(1, tally.turns));
  if (updates.length === 0) return;
  const of = (pick: keyof Update): number[] => updates.flatMap((update) => update[pick] ?? []);
  figures.add(`${name}.update.newestFirst`, of("newestFirst"));
  figures.add(`${name}.update.oldMarked`, of("oldMarked"));
}

/** Figures of all that was written, whatever data set it came from. */
export function addTallies(figures: Figures, tallies: readonly Tally[]): void {
  const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0);
  const entries = Math.max(
    1,
    sum((tally) => tally.entries),
  );
  figures.set(
    "write.fallback",
    sum(({ fallbacks }) => fallbacks) /
      Math.max(
        1,
        sum(({ statements }) => statements),
      ),
  );
  figures.set("write.grounded", sum(({ grounded }) => grounded) / entries);
  figures.set("write.duplicates", sum(({ duplicates }) => duplicates) / entries);
  figures.set(
    "write.duplicatesPer1000Turns",
    (1_000 * sum(({ duplicates }) => duplicates)) /
      Math.max(
        1,
        sum(({ turns }) => turns),
      ),
  );
  figures.set("write.supersede.marks", (1_000 * sum(({ marks }) => marks)) / entries);
  figures.set("write.supersede.wrong", (1_000 * sum(({ wrongMarks }) => wrongMarks)) / entries);
  figures.set(
    "write.supersede.hidden",
    sum(({ hidden }) => hidden),
  );
}

/** Compression by a language model, the one method that rewrites: measured by the answers that can still be read in the context. */

import { contentStems } from "../../src/lre/labels.js";
import type { SlmEngine } from "../../src/ports.js";
import { estimateTokens } from "../../src/text/tokens.js";
import type { Dialogue } from "./dialogues.js";
import type { Figures } from "./figures.js";
import { costsOf, type Policy, percent } from "./retention.js";

/** Tokens of new dialogue that a model reads at once, beside its notes. */
const BLOCK_TOKENS = 1_500;

const linesOf = ({ turns }: Dialogue): string[] =>
  turns.map(({ speaker, text, caption }) => `${speaker}: ${text}${caption ? ` [image: ${caption}]` : ""}`);

/** Notes of the whole dialogue, made block by block, never longer than the budget or a third of what the model can read: a model that
 * writes more is cut off. */
async function compress(engine: SlmEngine, dialogue: Dialogue, budget: number): Promise<string> {
  const { contextTokens } = engine.capabilities;
  const budgetTokens = Math.min(budget, Math.floor(contextTokens / 3));
  const blockTokens = Math.min(BLOCK_TOKENS, Math.floor(contextTokens / 4));
  let notes = "";
  let block: string[] = [];
  let size = 0;
  const fold = async (): Promise<void> => {
    const content = `Notes so far:\n${notes}\n\nConversation:\n${block.join("\n")}\n\nWrite the notes anew in at most ${budgetTokens} tokens. Keep names, dates, places, numbers and plans that could be asked for later. Notes only.`;
    const { text } = await engine.complete([{ role: "user", content }], { maxTokens: Math.max(1, budgetTokens), temperature: 0 });
    notes = text;
    while (estimateTokens(notes) > budgetTokens) notes = notes.slice(0, Math.floor(notes.length * 0.95));
    block = [];
    size = 0;
  };
  for (const line of linesOf(dialogue)) {
    block.push(line);
    size += estimateTokens(line);
    if (size >= blockTokens) await fold();
  }
  if (block.length > 0) await fold();
  return notes;
}

/** Share of answerable questions whose answer's content words all stand in the context. */
function readableAnswers({ questions }: Dialogue, context: string): number {
  const held = new Set(contentStems(context));
  const answers = questions.flatMap(({ answer }) => (answer === undefined ? [] : [contentStems(answer)]));
  const asked = answers.filter((stems) => stems.length > 0);
  return asked.filter((stems) => stems.every((stem) => held.has(stem))).length / Math.max(1, asked.length);
}

async function addAnswers(
  figures: Figures,
  dialogues: readonly Dialogue[],
  shares: readonly number[],
  suffix: string,
  contextOf: (dialogue: Dialogue, number: number, budgetTokens: number) => Promise<string> | string,
): Promise<void> {
  for (const share of shares) {
    const values: number[] = [];
    for (const [number, dialogue] of dialogues.entries()) {
      const budgetTokens = Math.floor(share * costsOf(dialogue).reduce((sum, cost) => sum + cost, 0));
      values.push(readableAnswers(dialogue, await contextOf(dialogue, number, budgetTokens)));
    }
    figures.add(`locomo.answers@${percent(share)}${suffix}`, values);
  }
}

/** @param policies verbatim ones to compare with, by the name that ends their figures
 * @param engine compresses; its row is left empty without one */
export async function compareCompression(
  figures: Figures,
  dialogues: readonly Dialogue[],
  shares: readonly number[],
  policies: Readonly<Record<string, Policy>>,
  engine: SlmEngine | undefined,
): Promise<void> {
  for (const [name, policy] of Object.entries(policies)) {
    await addAnswers(figures, dialogues, shares, name === "" ? "" : `.${name}`, (dialogue, number, budgetTokens) => {
      const lines = linesOf(dialogue);
      const kept = policy({ dialogue, number, costs: costsOf(dialogue), budgetTokens, recent: "inside" });
      return [...kept].map((at) => lines[at]).join("\n");
    });
  }
  if (engine)
    await addAnswers(figures, dialogues, shares, ".llm", (dialogue, _number, budget) => compress(engine, dialogue, budget));
}

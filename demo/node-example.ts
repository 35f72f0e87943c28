/** `npm run example`: the sample conversation in Node, on SQLite: records it, asks its questions, prints what came first. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory, type Recall } from "keepsake/node";
import { SAMPLE_QUESTIONS } from "./sample.js";
import { loadSample } from "./sample-turns.js";

const QUESTION_COLUMNS = 42;
const MEMORY_COLUMNS = 74;
const DAY = new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "short", year: "numeric" });

const directory = await mkdtemp(join(tmpdir(), "keepsake-example-"));
try {
  await using memory = await openMemory({ name: "example", userId: "me", directory });
  const conversation = memory.conversation("chat");

  const start = performance.now();
  await loadSample(conversation);
  const { entries, turns } = await memory.stats();
  console.log(`Recorded ${turns} messages as ${entries} memories in ${Math.round(performance.now() - start)} ms.\n`);

  let right = 0;
  console.log(row("Question", "First memory", "Said", "ms"));
  console.log("-".repeat(row("", "", "", "").length));
  for (const { question, expects } of SAMPLE_QUESTIONS) {
    const asked = performance.now();
    const recall = await conversation.recall(question);
    const ms = performance.now() - asked;
    const found = holds(recall, expects);
    if (found) right += 1;
    const first = recall.items[0];
    console.log(
      row(question, `${found ? "" : "✗ "}${first?.text ?? "nothing"}`, first ? DAY.format(first.saidAt) : "", ms.toFixed(1)),
    );
  }
  console.log(`\n${right} of ${SAMPLE_QUESTIONS.length} questions brought the right memory first.`);

  const recall = await conversation.recall("What should I know before I cook for a dinner with Jana?");
  console.log(`\nWhat a model would be given for "What should I know before I cook for a dinner with Jana?":\n\n${recall.text}`);
} finally {
  await rm(directory, { recursive: true });
}

function holds({ items: [first] }: Recall, expected: string): boolean {
  return first !== undefined && [first.text, ...first.sources.map(({ quote }) => quote)].some((text) => text.includes(expected));
}

function row(question: string, memory: string, said: string, ms: string): string {
  return `${cell(question, QUESTION_COLUMNS)}  ${cell(memory, MEMORY_COLUMNS)}  ${said.padEnd(11)}  ${ms.padStart(5)}`;
}

/** Cut or filled to a width in the terminal's columns, of which a Chinese character takes two. */
function cell(text: string, columns: number): string {
  const characters = [...text.replace(/\s+/gu, " ")];
  const widthOf = (character: string) => (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u.test(character) ? 2 : 1);
  const total = characters.reduce((sum, character) => sum + widthOf(character), 0);
  const limit = total > columns ? columns - 1 : columns;
  let shown = "";
  let width = 0;
  for (const character of characters) {
    if (width + widthOf(character) > limit) break;
    shown += character;
    width += widthOf(character);
  }
  if (total > columns) {
    shown += "…";
    width += 1;
  }
  return shown + " ".repeat(columns - width);
}

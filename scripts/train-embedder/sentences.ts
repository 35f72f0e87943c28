/** The sentences that the static embedder is trained on, read from data sets of plain licence.
 *
 * LongMemEval (MIT) without sessions of ShareGPT, whose licence is not plain, and without those that hold its answers,
 * so that its evaluation stays one of unseen evidence; API-Bank (Apache-2.0); tau-bench (MIT). Nothing of LoCoMo. */

import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { isPermissive } from "../../eval/data/licence.js";
import type { Random } from "../../src/ports.js";

const FEWEST_WORDS = 3;
const MOST_WORDS = 40;
/** A user's turn of at most this many words is also one example as a whole: queries and short turns look like that. */
const WHOLE_TURN_WORDS = 60;
const BOUNDARY = /(?<=[.!?])["')\]]*\s+(?=[\p{Lu}\d"'([])|\n+/u;

interface Utterance {
  readonly user: boolean;
  readonly text: string;
}

/** @param folder holds `longmemeval`, `api-bank` and `tau-bench`
 * @returns at most `limit` distinct sentences, shuffled */
export async function trainingSentences(folder: string, limit: number, random: Random): Promise<string[]> {
  const sentences = new Set<string>();
  for (const source of [longMemEval, apiBank, tauBench]) {
    for await (const utterance of source(folder)) for (const sentence of sample(utterance, random)) sentences.add(sentence);
  }
  return shuffle([...sentences], random).slice(0, limit);
}

/** Fisher–Yates, in place. */
export function shuffle<T>(items: T[], random: Random): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}

/** Four sentences of a user's turn and two of an assistant's: replies are longer, and memory is about the user. */
function sample({ user, text }: Utterance, random: Random): string[] {
  const trimmed = text.slice(0, 4_000).trim();
  const fit = trimmed
    .split(BOUNDARY)
    .map((part) => part.trim())
    .filter((part) => {
      const words = countWords(part);
      return words >= FEWEST_WORDS && words <= MOST_WORDS;
    });
  const chosen = shuffle(fit, random).slice(0, user ? 4 : 2);
  const words = countWords(trimmed);
  if (user && words >= FEWEST_WORDS && words <= WHOLE_TURN_WORDS) chosen.push(trimmed);
  return chosen;
}

function countWords(text: string): number {
  return text.split(/\s+/).length;
}

async function* longMemEval(folder: string): AsyncIterable<Utterance> {
  const file = createReadStream(join(folder, "longmemeval", "sessions-dev.jsonl.gz"));
  for await (const line of createInterface({ input: file.pipe(createGunzip()), crlfDelay: Infinity })) {
    const { sid, turns } = JSON.parse(line) as { sid: string; turns: { role: string; content: string }[] };
    if (!isPermissive(sid) || sid.startsWith("answer_")) continue;
    for (const { role, content } of turns) yield { user: role === "user", text: content };
  }
}

async function* apiBank(folder: string): AsyncIterable<Utterance> {
  const root = join(folder, "api-bank");
  for (const name of (await readdir(root, { recursive: true })).filter((path) => path.endsWith(".jsonl")).sort()) {
    for (const line of (await readFile(join(root, name), "utf8")).split("\n")) {
      if (line.trim() === "") continue;
      const { role, text } = JSON.parse(line) as { role: string; text?: string };
      if (text && role !== "API") yield { user: role === "User", text };
    }
  }
}

async function* tauBench(folder: string): AsyncIterable<Utterance> {
  const root = join(folder, "tau-bench");
  for (const name of (await readdir(root)).sort()) {
    const content = await readFile(join(root, name), "utf8");
    if (name.endsWith(".json")) {
      const runs = JSON.parse(content) as { traj: { role: string; content: string | null }[] }[];
      for (const { traj } of runs) {
        for (const { role, content: text } of traj) {
          if (text && (role === "user" || role === "assistant")) yield { user: role === "user", text };
        }
      }
    } else if (name.endsWith(".jsonl")) {
      for (const line of content.split("\n").filter((row) => row.trim() !== "")) {
        const { messages_display: display } = JSON.parse(line) as { messages_display: string };
        for (const [, role, text] of display.matchAll(/^(user|assistant): (.+)$/gm)) {
          if (text && text !== "None") yield { user: role === "user", text };
        }
      }
    }
  }
}

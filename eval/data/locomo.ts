/** Reads LoCoMo in its official format (`locomo10.json` or a part of it) and repairs its known defects. */

import { readFile } from "node:fs/promises";
import { countDefect, type Dataset, type DatasetMemory, type DatasetQuestion, type DatasetTurn } from "./dataset.js";

interface RawTurn {
  speaker: string;
  dia_id: string;
  text: string;
  img_url?: unknown;
  blip_caption?: string;
}

interface RawQuestion {
  question: string;
  answer?: unknown;
  evidence?: unknown[];
  category: number;
}

interface RawSample {
  sample_id: string;
  conversation: Record<string, unknown> & { speaker_a: string; speaker_b: string };
  qa: RawQuestion[];
}

const CATEGORIES: Readonly<Record<number, string>> = {
  1: "multi-hop",
  2: "temporal",
  3: "open-domain",
  4: "single-hop",
  5: "adversarial",
};
const MONTHS = "january february march april may june july august september october november december".split(" ");
const DAY_MS = 86_400_000;

/** "1:56 pm on 8 May, 2023", taken as UTC. */
export function parseLocomoDate(text: string): number {
  const match = /^\s*(\d+):(\d+)\s*(am|pm)\s+on\s+(\d+)\s+(\w+),?\s+(\d{4})/i.exec(text);
  const month = MONTHS.indexOf(match?.[5]?.toLowerCase() ?? "");
  if (!match || month < 0) throw new RangeError(`not a LoCoMo date: ${text}`);
  const hour = (Number(match[1]) % 12) + (match[3]?.toLowerCase() === "pm" ? 12 : 0);
  return Date.UTC(Number(match[6]), month, Number(match[4]), hour, Number(match[2]));
}

/** Evidence ids of a question: several in one string ("D8:6; D9:17"), stray colons ("D:11:26") and leading zeros ("D30:05") are
 * repaired, ids that no turn has are dropped. */
export function repairEvidence(raw: readonly unknown[], known: ReadonlySet<string>, defects: Record<string, number>): string[] {
  const found: string[] = [];
  for (const item of raw) {
    const text = String(item);
    const ids = [...text.matchAll(/D:?(\d+):(\d+)/g)].map((match) => `D${Number(match[1])}:${Number(match[2])}`);
    if (ids.length === 0) countDefect(defects, "evidence unreadable");
    if (ids.length > 0 && (ids.length > 1 || ids[0] !== text.trim())) countDefect(defects, "evidence string repaired");
    for (const id of ids) {
      if (!known.has(id)) countDefect(defects, "evidence names no turn");
      else if (!found.includes(id)) found.push(id);
    }
  }
  return found;
}

function readTurns(sample: RawSample): DatasetTurn[] {
  const numbers = Object.keys(sample.conversation)
    .map((key) => /^session_(\d+)$/.exec(key)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const at = parseLocomoDate(String(sample.conversation[`session_${number}_date_time`]));
    const turns = sample.conversation[`session_${number}`] as RawTurn[];
    return turns.map(
      (turn): DatasetTurn => ({
        id: turn.dia_id,
        sessionId: `${sample.sample_id}:${number}`,
        role: "user",
        name: turn.speaker,
        text: (turn.blip_caption ? `[Image: ${turn.blip_caption}] ` : "") + turn.text,
        at,
      }),
    );
  });
}

/** Questions are asked the day after the last session. */
function readMemory(sample: RawSample, defects: Record<string, number>): DatasetMemory {
  const turns = readTurns(sample);
  const known = new Set(turns.map((turn) => turn.id));
  const askedAt = Math.max(...turns.map((turn) => turn.at)) + DAY_MS;
  const questions: DatasetQuestion[] = [];
  sample.qa.forEach((question, index) => {
    if (typeof question.answer === "number") countDefect(defects, "answer is a number");
    const evidence = repairEvidence(question.evidence ?? [], known, defects);
    if (evidence.length === 0) return countDefect(defects, "question without evidence, left out");
    const category = CATEGORIES[question.category] ?? `category ${question.category}`;
    const adversarial = category === "adversarial";
    const answer = String(question.answer ?? "");
    questions.push({
      id: `${sample.sample_id}:${index}`,
      text: question.question,
      category,
      answer,
      evidence,
      askedAt,
      adversarial,
    });
  });
  return { id: sample.sample_id, turns, questions };
}

export function openLocomo(path: string): Dataset {
  const defects: Record<string, number> = {};
  return {
    name: "locomo",
    path,
    defects,
    async *memories() {
      for (const key of Object.keys(defects)) delete defects[key];
      for (const sample of JSON.parse(await readFile(path, "utf8")) as RawSample[]) yield readMemory(sample, defects);
    },
  };
}

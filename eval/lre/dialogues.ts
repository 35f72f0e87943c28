/** Dialogues with gold evidence and answers, as the eviction scorer needs them; `eval/data` has the retrieval side of the same files. */

import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { repairEvidence } from "../data/locomo.js";
import { parseLongMemEvalDate } from "../data/longmemeval.js";

export interface GoldTurn {
  readonly role: "user" | "assistant";
  readonly speaker: string;
  readonly session: number;
  readonly text: string;
  readonly caption?: string;
}

export interface GoldQuestion {
  readonly question: string;
  /** What the system is taken to have answered: the gold answer; absent for adversarial and abstention questions. */
  readonly answer?: string;
  /** Indices of the turns that hold the answer. */
  readonly evidence: readonly number[];
}

export interface Dialogue {
  readonly id: string;
  /** Question type, where a dialogue has one question. */
  readonly category?: string;
  readonly turns: readonly GoldTurn[];
  readonly questions: readonly GoldQuestion[];
  /** 1 where a turn is evidence of any question. */
  readonly gold: Uint8Array;
  /** By session number: the data set's id (to keep shared texts out of a fold, never a feature) and whether it holds the answer. */
  readonly sessions: readonly { readonly id: string; readonly isEvidence: boolean }[];
}

interface LocomoSample {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: { question: string; answer?: unknown; evidence?: unknown[]; category: number }[];
}

interface LocomoTurn {
  speaker: string;
  dia_id: string;
  text?: string;
  blip_caption?: string;
}

const ADVERSARIAL = 5;

function readLocomo(sample: LocomoSample): Dialogue {
  const numbers = Object.keys(sample.conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const turns: GoldTurn[] = [];
  const index = new Map<string, number>();
  numbers.forEach((number, session) => {
    for (const turn of sample.conversation[`session_${number}`] as LocomoTurn[]) {
      index.set(turn.dia_id, turns.length);
      const caption = turn.blip_caption ? { caption: turn.blip_caption } : {};
      turns.push({ role: "user", speaker: turn.speaker, session, text: turn.text ?? "", ...caption });
    }
  });
  const known = new Set(index.keys());
  const gold = new Uint8Array(turns.length);
  const questions = sample.qa.map((raw): GoldQuestion => {
    const evidence = repairEvidence(raw.evidence ?? [], known, {}).map((id) => index.get(id) ?? 0);
    for (const at of evidence) gold[at] = 1;
    const answer = raw.category === ADVERSARIAL || raw.answer === undefined ? {} : { answer: String(raw.answer) };
    return { question: raw.question, ...answer, evidence };
  });
  return {
    id: sample.sample_id,
    turns,
    questions,
    gold,
    sessions: numbers.map((number) => ({ id: String(number), isEvidence: false })),
  };
}

/** @param path a file in LoCoMo's official format */
export async function loadLocomo(path: string): Promise<Dialogue[]> {
  return (JSON.parse(await readFile(path, "utf8")) as LocomoSample[]).map(readLocomo);
}

interface LongMemEvalTurn {
  role: "user" | "assistant";
  content: string;
  has_answer?: boolean;
}

interface LongMemEvalInstance {
  question_id: string;
  question_type: string;
  question: string;
  answer: unknown;
  answer_session_ids: string[];
  haystack_dates: string[];
  haystack_session_ids: string[];
  haystack_sessions?: LongMemEvalTurn[][];
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = createReadStream(path).pipe(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) if (line) yield line;
}

function readLongMemEval(raw: LongMemEvalInstance, turnsOf: (index: number) => readonly LongMemEvalTurn[]): Dialogue {
  const answers = new Set(raw.answer_session_ids);
  const order = raw.haystack_session_ids
    .map((id, index) => ({ id, index, at: parseLongMemEvalDate(raw.haystack_dates[index] ?? "") }))
    .sort((a, b) => a.at - b.at || a.index - b.index);
  const turns: GoldTurn[] = [];
  const evidence: number[] = [];
  order.forEach(({ id, index }, session) => {
    for (const turn of turnsOf(index)) {
      if (answers.has(id) && turn.has_answer) evidence.push(turns.length);
      turns.push({ role: turn.role, speaker: turn.role, session, text: turn.content });
    }
  });
  const gold = new Uint8Array(turns.length);
  for (const at of evidence) gold[at] = 1;
  const answer = raw.question_id.endsWith("_abs") ? {} : { answer: String(raw.answer) };
  const sessions = order.map(({ id }) => ({ id, isEvidence: answers.has(id) }));
  return {
    id: raw.question_id,
    category: raw.question_type,
    turns,
    questions: [{ question: raw.question, ...answer, evidence }],
    gold,
    sessions,
  };
}

/** @param path the official JSON file, or the folder of the compact pair `questions-*.jsonl.gz`, `sessions-*.jsonl.gz` */
export async function loadLongMemEval(path: string): Promise<Dialogue[]> {
  if (!(await stat(path)).isDirectory()) {
    const instances = JSON.parse(await readFile(path, "utf8")) as LongMemEvalInstance[];
    return instances.map((raw) => readLongMemEval(raw, (index) => raw.haystack_sessions?.[index] ?? []));
  }
  const names = await readdir(path);
  const questions = names.find((name) => /^questions-.*\.jsonl\.gz$/.test(name));
  const sessionFile = names.find((name) => /^sessions-.*\.jsonl\.gz$/.test(name));
  if (!questions || !sessionFile) throw new RangeError(`no questions-*.jsonl.gz and sessions-*.jsonl.gz in ${path}`);
  const sessions = new Map<string, LongMemEvalTurn[]>();
  for await (const line of linesOf(join(path, sessionFile))) {
    const { sid, turns } = JSON.parse(line) as { sid: string; turns: LongMemEvalTurn[] };
    sessions.set(sid, turns);
  }
  const dialogues: Dialogue[] = [];
  for await (const line of linesOf(join(path, questions))) {
    const raw = JSON.parse(line) as LongMemEvalInstance;
    dialogues.push(readLongMemEval(raw, (index) => sessions.get(raw.haystack_session_ids[index] ?? "") ?? []));
  }
  return dialogues;
}

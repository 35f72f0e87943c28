/** Reads LongMemEval_S in its official array format, or as the compact pair `questions-*.jsonl.gz` and `sessions-*.jsonl.gz`. */

import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { countDefect, type Dataset, type DatasetMemory, type DatasetTurn } from "./dataset.js";

interface RawTurn {
  role: "user" | "assistant";
  content: string;
  has_answer?: boolean;
}

interface RawInstance {
  question_id: string;
  question_type: string;
  question: string;
  answer?: unknown;
  question_date: string;
  haystack_dates: string[];
  haystack_session_ids: string[];
  haystack_sessions: RawTurn[][];
}

/** "2023/05/20 (Sat) 02:21", taken as UTC. */
export function parseLongMemEvalDate(text: string): number {
  const match = /(\d{4})\/(\d\d)\/(\d\d).*?(\d\d):(\d\d)/.exec(text);
  if (!match) throw new RangeError(`not a LongMemEval date: ${text}`);
  return Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]), Number(match[4]), Number(match[5]));
}

async function* readLines(path: string): AsyncGenerator<string> {
  const input = createReadStream(path).pipe(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) if (line) yield line;
}

async function* readInstances(path: string): AsyncGenerator<RawInstance> {
  if (!(await stat(path)).isDirectory()) {
    yield* JSON.parse(await readFile(path, "utf8")) as RawInstance[];
    return;
  }
  const names = await readdir(path);
  const questions = names.find((name) => /^questions-.*\.jsonl\.gz$/.test(name));
  const sessionsName = names.find((name) => /^sessions-.*\.jsonl\.gz$/.test(name));
  if (!questions || !sessionsName) throw new RangeError(`no questions-*.jsonl.gz and sessions-*.jsonl.gz in ${path}`);
  const sessions = new Map<string, RawTurn[]>();
  for await (const line of readLines(join(path, sessionsName))) {
    const { sid, turns } = JSON.parse(line) as { sid: string; turns: RawTurn[] };
    sessions.set(sid, turns);
  }
  for await (const line of readLines(join(path, questions))) {
    const instance = JSON.parse(line) as RawInstance;
    instance.haystack_sessions = instance.haystack_session_ids.map((sid) => sessions.get(sid) ?? []);
    yield instance;
  }
}

export interface LongMemEvalOptions {
  /** Which sessions to read, by the id that the file gives them; all by default. Training leaves some out for their licence. */
  readonly keepSession?: (id: string) => boolean;
}

/** Sessions are sorted by date; their ids are replaced by numbers, since the ids of evidence sessions give them away. */
function readMemory(
  raw: RawInstance,
  defects: Record<string, number>,
  keepSession: (id: string) => boolean,
): DatasetMemory | undefined {
  const dated = raw.haystack_sessions
    .map((turns, index) => ({ turns, at: parseLongMemEvalDate(raw.haystack_dates[index] ?? ""), index }))
    .filter(({ index }) => keepSession(raw.haystack_session_ids[index] ?? ""));
  const sorted = [...dated].sort((a, b) => a.at - b.at || a.index - b.index);
  if (sorted.some((session, index) => session !== dated[index])) countDefect(defects, "haystack not sorted by date");
  const evidence: string[] = [];
  const turns = sorted.flatMap((session, number) =>
    session.turns.map((turn, position): DatasetTurn => {
      const id = `${number}:${position}`;
      if (turn.has_answer) evidence.push(id);
      return { id, sessionId: `${raw.question_id}:${number}`, role: turn.role, text: turn.content, at: session.at };
    }),
  );
  const askedAt = parseLongMemEvalDate(raw.question_date);
  if (turns.some((turn) => turn.at > askedAt)) countDefect(defects, "session after its question");
  if (raw.question_id.endsWith("_abs")) {
    countDefect(defects, "abstention question, counted apart");
    return undefined;
  }
  if (evidence.length === 0) {
    countDefect(defects, "question without evidence, left out");
    return undefined;
  }
  const question = {
    id: raw.question_id,
    text: raw.question,
    category: raw.question_type,
    answer: String(raw.answer ?? ""),
    evidence,
    askedAt,
    adversarial: false,
  };
  return { id: raw.question_id, turns, questions: [question] };
}

/** @param path the official JSON file, or the folder of the compact pair */
export function openLongMemEval(path: string, { keepSession = () => true }: LongMemEvalOptions = {}): Dataset {
  const defects: Record<string, number> = {};
  return {
    name: "longmemeval",
    path,
    defects,
    async *memories() {
      for (const key of Object.keys(defects)) delete defects[key];
      for await (const instance of readInstances(path)) {
        const memory = readMemory(instance, defects, keepSession);
        if (memory) yield memory;
      }
    },
  };
}

/** The log of a run, a line a question and method: what was asked already is not asked again, so an interrupted run goes on. */

import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Figures of one question by one method. Holds ids and numbers, never a data set's text. */
export interface LogLine {
  readonly set: string;
  readonly id: string;
  readonly category: string;
  readonly adversarial: boolean;
  readonly method: string;
  readonly ms: number;
  readonly figures: Readonly<Record<string, number>>;
}

export class QuestionLog {
  readonly #path: string;
  readonly #lines: LogLine[];
  readonly #known: Set<string>;

  private constructor(path: string, lines: LogLine[]) {
    this.#path = path;
    this.#lines = lines;
    this.#known = new Set(lines.map(keyOf));
  }

  /** @param setting what a run must share with the log's to go on from it; else, or without `resume`, the log begins anew */
  static async open(folder: string, setting: string, resume: boolean): Promise<QuestionLog> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, "questions.jsonl");
    const text = await readFile(path, "utf8").catch(() => "");
    const [head, ...rows] = text.split("\n");
    if (resume && head === setting) return new QuestionLog(path, rows.flatMap(parse));
    await writeFile(path, `${setting}\n`);
    return new QuestionLog(path, []);
  }

  has(line: Pick<LogLine, "set" | "id" | "method">): boolean {
    return this.#known.has(keyOf(line));
  }

  async add(lines: readonly LogLine[]): Promise<void> {
    if (lines.length === 0) return;
    await appendFile(this.#path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    this.#lines.push(...lines);
    for (const line of lines) this.#known.add(keyOf(line));
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }
}

const keyOf = ({ set, id, method }: Pick<LogLine, "set" | "id" | "method">): string => `${set}\n${id}\n${method}`;

/** A line that a crash cut short is asked again. */
function parse(row: string): LogLine[] {
  try {
    return row === "" ? [] : [JSON.parse(row) as LogLine];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Writes "locomo: 120 of 1,011 questions, 12 s, about 90 s left" over itself. */
export class Progress {
  readonly #name: string;
  readonly #total: number | undefined;
  readonly #startedAt = performance.now();
  #skipped = 0;

  constructor(name: string, total?: number) {
    this.#name = name;
    this.#total = total;
  }

  /** Questions that an earlier run asked; they say nothing of the pace. */
  skip(count: number): void {
    this.#skipped += count;
  }

  show(done: number): void {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const asked = done - this.#skipped;
    const left = this.#total === undefined || asked <= 0 ? undefined : (seconds / asked) * (this.#total - done);
    const of = this.#total === undefined ? "" : ` of ${this.#total}`;
    const remaining = left === undefined ? "" : `, about ${Math.max(0, left).toFixed(0)} s left`;
    process.stderr.write(`\r${this.#name}: ${done}${of} questions, ${seconds.toFixed(0)} s${remaining}   `);
  }
}

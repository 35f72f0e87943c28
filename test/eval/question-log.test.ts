/** A run that was interrupted goes on where it stopped, and its figures compare question by question. */

import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LogLine, QuestionLog } from "../../eval/question-log.js";
import { summarise } from "../../eval/recall.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsake-log-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const line = (id: string, method: string, recall: number, adversarial = false): LogLine => ({
  set: "locomo",
  id,
  category: "temporal",
  adversarial,
  method,
  ms: 1,
  figures: { "recall@10": recall },
});

describe("the log", () => {
  it("knows what was asked before, but for a line that was cut short", async () => {
    const first = await QuestionLog.open(folder, "turn", true);
    await first.add([line("a", "lite", 1), line("b", "lite", 0)]);
    await appendFile(join(folder, "questions.jsonl"), '{"set":"locomo","id":"c","met');
    const second = await QuestionLog.open(folder, "turn", true);
    expect(second.lines).toEqual([line("a", "lite", 1), line("b", "lite", 0)]);
    expect(second.has({ set: "locomo", id: "a", method: "lite" })).toBe(true);
    expect(second.has({ set: "locomo", id: "a", method: "bm25" })).toBe(false);
    expect(second.has({ set: "locomo", id: "c", method: "lite" })).toBe(false);
  });
  it("begins anew for another setting, or when it is not to go on", async () => {
    await (await QuestionLog.open(folder, "turn", true)).add([line("a", "lite", 1)]);
    expect((await QuestionLog.open(folder, "entry", true)).lines).toEqual([]);
    await (await QuestionLog.open(folder, "entry", true)).add([line("a", "lite", 1)]);
    expect((await QuestionLog.open(folder, "entry", false)).lines).toEqual([]);
  });
});

describe("figures", () => {
  it("leave adversarial questions out of the means and pair a method's questions with lite's", () => {
    const { figures, intervals } = summarise(
      [line("a", "lite", 1), line("b", "lite", 0.5), line("x", "lite", 0, true), line("a", "bm25", 0.5), line("b", "bm25", 0.5)],
      1,
    );
    expect(figures["locomo.recall@10"]).toBe(0.75);
    expect(figures["locomo.recall@10.adversarial"]).toBe(0);
    expect(figures["locomo.recall@10.temporal.bm25"]).toBe(0.5);
    expect(figures["locomo.recall@10.difference.bm25"]).toBe(-0.25);
    expect(intervals["locomo.recall@10.difference.bm25"]?.[0]).toBe(-0.5);
    expect(intervals["locomo.recall@10.difference.bm25"]?.[1]).toBe(0);
  });
});

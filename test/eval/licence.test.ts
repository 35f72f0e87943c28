import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPermissive } from "../../eval/data/licence.js";
import { findData } from "../../eval/find-data.js";

describe("what may be learned from", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "keepsake-licence-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is no session of ShareGPT, evidence or not", async () => {
    const said = (content: string) => [{ role: "user", content, has_answer: content.includes("Lyon") }];
    const sessions = {
      sharegpt_a1_0: "One",
      answer_sharegpt_b2_1: "Two, Lyon",
      ultrachat_c3: "Three",
      answer_d4_1: "Four, Lyon",
    };
    await writeFile(
      join(folder, "longmemeval_s.json"),
      JSON.stringify([
        {
          question_id: "q",
          question_type: "single-session-user",
          question: "Where?",
          answer: 4,
          question_date: "2023/05/20 (Sat) 02:21",
          haystack_dates: Object.keys(sessions).map((_, at) => `2023/05/1${at} (Sat) 02:21`),
          haystack_session_ids: Object.keys(sessions),
          haystack_sessions: Object.values(sessions).map(said),
        },
      ]),
    );
    const turnsOf = async (options?: Parameters<typeof findData>[1]) => {
      const found: string[] = [];
      for (const set of await findData(folder, options))
        for await (const { turns, questions } of set.memories())
          found.push(...turns.map(({ text }) => text), ...questions.map(({ answer, evidence }) => `${answer}: ${evidence}`));
      return found;
    };
    expect(await turnsOf({ keepSession: isPermissive })).toEqual(["Three", "Four, Lyon", "4: 1:0"]);
    expect(await turnsOf()).toEqual(["One", "Two, Lyon", "Three", "Four, Lyon", "4: 1:0,3:0"]);
  });
});

/** The loader of LoCoMo repairs what is known to be broken, and counts it. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLocomo, parseLocomoDate, repairEvidence } from "../../eval/data/locomo.js";

describe("repairEvidence", () => {
  it.each([
    [["D8:6; D9:17"], ["D8:6", "D9:17"]],
    [["D:11:26"], ["D11:26"]],
    [["D30:05"], ["D30:5"]],
    [["D1:1", "D1:1"], ["D1:1"]],
    [["D"], []],
    [["D99:1"], []],
  ])("%j", (raw, expected) => {
    expect(repairEvidence(raw, new Set(["D8:6", "D9:17", "D11:26", "D30:5", "D1:1"]), {})).toEqual(expected);
  });
});

describe("parseLocomoDate", () => {
  it("reads noon and midnight", () => {
    expect(parseLocomoDate("12:05 am on 3 May, 2023")).toBe(Date.UTC(2023, 4, 3, 0, 5));
    expect(parseLocomoDate("12:05 pm on 3 May, 2023")).toBe(Date.UTC(2023, 4, 3, 12, 5));
  });
  it("refuses what is no date", () => {
    expect(() => parseLocomoDate("soon")).toThrow(RangeError);
  });
});

describe("openLocomo", () => {
  it("reads sessions in order with their dates, speakers and images", async () => {
    const folder = await mkdtemp(join(tmpdir(), "keepsake-locomo-"));
    const path = join(folder, "locomo.json");
    const turn = (dia_id: string, speaker: string, text: string, more = {}) => ({ dia_id, speaker, text, ...more });
    const sample = {
      sample_id: "conv-1",
      conversation: {
        speaker_a: "Ann",
        speaker_b: "Bob",
        session_2: [turn("D2:1", "Bob", "Look!", { img_url: ["x"], blip_caption: "a red kite" })],
        session_2_date_time: "1:00 pm on 4 May, 2023",
        session_1: [turn("D1:1", "Ann", "Hi"), turn("D1:2", "Bob", "Hello")],
        session_1_date_time: "1:00 pm on 3 May, 2023",
      },
      qa: [
        { question: "What did Bob show?", answer: "a kite", evidence: ["D2:1"], category: 4 },
        { question: "How many?", answer: 2, evidence: [], category: 1 },
      ],
    };
    await writeFile(path, JSON.stringify([sample]));
    const set = openLocomo(path);
    const memories = [];
    for await (const memory of set.memories()) memories.push(memory);
    expect(memories[0]?.turns.map(({ id, name, text, at }) => [id, name, text, at])).toEqual([
      ["D1:1", "Ann", "Hi", Date.UTC(2023, 4, 3, 13)],
      ["D1:2", "Bob", "Hello", Date.UTC(2023, 4, 3, 13)],
      ["D2:1", "Bob", "[Image: a red kite] Look!", Date.UTC(2023, 4, 4, 13)],
    ]);
    expect(memories[0]?.questions).toMatchObject([
      { category: "single-hop", evidence: ["D2:1"], askedAt: Date.UTC(2023, 4, 5, 13) },
    ]);
    expect(set.defects).toEqual({ "answer is a number": 1, "question without evidence, left out": 1 });
    await rm(folder, { recursive: true });
  });
});

/** How well an entry's time fits a question's. */

import { describe, expect, it } from "vitest";
import { EntryTable } from "../../src/retrieve/entry-table.js";
import { timeScores } from "../../src/retrieve/time-score.js";
import type { TimeWindow } from "../../src/types.js";
import { at, entryOf } from "./entries.js";

const MAY: TimeWindow = { from: at("2026-05-01T00:00:00Z"), to: at("2026-06-01T00:00:00Z") };

function scoreOf(saidAt: string, mentions?: readonly TimeWindow[], windows: readonly TimeWindow[] = [MAY]): number | undefined {
  const table = new EntryTable();
  table.put(entryOf("x", { saidAt: at(saidAt), ...(mentions ? { mentions } : {}) }));
  return timeScores(table, windows, table.mask())?.[0];
}

describe("timeScores", () => {
  it("is full inside the window and the day after", () => {
    expect(scoreOf("2026-05-31T23:00:00Z")).toBe(1);
    expect(scoreOf("2026-06-01T20:00:00Z")).toBe(1);
  });
  it("falls with distance, faster before the window than after it", () => {
    const before = scoreOf("2026-04-21T00:00:00Z") ?? 0;
    const after = scoreOf("2026-06-11T00:00:00Z") ?? 0;
    expect(before).toBeCloseTo(0.8 * Math.exp(-10 / 3), 5);
    expect(after).toBeCloseTo(0.8 * Math.exp(-1), 5);
  });
  it("finds what was told elsewhere of a time inside the window", () => {
    const mention = { from: at("2026-05-07T00:00:00Z"), to: at("2026-05-08T00:00:00Z") };
    expect(scoreOf("2026-09-01T00:00:00Z", [mention])).toBeCloseTo(0.95);
  });
  it("does not count a mention that spans a year", () => {
    const mention = { from: at("2026-01-01T00:00:00Z"), to: at("2027-01-01T00:00:00Z") };
    expect(scoreOf("2026-12-30T00:00:00Z", [mention])).toBeLessThan(0.1);
  });
  it("takes the best of several windows, before 1970 and in the future too", () => {
    const old = { from: at("1950-01-01T00:00:00Z"), to: at("1951-01-01T00:00:00Z") };
    const far = { from: at("2190-01-01T00:00:00Z"), to: at("2191-01-01T00:00:00Z") };
    expect(scoreOf("2026-05-03T00:00:00Z", undefined, [old, MAY, far])).toBe(1);
    expect(scoreOf("2026-05-03T00:00:00Z", undefined, [old, far])).toBeCloseTo(0);
  });
  it("is absent when the question speaks of no time", () => {
    expect(scoreOf("2026-05-03T00:00:00Z", undefined, [])).toBeUndefined();
  });
});

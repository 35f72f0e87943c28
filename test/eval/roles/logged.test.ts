/** The figures of `roles` by category, and where a form is said to lose. */

import { describe, expect, it } from "vitest";
import { bootstrapInterval } from "../../../eval/metrics.js";
import type { LogLine } from "../../../eval/question-log.js";
import { addLogged, lossesOf } from "../../../eval/roles/logged.js";

const line = (id: string, category: string, method: string, recall: number): LogLine => ({
  set: "locomo",
  id,
  category,
  adversarial: false,
  method,
  ms: 1,
  figures: { "recall@5": recall, "recall@10": 1, mrr: recall, reachable: 1 },
});

/** Questions of a category that lite answers, and a form as told. */
const asked = (category: string, form: string, recalls: readonly number[]): LogLine[] =>
  recalls.flatMap((recall, at) => [
    line(`${category}${at}`, category, "selector.lite", 1),
    line(`${category}${at}`, category, form, recall),
  ]);

const samplesOf = (lines: readonly LogLine[]): Record<string, number[]> => {
  const samples: Record<string, number[]> = {};
  addLogged(lines, (name, value) => {
    samples[name] = [...(samples[name] ?? []), value];
  });
  return samples;
};

describe("figures by category", () => {
  const lines = [
    ...asked("temporal", "selector.likelihood", [0, 1]),
    ...asked("multi-hop", "selector.likelihood", [0.5]),
    line("temporal0", "temporal", "selector.coarse", 0),
  ];

  it("stand behind the set, for recall alone", () => {
    const samples = samplesOf(lines);
    expect(samples["selector.likelihood.recall@5.locomo.temporal"]).toEqual([0, 1]);
    expect(samples["selector.lite.recall@10.locomo.multi-hop"]).toEqual([1]);
    expect(samples["selector.coarse.recall@5.locomo.temporal"]).toEqual([0]);
    expect(samples["selector.likelihood.recall@5.locomo"]).toEqual([0, 1, 0.5]);
    expect(samples).not.toHaveProperty(["selector.likelihood.mrr.locomo.temporal"]);
  });

  it("pair a form's questions with lite's, in whatever order they were logged", () => {
    for (const logged of [lines, lines.toReversed()]) {
      const samples = samplesOf(logged);
      expect(samples["selector.likelihood.gain.recall@5.locomo.temporal"]?.toSorted()).toEqual([-1, 0]);
      expect(samples["selector.likelihood.gain.recall@5.locomo"]?.toSorted()).toEqual([-0.5, -1, 0]);
      expect(Object.keys(samples).filter((name) => /coarse\.gain|lite\.gain/.test(name))).toEqual([]);
    }
  });

  it("pair only what both were asked", () => {
    const samples = samplesOf([
      ...asked("temporal", "selector.generate", [1]),
      line("alone", "temporal", "selector.generate", 0),
      { ...line("temporal0", "temporal", "selector.generate", 0), set: "longmemeval" },
      line("temporal0", "temporal", "controller.generate", 0),
    ]);
    expect(samples["selector.generate.gain.recall@5.locomo"]).toEqual([0]);
    expect(Object.keys(samples).filter((name) => /gain.*longmemeval|controller.*gain/.test(name))).toEqual([]);
  });
});

describe("what is said of a form", () => {
  it("names the categories in which it is below lite by more than the interval", () => {
    const recalls = [0, 0, 0, 0, 0, 0.5, 1, 1];
    const lines = [
      ...asked("temporal", "selector.likelihood", recalls),
      ...asked("multi-hop", "selector.likelihood", [0, 1, 1, 1, 1, 1, 1, 1]),
    ];
    const [low, high] = bootstrapInterval(
      recalls.map((recall) => recall - 1),
      1,
    );
    expect(high).toBeLessThan(0);
    expect(lossesOf(lines, 1)).toEqual([
      `selector.likelihood against lite; below it by more than the interval: recall@5 of locomo temporal (−0.688 [−${(-low).toFixed(3)}, −${(-high).toFixed(3)}], 8 questions)`,
    ]);
  });

  it("tells nothing of a few questions, though all of them lose", () => {
    expect(lossesOf(asked("temporal", "selector.generate", [0, 0, 0, 0, 0]), 1)).toEqual([
      "selector.generate against lite; fewer than 6 questions tell nothing of locomo temporal",
    ]);
  });

  it("names the categories in which nothing is lost beyond it", () => {
    expect(lossesOf(asked("temporal", "selector.generate", [0, 1, 1, 1, 1, 1]), 1)).toEqual([
      "selector.generate against lite; below it by more than the interval: nothing in locomo temporal",
    ]);
  });
});

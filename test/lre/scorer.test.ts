import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Profile } from "../../src/lre/model.js";
import { calibrate, StreamScorer } from "../../src/lre/scorer.js";
import { shippedModel } from "../../src/lre/shipped.js";
import type { Unit } from "../../src/lre/unit.js";
import { auc, talk } from "./talk.js";

const PROFILES: readonly Profile[] = ["people", "assistant", "agent"];

const word = fc.constantFrom(
  "I",
  "moved",
  "to",
  "Lisbon",
  "yesterday",
  "what",
  "order",
  "AB1234",
  "?",
  ".",
  "我",
  "昨天",
  "\n",
  "$40",
  "🎉",
  "\ud83d",
  "my sister",
);
const unit = fc.record({
  role: fc.constantFrom("user" as const, "assistant" as const),
  session: fc.constantFrom("1", "2", "3"),
  text: fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
});
const history = fc
  .array(unit, { minLength: 1, maxLength: 12 })
  .map((units) => units.map((one, i): Unit => ({ ...one, id: String(i) })));

describe.each(PROFILES)("scoring a history of profile %s", (profile) => {
  it("gives a unit the same score whatever follows", () => {
    fc.assert(
      fc.property(history, history, (before, after) => {
        const alone = new StreamScorer(shippedModel(profile));
        const scores = before.map((one) => alone.push(one));
        const longer = new StreamScorer(shippedModel(profile));
        expect([...before, ...after].map((one) => longer.push(one)).slice(0, before.length)).toEqual(scores);
        for (const score of scores) expect(Number.isFinite(score)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("takes empty units, halves of surrogate pairs and a megabyte", () => {
    const scorer = new StreamScorer(shippedModel(profile));
    for (const text of ["", " ", "\ud83d", "\udc00 x", "a".repeat(1_000_000), "我".repeat(300_000), "x ".repeat(400_000)]) {
      expect(Number.isFinite(scorer.push({ id: text.slice(0, 5), role: "user", text }))).toBe(true);
    }
  }, 60_000);

  it("explains a score by its features", () => {
    const scorer = new StreamScorer(shippedModel(profile));
    for (const one of talk().units.slice(0, 12)) scorer.push(one);
    const terms = scorer.explain();
    expect(terms.length).toBeGreaterThan(3);
    expect(Math.abs(terms[0]?.term ?? 0)).toBeGreaterThanOrEqual(Math.abs(terms.at(-1)?.term ?? 0));
  });
});

describe("what the shipped weights prefer", () => {
  it.each(["en", "zh"] as const)("ranks facts above small talk, where recency is no help (%s)", (language) => {
    const { units, facts } = talk(language);
    for (const profile of ["people", "assistant"] as const) {
      const scorer = new StreamScorer(shippedModel(profile));
      const scores = units.map((one) => scorer.push(one));
      expect(auc(scores, facts)).toBeGreaterThan(0.75);
      expect(auc(scores, facts)).toBeGreaterThan(
        auc(
          units.map((_, i) => i),
          facts,
        ),
      );
    }
  });

  it("raises a turn at eviction time when its topic came back in a later session", () => {
    const say = (id: string, session: string, text: string, role: "user" | "assistant" = "user"): Unit => ({
      id,
      session,
      text,
      role,
    });
    const start = [
      say("a", "1", "I am restoring my grandfather's wooden accordion with new leather bellows."),
      say("b", "1", "That sounds like careful work.", "assistant"),
      say("c", "2", "Please write a haiku about rain."),
      say("d", "2", "Soft rain on the roof.", "assistant"),
    ];
    const scores = (last: string): readonly number[] => {
      const scorer = new StreamScorer(shippedModel("assistant"));
      for (const one of [...start, say("e", "3", last)]) scorer.push(one);
      return scorer.revise();
    };
    const returned = scores("The leather bellows of the wooden accordion arrived.");
    const elsewhere = scores("Please tell me the capital of Peru.");
    expect(returned[0]).toBeGreaterThan(elsewhere[0] as number);
  });
});

describe("calibrating scores", () => {
  it("keeps their order and brings their mean to a fifth", () => {
    const scores = [3, -1, 0.2, 9, 0.1, 0.3, -4, 2];
    const probabilities = [...calibrate(scores)];
    const order = (values: readonly number[]): number[] =>
      values.map((_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number));
    expect(order(probabilities)).toEqual(order(scores));
    expect(probabilities.reduce((sum, p) => sum + p, 0) / probabilities.length).toBeCloseTo(0.2, 3);
  });

  it("gives equal scores a fifth each, and nothing for nothing", () => {
    for (const p of calibrate([5, 5, 5])) expect(p).toBeCloseTo(0.2, 6);
    expect(calibrate([])).toHaveLength(0);
  });
});

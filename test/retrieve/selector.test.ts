/** The learned selector: order, how many, and silence. */

import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/ports.js";
import { LiteSelector } from "../../src/retrieve/selector.js";
import type { Plan } from "../../src/types.js";
import { entryOf } from "./entries.js";

const plan: Plan = { queries: [], windows: [], people: [], answerType: "what", asksPresent: false };
const candidate = (text: string, score: number, features: Record<string, number> = {}): Candidate => ({
  entry: entryOf(text),
  score,
  features: { score, coverage: 0.5, sentence: 0.5, ...features },
});
const select = (candidates: readonly Candidate[], k = 20, selector = new LiteSelector()): (string | undefined)[] =>
  selector.selectSync({ text: "", plan, candidates, k }).map(({ index }) => candidates[index]?.entry.text);

describe("LiteSelector", () => {
  it("puts what the user states before what the assistant says at equal score", () => {
    expect(select([candidate("told", 1, { assistant: 1 }), candidate("stated", 1, { firstPerson: 1 })])).toEqual([
      "stated",
      "told",
    ]);
  });

  it("keeps few when few stand out, but never fewer than three", () => {
    const candidates = [candidate("best", 1.6), ...Array.from({ length: 19 }, (_, i) => candidate(`weak ${i}`, 0.3))];
    expect(select(candidates)).toEqual(["best", "weak 0", "weak 1"]);
  });

  it("keeps all that are about as good, up to k", () => {
    const candidates = Array.from({ length: 30 }, (_, i) => candidate(`good ${i}`, 1));
    expect(select(candidates)).toHaveLength(20);
    expect(select(candidates, 7)).toHaveLength(7);
  });

  it("says nothing when nothing shares a word, a meaning or a time with the question", () => {
    expect(select([candidate("noise", 1.2, { coverage: 0, sentence: 0.1 })])).toEqual([]);
    expect(select([candidate("same day", 1.2, { coverage: 0, sentence: 0.1, time: 1 })])).toEqual(["same day"]);
    expect(select([])).toEqual([]);
  });

  it("shows the same words of the same person once", () => {
    expect(select([candidate("twice", 1), candidate("twice", 1), candidate("once", 0.9)])).toEqual(["twice", "once"]);
  });

  it("gives probabilities that fall with the order", () => {
    const scores = new LiteSelector()
      .selectSync({ text: "", plan, candidates: [candidate("a", 0.5), candidate("b", 1.1), candidate("c", 0.8)], k: 3 })
      .map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score < 1)).toBe(true);
  });

  it("stops when told to", async () => {
    await expect(
      new LiteSelector().select({ text: "", plan, candidates: [], k: 1 }, { signal: AbortSignal.abort("stop") }),
    ).rejects.toBe("stop");
  });
});

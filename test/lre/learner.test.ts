import { describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import { Learner } from "../../src/lre/learner.js";
import { StreamScorer } from "../../src/lre/scorer.js";
import { shippedModel } from "../../src/lre/shipped.js";
import type { Unit } from "../../src/lre/unit.js";
import { talk } from "./talk.js";

/** A user who always asks about moth sightings, which no shipped weight knows of. */
function mothLog(): { units: Unit[]; moths: number[]; answered: { question: string; answer: string }[] } {
  const species = "hawk emperor tiger puss lappet swallow brimstone magpie burnet drinker".split(" ");
  const units: Unit[] = [];
  const moths: number[] = [];
  for (let i = 0; i < 60; i++) {
    if (i % 6 === 2) {
      moths.push(i);
      units.push({
        id: String(i),
        role: "user",
        speaker: "Ana",
        session: "1",
        text: `moth on the sheet: ${species[i / 6 - 1 / 3]}`,
      });
    } else
      units.push({
        id: String(i),
        role: "user",
        speaker: i % 2 ? "Ana" : "Bo",
        session: "1",
        text: `we walked to the bakery again and bought bread number ${i}`,
      });
  }
  const answered = species.map((name) => ({
    question: `Did the ${name} moth come to the sheet?`,
    answer: `Yes, a ${name} moth was on the sheet.`,
  }));
  return { units, moths, answered };
}

const meanScore = (scores: readonly number[], at: readonly number[]): number =>
  at.reduce((sum, i) => sum + (scores[i] as number), 0) / at.length;

describe("learning from the user's own log", () => {
  it("raises what this user's answers rest on", () => {
    const { units, moths, answered } = mothLog();
    const learner = new Learner("people");
    expect(learner.observe({ id: "chat", units, answered }).evidence).toBe(10);
    const lift = (scorer: StreamScorer): number => {
      const scores = units.map((unit) => scorer.push(unit));
      const others = units.map((_, i) => i).filter((i) => !moths.includes(i));
      return meanScore(scores, moths) - meanScore(scores, others);
    };
    const shipped = shippedModel("people");
    expect(lift(new StreamScorer(shipped, learner.local))).toBeGreaterThan(lift(new StreamScorer(shipped)) + 0.5);
  });

  it("blends by the amount of evidence: nothing observed, nothing changed", () => {
    const learner = new Learner("people");
    expect(learner.local).toBeUndefined();
    expect(learner.observe({ id: "empty", units: talk().units, answered: [] }).evidence).toBe(0);
    expect(learner.local).toBeUndefined();
  });

  it("learns nothing from labels of one class, from no units, or from answers that no unit covers", () => {
    const learner = new Learner("people");
    learner.observe({ id: "a", units: [], answered: [{ question: "Where?", answer: "Lisbon" }] });
    learner.observe({
      id: "b",
      units: [{ id: "1", role: "user", text: "Lisbon" }],
      answered: [{ question: "Where?", answer: "Lisbon" }],
    });
    learner.observe({ id: "c", units: talk().units, answered: [{ question: "Who?", answer: "zyzzyva quetzal" }] });
    expect(learner.local).toBeUndefined();
  });

  it("replaces what it learned of a log when the log is observed again", () => {
    const { units, answered } = mothLog();
    const once = new Learner("people");
    once.observe({ id: "chat", units, answered });
    const again = new Learner("people");
    again.observe({ id: "chat", units: units.slice(0, 30), answered: answered.slice(0, 4) });
    again.observe({ id: "chat", units, answered });
    expect(again.export()).toEqual(once.export());
  });

  it("counts a log that comes back after a restart for its new answers alone", () => {
    const { units, answered } = mothLog();
    const first = new Learner("people");
    first.observe({ id: "chat", units, answered: answered.slice(0, 6) });
    const restarted = new Learner("people", {}, first.export());
    restarted.observe({ id: "chat", units, answered: answered.slice(0, 6) });
    expect(restarted.evidence).toBe(6);
    expect(restarted.observe({ id: "chat", units, answered }).evidence).toBe(10);
  });

  it("stores numbers, and none of the text", () => {
    const { units, answered } = mothLog();
    const learner = new Learner("people");
    learner.observe({ id: "a secret chat", units, answered });
    const stored = new TextDecoder("latin1").decode(learner.export());
    for (const word of ["moth", "sheet", "bakery", "Ana", "secret"]) expect(stored).not.toContain(word);
  });

  it("comes back from its bytes, and forgets on reset", () => {
    const { units, answered } = mothLog();
    const learner = new Learner("people");
    learner.observe({ id: "chat", units, answered });
    const restored = new Learner("people", {}, learner.export());
    expect(restored.export()).toEqual(learner.export());
    restored.reset();
    expect(restored.local).toBeUndefined();
    expect(restored.export()).toEqual(new Learner("people").export());
  });

  it("refuses bytes that are damaged, foreign or of another profile", () => {
    const { units, answered } = mothLog();
    const learner = new Learner("people");
    learner.observe({ id: "chat", units, answered });
    const bytes = learner.export();
    const broken = Uint8Array.from(bytes);
    broken[bytes.length >> 1] = (broken[bytes.length >> 1] as number) ^ 1;
    for (const bad of [broken, bytes.slice(0, 40), new Uint8Array(3)]) {
      let error: unknown;
      try {
        new Learner("people", {}, bad);
      } catch (thrown) {
        error = thrown;
      }
      expect(isMemoryError(error, "storage-corrupt")).toBe(true);
    }
    expect(() => new Learner("agent", {}, bytes)).toThrow(RangeError);
  });

  it("learns an agent's load-bearing units from reuse alone", () => {
    const units = Array.from({ length: 30 }, (_, i): Unit => {
      const code = i % 10 === 0 ? `{"ref":"QX${i}7PLM"}` : "done";
      const input = i % 10 > 0 && i % 10 < 5 ? `{"ref":"QX${i - (i % 10)}7PLM"}` : "{}";
      return { id: String(i), role: "assistant", text: "", calls: [{ name: "step", input }], results: [code] };
    });
    const learner = new Learner("agent");
    expect(learner.observe({ id: "run", units }).evidence).toBe(3);
    expect(learner.local?.model.profile).toBe("agent");
    expect(new Learner("agent", { uses: 9 }).observe({ id: "run", units }).evidence).toBe(0);
  });
});

describe("labels from answers", () => {
  it("can be the paper's overlap, which marks every unit that shares enough of an answer", () => {
    const { units, answered } = mothLog();
    const overlap = new Learner("people", { label: "overlap" });
    expect(overlap.observe({ id: "chat", units, answered }).evidence).toBe(10);
    expect(overlap.local).toBeDefined();
  });
});

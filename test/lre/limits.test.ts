/** What nobody should send, and somebody will: huge, empty, endless and one-sided histories. */

import { describe, expect, it } from "vitest";
import { createContextWindow } from "../../src/lre/context-window.js";
import { Learner } from "../../src/lre/learner.js";
import { fitLogistic } from "../../src/lre/logistic.js";
import type { Profile } from "../../src/lre/model.js";
import type { Unit } from "../../src/lre/unit.js";
import type { ContextWindowOptions } from "../../src/lre/window-options.js";

const PROFILES: readonly Profile[] = ["people", "assistant", "agent"];
const MODES = ["reselect", "streaming"] as const;
const EVERY = PROFILES.flatMap((profile) => MODES.map((mode) => ({ profile, mode })));
const MANY = 100_000;
const BUDGET = 300;
/** Few units at hand, so that endless histories are quickly through. */
const SMALL = 120;

const fillWindow = (options: ContextWindowOptions, count: number, unitAt: (i: number) => Omit<Unit, "id">) => {
  const window = createContextWindow(options);
  for (let i = 0; i < count; i++) window.push({ ...unitAt(i), id: String(i) });
  return window;
};

const fresh =
  (profile: Profile) =>
  (i: number): Omit<Unit, "id"> =>
    profile === "agent"
      ? {
          role: "assistant",
          text: "",
          calls: [{ name: "look", input: `{"id":"user_${i}"}` }],
          results: [`{"order":"W${MANY + i}"}`],
        }
      : { role: i % 2 ? "assistant" : "user", text: `note${i} is about my thing${i % 977}` };

const same = (profile: Profile): Omit<Unit, "id"> =>
  profile === "agent"
    ? { role: "assistant", text: "", calls: [{ name: "look", input: '{"id":"user_77"}' }], results: ['{"order":"W1234567"}'] }
    : { role: "user", text: "again and again" };

// Dialogue between people, the quickest, is in the tests of the window.
describe.each([
  { profile: "assistant", mode: "reselect" },
  { profile: "agent", mode: "streaming" },
] as const)("an endless history of profile $profile, $mode", ({ profile, mode }) => {
  it("takes a hundred thousand units that all differ, in one session", () => {
    const window = fillWindow({ budgetTokens: SMALL, profile, mode }, MANY, fresh(profile));
    const { tokens, besideTokens, kept, leftOut } = window.select();
    expect(tokens - besideTokens).toBeLessThanOrEqual(SMALL);
    expect(kept.length + leftOut.length).toBe(MANY);
    if (mode === "streaming") expect(window.size).toBeLessThan(SMALL);
  }, 600_000);

  it("takes one unit repeated a hundred thousand times", () => {
    const selection = fillWindow({ budgetTokens: SMALL, profile, mode }, MANY, () => same(profile)).select();
    expect(selection.tokens - selection.besideTokens).toBeLessThanOrEqual(SMALL);
    expect(selection.kept.length).toBeGreaterThan(5);
  }, 600_000);
});

describe.each(EVERY)("a window of profile $profile, $mode", ({ profile, mode }) => {
  it("takes units of a megabyte, keeps none that is larger than the budget, and what is small beside them", () => {
    const large = [
      "a".repeat(1_000_000),
      "line 4711 of the log, ok\n".repeat(40_000),
      "数".repeat(400_000),
      '{"id":"x1"},'.repeat(80_000),
    ];
    const texts = [...large, "I moved to Lisbon in March, and my code is HX48QR.", "", "Hi!"];
    const selection = fillWindow({ budgetTokens: BUDGET, profile, mode, recent: 1 }, texts.length, (i) => ({
      role: "user",
      text: texts[i] as string,
    })).select();
    expect(selection.kept.map(({ unit }) => unit.id)).toEqual(expect.arrayContaining(["4", "6"]));
    expect(selection.leftOut.filter(({ reason }) => reason === "too-large").map(({ id }) => id)).toEqual(["0", "1", "2", "3"]);
    expect(selection.tokens - selection.besideTokens).toBeLessThanOrEqual(BUDGET);
  }, 60_000);

  it("takes nothing but empty units", () => {
    const selection = fillWindow({ budgetTokens: 10, profile, mode, recent: 2 }, 50, () => ({ role: "user", text: "" })).select();
    expect(selection.tokens - selection.besideTokens).toBeLessThanOrEqual(10);
    for (const { tokens, probability } of selection.kept) {
      expect(tokens).toBeGreaterThanOrEqual(1);
      expect(probability).toBeGreaterThan(0);
    }
  });

  it("selects from no units at all", () => {
    const selection = createContextWindow({ budgetTokens: 100, profile, mode }).select();
    expect(selection).toMatchObject({ kept: [], leftOut: [], ledger: [], tokens: 0, overBudgetTokens: 0 });
  });

  it("keeps only the recent units beside a budget of 0, and says what was left out", () => {
    const selection = fillWindow({ budgetTokens: 0, profile, mode, recent: 3 }, 10, fresh(profile)).select();
    expect(selection.kept.map(({ unit }) => unit.id)).toEqual(["7", "8", "9"]);
    expect(selection.leftOut).toHaveLength(7);
    expect(selection.tokens).toBe(selection.besideTokens);
  });

  it("keeps the newest that fit when the recent units alone are more than the budget", () => {
    const units = Array.from({ length: 6 }, (_, i) => fresh(profile)(i));
    const own = fillWindow({ budgetTokens: 1_000, profile, mode }, 6, (i) => units[i] as Unit).select();
    const budgetTokens = (own.kept.at(-1)?.tokens ?? 0) + (own.kept.at(-2)?.tokens ?? 0) + 1;
    const options = { budgetTokens, profile, mode, recent: 4, recentInside: true };
    const selection = fillWindow(options, 6, (i) => units[i] as Unit).select();
    expect(selection.kept.filter(({ why }) => why === "recent").map(({ unit }) => unit.id)).toEqual(["4", "5"]);
    expect(selection.tokens).toBeLessThanOrEqual(budgetTokens);
  });
});

describe("an endless conversation with an assistant", () => {
  it("takes a hundred thousand sessions, and scores them again at eviction time", () => {
    const window = fillWindow({ budgetTokens: BUDGET, profile: "assistant" }, MANY, (i) => ({
      role: "user",
      session: String(i),
      text: `my thing${i % 977} and my word${i % 5_003}`,
    }));
    expect(window.select().kept.length).toBeGreaterThan(5);
  }, 600_000);
});

describe("labels of one class", () => {
  const row = (value: number) => ({ rows: 3, columns: 1, dense: Float32Array.from([value, 2, 3]) });

  it.each([0, 1, 0.4])("are refused by the fit, all %s", (label) => {
    expect(() => fitLogistic(row(1), { labels: new Float32Array(3).fill(label) })).toThrow(RangeError);
  });

  it("are refused when there are none", () => {
    expect(() => fitLogistic(row(1), { labels: [0, 1, 0], subset: [] })).toThrow(RangeError);
  });

  it("teach a learner nothing, and leave what it knew", () => {
    const learner = new Learner("agent");
    const calls = (id: string) => [{ name: "step", input: `{"ref":"${id}"}` }];
    const reusing = Array.from(
      { length: 12 },
      (_, i): Unit => ({ id: String(i), role: "assistant", text: "", calls: calls(i < 6 ? "QX17PLM" : `ZZ${i}8842`) }),
    );
    learner.observe({ id: "good", units: reusing });
    const known = learner.export();
    learner.observe({ id: "flat", units: [{ id: "only", role: "assistant", text: "", calls: calls("QQ99812") }] });
    expect(learner.export()).toEqual(known);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContextWindow, createContextWindow } from "../../src/lre/context-window.js";
import type { Unit } from "../../src/lre/unit.js";
import type { ContextWindowOptions } from "../../src/lre/window-options.js";
import { talk } from "./talk.js";

const fillWindow = (units: readonly Unit[], options: ContextWindowOptions) => {
  const window = createContextWindow(options);
  for (const unit of units) window.push(unit);
  return window;
};

const anyUnits = fc
  .array(
    fc.record({
      role: fc.constantFrom("user" as const, "assistant" as const, "tool" as const),
      text: fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.constant(""),
        fc.constant("order AB12CD costs $40"),
        fc.constant("我上个月搬到了成都"),
      ),
      pinned: fc.boolean().map((pinned) => pinned && true),
    }),
    { maxLength: 25 },
  )
  .map((units) => units.map((unit, i): Unit => ({ ...unit, id: String(i) })));

describe("a context window", () => {
  it("stays inside its budget but for what is pinned, in every mode and profile, in order and unchanged", () => {
    fc.assert(
      fc.property(
        anyUnits,
        fc.integer({ min: 0, max: 120 }),
        fc.constantFrom("people" as const, "assistant" as const, "agent" as const),
        fc.constantFrom("reselect" as const, "streaming" as const),
        fc.boolean(),
        (units, budgetTokens, profile, mode, recentInside) => {
          const selection = fillWindow(units, { budgetTokens, profile, mode, recentInside, recent: 3 }).select();
          const pinned = selection.kept.filter(({ why }) => why === "pinned").reduce((sum, { tokens }) => sum + tokens, 0);
          expect(selection.tokens - selection.besideTokens).toBeLessThanOrEqual(Math.max(budgetTokens, pinned));
          expect(selection.overBudgetTokens).toBe(Math.max(0, pinned - budgetTokens));
          const kept = selection.kept.map(({ unit }) => unit);
          expect(kept).toEqual(units.filter((unit) => kept.includes(unit)));
          for (const unit of kept) expect(units).toContain(unit);
          const ids = [...kept.map(({ id }) => id), ...selection.leftOut.map(({ id }) => id)];
          expect(ids.toSorted()).toEqual(units.map(({ id }) => id).toSorted());
          for (const unit of units.filter((one) => one.pinned)) expect(kept).toContain(unit);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each(["reselect", "streaming"] as const)("keeps early facts that the newest turns would have pushed out (%s)", (mode) => {
    const { units, facts } = talk();
    const total = fillWindow(units, { budgetTokens: 100_000, profile: "people" }).select().tokens;
    const selection = fillWindow(units, { budgetTokens: Math.floor(total / 5), profile: "people", mode }).select();
    const kept = new Set(selection.kept.map(({ unit }) => Number(unit.id)));
    expect(facts.filter((at) => kept.has(at))).toEqual(facts);
    expect(kept.size).toBeLessThan(units.length / 2);
  });

  it("keeps Chinese facts as well", () => {
    const { units, facts } = talk("zh");
    const selection = fillWindow(units, { budgetTokens: 250, profile: "people" }).select();
    const kept = new Set(selection.kept.map(({ unit }) => Number(unit.id)));
    expect(facts.filter((at) => kept.has(at))).toEqual(facts);
  });

  it("never brings back in streaming mode what it let go, whatever the budget later", () => {
    const { units } = talk();
    const window = fillWindow(units, { budgetTokens: 120, profile: "people", mode: "streaming" });
    const before = window.select();
    expect(window.select(100_000).leftOut).toEqual(before.leftOut);
    expect(window.size).toBe(before.kept.length);
  });

  it("keeps the last units beside the budget as the paper does, or inside it when asked", () => {
    const units = Array.from(
      { length: 8 },
      (_, i): Unit => ({ id: String(i), role: "user", text: `Unit ${i} has exactly these words in it.` }),
    );
    const beside = fillWindow(units, { budgetTokens: 0, recent: 3 }).select();
    expect(beside.kept.map(({ unit }) => unit.id)).toEqual(["5", "6", "7"]);
    expect(beside.tokens).toBe(beside.besideTokens);
    const one = (beside.kept[0]?.tokens ?? 0) + 1;
    const inside = fillWindow(units, { budgetTokens: one, recent: 3, recentInside: true }).select();
    expect(inside.kept.map(({ unit }) => unit.id)).toEqual(["7"]);
    expect(fillWindow(units, { budgetTokens: 0, recent: 3, recentInside: true }).select().kept).toEqual([]);
  });

  it("says when what is pinned does not fit", () => {
    const selection = fillWindow([{ id: "rules", role: "system", text: "Never delete a file. ".repeat(30) }], {
      budgetTokens: 20,
    }).select();
    expect(selection.kept.map(({ why }) => why)).toEqual(["pinned"]);
    expect(selection.overBudgetTokens).toBe(selection.tokens - 20);
  });

  it("leaves out a unit larger than the budget, says so, and keeps the others", () => {
    const units: Unit[] = [
      { id: "log", role: "user", text: "line 4711 ok\n".repeat(5_000) },
      { id: "fact", role: "user", text: "I moved to Lisbon in March." },
      { id: "last", role: "user", text: "Hi!" },
    ];
    const selection = fillWindow(units, { budgetTokens: 200, recent: 1 }).select();
    expect(selection.kept.map(({ unit }) => unit.id)).toEqual(["fact", "last"]);
    expect(selection.leftOut).toEqual([expect.objectContaining({ id: "log", reason: "too-large" })]);
  });

  it("bounds what any choice could have reached", () => {
    const { units } = talk();
    const { value, bound } = fillWindow(units, { budgetTokens: 300, profile: "people" }).select();
    expect(value).toBeGreaterThan(0);
    expect(bound).toBeGreaterThanOrEqual(value);
    expect(1 - value / bound).toBeLessThan(0.01);
  });

  it("takes a hundred thousand units, and one said as often", () => {
    const fresh = createContextWindow({ budgetTokens: 500, profile: "people" });
    const same = createContextWindow({ budgetTokens: 500, profile: "people", mode: "streaming" });
    for (let i = 0; i < 100_000; i++) {
      fresh.push({ id: String(i), role: "user", speaker: i % 2 ? "Ana" : "Bo", text: `note ${i} about w${i % 977}`, tokens: 6 });
      same.push({ id: String(i), role: "user", speaker: "Ana", text: "again and again", tokens: 3 });
    }
    expect(fresh.select().tokens).toBeLessThanOrEqual(500 + 5 * 6);
    expect(same.size).toBeLessThanOrEqual(500 / 3 + 5);
  }, 120_000);

  it("refuses arguments that cannot be meant", () => {
    expect(() => createContextWindow({ budgetTokens: -1 })).toThrow(RangeError);
    expect(() => createContextWindow({ budgetTokens: Number.NaN })).toThrow(RangeError);
    expect(() => createContextWindow({ budgetTokens: 10, recent: 1.5 })).toThrow(RangeError);
    expect(() => createContextWindow({ budgetTokens: 10, ledgerShare: 2 })).toThrow(RangeError);
    const window = fillWindow([{ id: "a", role: "user", text: "x" }], { budgetTokens: 10 });
    expect(() => window.push({ id: "a", role: "user", text: "y" })).toThrow(RangeError);
  });
});

describe("the window of an agent", () => {
  const JWT = `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiI0MiJ9Zm9v".repeat(6)}.${"Q2hlY2tTdW0x".repeat(4)}`;
  const run = (): Unit[] => [
    { id: "ask", role: "user", text: "Please move my booking HX48QR to Friday." },
    {
      id: "login",
      role: "assistant",
      text: "",
      calls: [{ name: "sign_in", input: '{"user":"mia_li_3668"}' }],
      results: [`{"session_token":"${JWT}","note":"${"welcome back ".repeat(60)}"}`],
    },
    ...Array.from(
      { length: 14 },
      (_, i): Unit => ({
        id: `look${i}`,
        role: "assistant",
        text: "",
        calls: [{ name: "weather", input: "{}" }],
        results: [`sunny with a light breeze, part ${i} of the forecast, nothing else to report from the coast today`],
      }),
    ),
  ];

  it.each(["reselect", "streaming"] as const)(
    "spills the token of an evicted unit into the ledger, byte for byte, with its field (%s)",
    (mode) => {
      const window = fillWindow(run(), { budgetTokens: 180, profile: "agent", mode });
      const selection = window.select();
      expect(selection.kept.map(({ unit }) => unit.id)).not.toContain("login");
      expect(selection.ledger).toContainEqual({ value: JWT, field: "session_token", unitId: "login" });
      expect(selection.ledgerText).toContain(`session_token: ${JWT}`);
      expect(selection.tokens - selection.besideTokens).toBeLessThanOrEqual(180);
    },
  );

  it("repeats nothing in the ledger that a kept unit still shows", () => {
    const selection = fillWindow(run(), { budgetTokens: 400, profile: "agent" }).select();
    const shown = selection.kept.map(({ unit }) => JSON.stringify(unit)).join("\n");
    for (const { value } of selection.ledger) expect(shown).not.toContain(value);
  });
});

describe("explaining a unit", () => {
  it("names the features that spoke for it, as scored on arrival", () => {
    const { units, facts } = talk();
    const { score, terms } = ContextWindow.explain(String(facts[1]), units, { profile: "people" });
    const window = createContextWindow({ budgetTokens: 100, profile: "people" });
    const scores = units.map((unit) => window.push(unit));
    expect(score).toBe(scores[facts[1] ?? 0]);
    expect(terms.map(({ feature }) => feature)).toContain("statementTime");
    expect(() => ContextWindow.explain("nobody", units)).toThrow(RangeError);
  });
});

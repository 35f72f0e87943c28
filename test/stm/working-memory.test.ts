import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { profileOf } from "../../src/stm/profile.js";
import type { ConversationTurn } from "../../src/stm/recent-turns.js";
import { type TurnSelectionOptions, WorkingMemory } from "../../src/stm/working-memory.js";
import { defaultTokenizer } from "../../src/text/tokens.js";
import type { ContextWindow } from "../../src/types.js";
import { chat, turn } from "./turns.js";

const memoryOf = (turns: readonly ConversationTurn[], tokenizer = defaultTokenizer): WorkingMemory => {
  const memory = new WorkingMemory({ tokenizer });
  memory.add(turns);
  memory.score();
  return memory;
};
const select = (turns: readonly ConversationTurn[], options: TurnSelectionOptions): ContextWindow =>
  memoryOf(turns).select(options);
const shown = ({ messages }: ContextWindow) => messages.flatMap(({ id }) => id ?? []);

describe("the short-term memory of a conversation", () => {
  it("is everything as long as it fits", () => {
    const turns = chat(5);
    const { messages, leftOut, ledger } = select(turns, { budgetTokens: 2_000 });
    expect(messages.map(({ text }) => text)).toEqual(turns.map(({ text }) => text));
    expect([leftOut, ledger]).toEqual([[], []]);
  });

  it("keeps the newest exchange, and older turns that tell something before those that do not, in order", () => {
    const turns = chat(60);
    const kept = shown(select(turns, { budgetTokens: 300 }));
    expect(kept.slice(-2)).toEqual(["u59", "a59"]);
    expect(kept).toEqual(turns.map(({ id }) => id as string).filter((id) => kept.includes(id)));
    const older = kept.filter((id) => Number(id.slice(1)) < 45);
    const facts = older.filter((id) => Number(id.slice(1)) % 7 === 0 && id.startsWith("u"));
    expect(facts.length).toBeGreaterThan(4);
    expect(facts.length / older.length).toBeGreaterThan(0.5);
  });

  it("shows what a tool gave back with the turn that asked for it, or neither", () => {
    const turns = chat(60).flatMap((one, at): ConversationTurn[] =>
      one.role === "assistant"
        ? [one, { ...turn(`tool${at}`, `result ${at}: gate ${at % 5}, row ${at}, on time`), role: "tool" }]
        : [one],
    );
    const asked = (id: string) => turns[turns.findIndex((one) => one.id === id) - 1]?.id as string;
    for (const budgetTokens of [40, 90, 200, 500, 1_000, 1_500]) {
      const kept = new Set(shown(select(turns, { budgetTokens })));
      for (const { id, role } of turns) if (role === "tool") expect(kept.has(id)).toBe(kept.has(asked(id)));
      const pinned = select(turns, { budgetTokens, pinned: ["tool1"] });
      expect(shown(pinned)).toEqual(expect.arrayContaining([asked("tool1"), "tool1"]));
    }
  });

  it("lists identifiers of turns that are not shown, and counts the list", () => {
    const tokenizer = { count: (text: string) => text.length };
    const turns = [turn("first", "The gate code is QX77-PL and the server is 10.0.0.12:8080. ".repeat(20)), ...chat(12).slice(2)];
    const { messages, ledger, tokens } = memoryOf(turns, tokenizer).select({ budgetTokens: 800 });
    expect(ledger).toEqual([
      { value: "QX77-PL", field: "code", turnId: "first" },
      { value: "10.0.0.12:8080", field: "server", turnId: "first" },
    ]);
    expect(messages[0]).toMatchObject({ role: "system", text: expect.stringContaining("10.0.0.12:8080") });
    expect(tokens).toBe(messages.reduce((sum, { text }) => sum + 4 + text.length, 0));
  });

  it("is the same whether it grew turn by turn, was scored in slices, or was built at once", { timeout: 30_000 }, () => {
    const turns = chat(1_200);
    const grown = new WorkingMemory({ tokenizer: defaultTokenizer });
    for (const one of turns) {
      grown.add([one]);
      grown.score();
    }
    const sliced = new WorkingMemory({ tokenizer: defaultTokenizer });
    sliced.add(turns);
    while (!sliced.score(50)) expect(sliced.size).toBe(turns.length);
    const options = { budgetTokens: 700, trace: true };
    const expected = memoryOf(turns).select(options);
    expect(grown.select(options)).toEqual(expected);
    expect(sliced.select(options)).toEqual(expected);
    expect(expected.leftOut).toHaveLength(turns.length - shown(expected).length);
    expect(expected.trace?.units.length).toBeLessThan(2_048);
  });

  it("keeps what is pinned whatever it costs, and says by how much it is over", () => {
    const turns = [turn("rules", "Never touch the ledger. ".repeat(40)), ...chat(20)];
    const { messages, tokens, overBudgetTokens } = select(turns, { budgetTokens: 60, pinned: ["rules", "nobody"] });
    expect(messages.map(({ id }) => id)).toEqual(["rules"]);
    expect(overBudgetTokens).toBe(tokens - 60);
    const old = turn("old", "An older rule.");
    const before = select(turns, { budgetTokens: 200, pinned: ["old"], older: [old] });
    expect(shown(before)[0]).toBe("old");
    expect(before.overBudgetTokens).toBe(0);
  });

  it("keeps instructions before other older turns, but never over the budget", () => {
    const turns = [turn("prompt", "Answer in French, always.", { role: "system" }), ...chat(60)];
    expect(shown(select(turns, { budgetTokens: 150 }))[0]).toBe("prompt");
    const long = [turn("prompt", "Answer in French. ".repeat(100), { role: "system" }), ...chat(60)];
    const { leftOut, overBudgetTokens } = select(long, { budgetTokens: 150 });
    expect(leftOut[0]?.turnId).toBe("prompt");
    expect(overBudgetTokens).toBe(0);
  });

  it("counts what a tool gave back into the instruction that it stays with", () => {
    const tool = turn("tool", "order AB12CD, see https://a.example/b", { role: "tool" });
    const turns = [turn("prompt", "", { role: "system" }), tool, ...chat(20)];
    const { tokens: both } = select(turns.slice(0, 2), { budgetTokens: 2_000 });
    for (const budgetTokens of [8, both, 2 * both - 1]) {
      const context = select(turns, { budgetTokens });
      expect(context.overBudgetTokens).toBe(0);
      expect(shown(context)).not.toContain("prompt");
    }
    expect(shown(select(turns, { budgetTokens: 200 })).slice(0, 2)).toEqual(["prompt", "tool"]);
    const pinned = select(turns, { budgetTokens: 8, pinned: ["tool"] });
    expect([shown(pinned), pinned.overBudgetTokens]).toEqual([["prompt", "tool"], both - 8]);
  });

  it("tells of every turn what spoke for it, in parts that add up to its score", () => {
    const turns = chat(40);
    const context = select(turns, { budgetTokens: 300, trace: true });
    const units = context.trace?.units ?? [];
    expect(units.map(({ turnId }) => turnId)).toEqual(turns.map(({ id }) => id));
    expect(units.filter(({ kept }) => kept).map(({ turnId }) => turnId)).toEqual(shown(context));
    expect(new Set(units.map(({ kept, reason }) => `${kept} ${reason}`))).toEqual(
      new Set(["true recent", "true chosen", "false budget"]),
    );
    const fact = units.find(({ turnId }) => turnId === "u7");
    expect(fact?.score).toBeGreaterThan(units.find(({ turnId }) => turnId === "u8")?.score ?? 0);
    expect(fact?.features.length).toBeGreaterThan(3);
    expect(context.trace).toMatchObject({ profile: "assistant", evidence: 0, budgetTokens: 300 });
  });

  it("tells talk between named people from talk with an assistant", () => {
    const named = (name: string, index: number) => turn(`${name}${index}`, "Hello there.", { name });
    expect(profileOf([named("Ana", 0), named("Bo", 1)])).toBe("people");
    expect(profileOf([named("Ana", 0), named("Ana", 1)])).toBe("assistant");
    expect(profileOf(chat(3))).toBe("assistant");
    expect(profileOf([named("Ana", 0), named("Bo", 1), ...chat(3)])).toBe("assistant");
    const people = Array.from({ length: 30 }, (_, index) => named(index % 2 ? "Ana" : "Bo", index));
    expect(select([...chat(1), ...people], { budgetTokens: 100, trace: true }).trace?.profile).toBe("people");
  });

  it("scores with what was learned only when it has scored all, and the former scores serve until then", () => {
    let isAsked = false;
    const memory = new WorkingMemory({
      tokenizer: defaultTokenizer,
      local: () => {
        isAsked = true;
        return undefined;
      },
    });
    memory.add(chat(50));
    memory.score();
    isAsked = false;
    memory.beginRescore();
    expect(isAsked).toBe(true);
    expect(memory.rescore(60)).toBe(false);
    memory.add(chat(52).slice(100));
    memory.score();
    expect(shown(memory.select({ budgetTokens: 100 })).at(-1)).toBe("a51");
    expect(memory.rescore(60)).toBe(true);
    expect(memory.select({ budgetTokens: 300 })).toEqual(memoryOf(chat(52)).select({ budgetTokens: 300 }));
  });

  it.each([
    ["an empty conversation", []],
    ["turns without a word", Array.from({ length: 30 }, (_, index) => turn(`e${index}`, index % 2 ? " " : "…"))],
    ["one turn said again and again", Array.from({ length: 3_000 }, (_, index) => turn(`t${index}`, "again and again"))],
    ["a turn of a megabyte", [turn("big", "x ".repeat(500_000)), ...chat(10)]],
    [
      "Chinese",
      Array.from({ length: 80 }, (_, index) => turn(`z${index}`, index === 3 ? "我上个月搬到了成都。" : "好的,谢谢。")),
    ],
  ])("takes %s", { timeout: 30_000 }, (_, turns) => {
    const memory = memoryOf(turns);
    for (const budgetTokens of [0, 1, 50, 2_000]) {
      const context = memory.select({ budgetTokens });
      expect(context.tokens).toBeLessThanOrEqual(budgetTokens);
      expect(shown(context).length + context.leftOut.length).toBe(turns.length);
      expect(context.overBudgetTokens).toBe(0);
    }
  });

  it("never passes the budget and loses no turn, whatever was said by whom", () => {
    const someTurn = fc.record({
      text: fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.constant("order AB12CD, see https://a.example/b")),
      role: fc.constantFrom("user" as const, "assistant" as const, "system" as const, "tool" as const),
      name: fc.constantFrom(undefined, "Ana", "Bo"),
      sessionId: fc.constantFrom("1", "2"),
    });
    fc.assert(
      fc.property(fc.array(someTurn, { maxLength: 40 }), fc.nat(400), (said, budgetTokens) => {
        const turns = said.map(({ text, name, ...rest }, index) => turn(`t${index}`, text, { ...rest, ...(name && { name }) }));
        const context = select(turns, { budgetTokens });
        expect(context.tokens).toBeLessThanOrEqual(budgetTokens);
        expect([...context.leftOut.map(({ turnId }) => turnId as string), ...shown(context)].toSorted()).toEqual(
          turns.map(({ id }) => id as string).toSorted(),
        );
      }),
    );
  });
});

/** What goes before the model, and what the memory learns of it, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import type { Memory } from "../../../src/index.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const HOUR = 3_600_000;
const FRIENDS = ["Ana", "Bruno", "Clara", "Dario", "Edda", "Falk"];
const PLACES = ["Lisbon", "Porto", "Ghent", "Turin", "Malmo", "Brno"];

const smallTalk = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    { role: "user" as const, text: `ok, the walk number ${index} round the lake was nice`, at: MAY + index * HOUR },
    { role: "assistant" as const, text: `Good to hear, walk ${index} sounds calm.`, at: MAY + index * HOUR },
  ]).flat();

export function contextContract(open: () => Promise<Memory>): void {
  it("keeps what was told long ago before small talk, word for word, inside the budget", async () => {
    const memory = await open();
    const told = "My daughter Mira starts at the Waldorf school in Kassel on 1 August and is allergic to hazelnuts.";
    await memory.record({ messages: [{ id: "told", role: "user", text: told, at: MAY - HOUR }, ...smallTalk(60)] });
    const { messages, tokens, leftOut, overBudgetTokens } = await memory.context({ maxTokens: 300 });
    expect(messages[0]).toMatchObject({ id: "told", text: told });
    expect(messages.at(-1)?.text).toContain("walk 59");
    expect(tokens).toBeLessThanOrEqual(300);
    expect(overBudgetTokens).toBe(0);
    expect(messages.length + leftOut.length).toBe(121);
  });

  it("keeps what is pinned, lists identifiers of what is left out, and says how it chose", async () => {
    const memory = await open();
    const log = `server 10.0.0.12:8080 answered. ${"nothing of note happened again. ".repeat(60)}`;
    await memory.record({ messages: [{ id: "log", role: "user", text: log, at: MAY - HOUR }, ...smallTalk(30)] });
    const window = await memory.context({ maxTokens: 250, trace: true });
    expect(window.ledger).toEqual([{ value: "10.0.0.12:8080", field: "server", turnId: "log" }]);
    expect(window.messages[0]).toMatchObject({ role: "system", text: expect.stringContaining("10.0.0.12:8080") });
    expect(window.trace?.units).toHaveLength(61);
    expect(window.trace?.units[0]).toMatchObject({ turnId: "log", kept: false, reason: "too-large" });
    expect(structuredClone(window)).toEqual(window);
    const pinned = await memory.context({ maxTokens: 250, pinned: ["log"] });
    expect(pinned.messages.map(({ id }) => id)).toContain("log");
    expect(pinned.overBudgetTokens).toBe(pinned.tokens - 250);
  });

  it("learns from answered questions of its own conversations, and forgets that too", { timeout: 60_000 }, async () => {
    const memory = await open();
    const told = FRIENDS.map((friend, index) => ({
      role: "user" as const,
      text: `My friend ${friend} moved to ${PLACES[index]} harbour quarter.`,
      at: MAY + index,
    }));
    const asked = FRIENDS.flatMap((friend, index) => [
      { role: "user" as const, text: `Where did my friend ${friend} move?`, at: MAY + HOUR },
      { role: "assistant" as const, text: `${friend} moved to ${PLACES[index]} harbour quarter.`, at: MAY + HOUR },
    ]);
    await memory.record({ messages: [...told, ...smallTalk(5), ...asked] });
    await expect.poll(async () => (await memory.scorer.stats()).answered, { timeout: 30_000 }).toBe(6);
    expect((await memory.context({ trace: true })).trace?.evidence).toBe(6);
    expect((await memory.stats()).degraded.filter(({ part }) => part === "learning")).toEqual([]);
    const bytes = await memory.scorer.export();
    await memory.forget({ everything: true });
    expect(await memory.scorer.stats()).toEqual({ answered: 0, assistant: 0, people: 0 });
    await memory.scorer.import(bytes);
    expect((await memory.scorer.stats()).answered).toBe(6);
  });
}

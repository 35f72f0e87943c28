import { openMemory } from "keepsake";
import { expect, it } from "vitest";
import { rawChange } from "../store/indexeddb/raw.js";

const SAID = Array.from({ length: 70 }, (_, number) =>
  number % 7 === 3
    ? `Is tree ${number} in bloom?`
    : `I planted tree number ${number} beside the ${["barn", "gate", "well"][number % 3]}.`,
);

it("a memory that lost a whole block of entries writes them anew from what was said, once, and doubles nothing", async () => {
  const options = { name: `lost ${Math.random()}`, userId: "me", worker: false };
  const before = await openMemory(options);
  for (let from = 0; from < SAID.length; from += 10)
    await before.record({ messages: SAID.slice(from, from + 10).map((text) => ({ role: "user" as const, text })) });
  const { entries, turns } = await before.stats();
  expect([entries, turns]).toEqual([60, 70]);
  await before.close();
  let block = 0;
  await rawChange(options.name, "entries", (row) => (block++ === 0 ? { not: "a block" } : row));

  const after = await openMemory(options);
  const texts: string[] = [];
  for await (const entry of after.entries()) texts.push(entry.indexText);
  expect(texts.sort()).toEqual(SAID.filter((text) => text.startsWith("I planted")).sort());
  const { degraded, ...stats } = await after.stats();
  expect({ entries: stats.entries, turns: stats.turns }).toEqual({ entries: 60, turns: 70 });
  expect(degraded.filter(({ part }) => part === "entries")).toEqual([
    { part: "entries", reason: expect.stringContaining("written anew from what was said") },
  ]);
  expect((await after.recall("Which tree is number 5?")).text).toContain("tree number 5");
  await after.close();

  const again = await openMemory(options);
  expect((await again.stats()).degraded.filter(({ part }) => part === "entries")).toEqual([]);
  expect((await again.stats()).entries).toBe(60);
  await again.close();
});

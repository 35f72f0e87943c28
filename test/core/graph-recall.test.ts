import { describe, expect, it } from "vitest";
import { openedMemories } from "./opened.js";

const { open } = openedMemories();

describe("recall beside a graph", () => {
  it("looks at it where it is asked to, and tells the way", async () => {
    const memory = await open();
    for (const place of ["Lisbon", "Ghent", "Turin"]) await memory.record({ user: `We visited ${place} last spring.` });
    await memory.consolidate();
    const linksOf = async (knowledge: boolean) =>
      JSON.stringify((await memory.recall("Which places were visited?", { knowledge })).trace).includes("places visited");
    expect([await linksOf(false), await linksOf(true)]).toEqual([false, true]);
  });
});

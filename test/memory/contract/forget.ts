/** What forgetting does, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import { isMemoryError, type Memory } from "../../../src/index.js";

const APRIL = Date.UTC(2026, 3, 2, 12);
const DAY = 86_400_000;

export function forgetContract(open: () => Promise<Memory>): void {
  it("forgets by a query what its preview showed, and proves it by a scan of every table", async () => {
    const memory = await open();
    await memory.record({ user: "Planted basil on the window sill, pot A.", at: APRIL });
    await memory.record({ user: "Planted mint on the window sill, pot B.", at: APRIL + DAY });
    const preview = await memory.forget({ query: "everything about basil" }, { preview: true });
    expect(structuredClone(preview)).toEqual(preview);
    expect(preview.entries.map(({ text }) => text)).toEqual([expect.stringContaining("basil")]);
    await expect(memory.forget({ query: "everything about basil" })).rejects.toBeInstanceOf(TypeError);
    const forgotten = await memory.forget({ preview: preview.token });
    expect(structuredClone(forgotten)).toEqual(forgotten);
    expect(forgotten).toMatchObject({ removed: { entries: 1, turns: 1 }, remaining: 0, remainingIn: {} });
    expect(forgotten.marks).toBeGreaterThan(0);
    expect(forgotten.scanned.tables).toEqual(expect.arrayContaining(["entries", "journal", "meta", "turns", "users"]));
    expect((await memory.recall("What did I plant?", { at: APRIL + 3 * DAY })).text).not.toContain("basil");
    await expect(memory.forget({ preview: preview.token })).rejects.toSatisfy((error: unknown) =>
      isMemoryError(error, "not-found"),
    );
  });

  it("does not bring back with an import what was forgotten", async () => {
    const memory = await open();
    const file = new Blob(['{"role":"user","content":"I have a heron tattoo on my left calf.","id":"1","at":1768503600000}\n{}']);
    expect(await memory.import(file)).toMatchObject({ recorded: 1 });
    const { token } = await memory.forget({ query: "my tattoo" }, { preview: true });
    await memory.forget({ preview: token });
    expect(await memory.import(file)).toMatchObject({ recorded: 0, skipped: { forgotten: 1 } });
    expect(await memory.stats()).toMatchObject({ entries: 0, turns: 0 });
  });
}

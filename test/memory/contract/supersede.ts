/** What becomes of a memory when the person corrects, withdraws or repeats it, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import type { Memory, StoredEntry } from "../../../src/index.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

async function all(memory: Memory): Promise<StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const entry of memory.entries()) found.push(entry);
  return found;
}

export function supersedeContract(open: () => Promise<Memory>): void {
  it("ends what is corrected, keeps it, and answers with the correction", async () => {
    const memory = await open();
    await memory.record({ user: "My dentist is in Kirchgasse. I keep bees on the roof.", at: MAY });
    const written = await memory.record({
      user: "Actually, my dentist is in Bahnhofstrasse, not Kirchgasse.",
      at: MAY + 9 * DAY,
    });
    expect(structuredClone(written)).toEqual(written);
    const entries = await all(memory);
    const ended = entries.filter(({ validTo }) => validTo !== undefined);
    const [newer] = written.stored;
    expect(ended).toMatchObject([{ text: "My dentist is in Kirchgasse.", validTo: MAY + 9 * DAY, supersededBy: newer?.id }]);
    expect(written.superseded).toEqual([{ entryId: ended[0]?.id, by: newer?.id }]);
    expect(entries.find(({ text }) => text === "I keep bees on the roof.")?.validTo).toBeUndefined();
    const now = await memory.recall("Where is my dentist?", { at: MAY + 20 * DAY });
    expect(now.items[0]?.text).toContain("Bahnhofstrasse");
    expect(now.text).toContain("(until 2026-05-16)");
    const before = await memory.recall("Where was my dentist before?", { at: MAY + 20 * DAY });
    expect(before.items.map(({ text }) => text)).toContain("My dentist is in Kirchgasse.");
    const then = await memory.recall("Where is my dentist?", { at: MAY + DAY });
    expect(then.items[0]).toMatchObject({ text: "My dentist is in Kirchgasse." });
    expect(then.text).not.toContain("until");
  });

  it("withdraws what the person takes back", async () => {
    const memory = await open();
    await memory.record({ user: "The spare key is with Marta.", at: MAY });
    const written = await memory.record({ user: "Scratch that.", at: MAY + MINUTE });
    expect(written).toMatchObject({ stored: [], superseded: [{ entryId: expect.any(String) }] });
    expect(await all(memory)).toMatchObject([{ text: "The spare key is with Marta.", validTo: MAY + MINUTE }]);
  });

  it("joins what is said again, which can be taken apart", async () => {
    const memory = await open();
    const first = await memory.record({ user: "I play the viola in a string quartet.", at: MAY });
    const again = await memory.record({ user: "I play the viola in a string quartet!", at: MAY + 30 * DAY });
    const id = first.stored[0]?.id;
    expect(again).toMatchObject({ stored: [], merged: [{ into: id }] });
    expect(await all(memory)).toMatchObject([{ id, evidence: 2, saidAt: MAY, lastSaidAt: MAY + 30 * DAY }]);
    if (!id) throw new Error("nothing was stored");
    const undone = await memory.undo(id);
    expect(undone).toMatchObject({
      kind: "merged",
      entry: { id, evidence: 1 },
      restored: { saidAt: MAY + 30 * DAY, evidence: 1 },
    });
    expect(structuredClone(undone)).toEqual(undone);
    expect(await all(memory)).toHaveLength(2);
    expect((await memory.stats()).vectors).toBeGreaterThanOrEqual(2);
  });

  it("keeps what the person asks to keep, and no password with it", async () => {
    const memory = await open();
    const written = await memory.record({ user: "Remember that the wifi password is Tr0ub4dor&3 at the lake house.", at: MAY });
    expect(written.refused).toMatchObject([{ reason: "secret" }]);
    const [entry] = await all(memory);
    expect(entry).toMatchObject({ pinned: true, salience: 1 });
    expect(JSON.stringify([entry, await memory.recall("wifi password", { at: MAY + DAY })])).not.toContain("Tr0ub4dor");
    expect((await memory.context()).messages[0]?.text).toContain("Tr0ub4dor&3");
  });
}

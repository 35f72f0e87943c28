/** How changes of entries are taken back, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import { type EntryId, isMemoryError, type Memory, type StoredEntry } from "../../../src/index.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const DAY = 86_400_000;

async function only(memory: Memory, text: string): Promise<StoredEntry> {
  for await (const entry of memory.entries({ text })) return entry;
  throw new Error(`no entry holds ${text}`);
}

export function undoContract(open: () => Promise<Memory>): void {
  it("takes back a person's edits one after another, after opening again too", async () => {
    const memory = await open();
    await memory.record({ user: "I bought a blue tent for 240 euros.", at: MAY });
    const { id } = await only(memory, "tent");
    await memory.update(id, { text: "I bought a green tent for 250 euros." });
    await memory.update(id, { kind: "plan", tags: ["camping"] });
    await memory.pin(id);
    await memory.close();
    const again = await open();
    expect(await again.undo(id)).toMatchObject({ kind: "edited", entry: { kind: "event", tags: [], pinned: true } });
    expect((await again.recall("What colour is my tent?", { at: MAY + DAY })).items[0]?.text).toContain("green");
    const { entry } = await again.undo(id);
    expect(entry).toMatchObject({ text: "I bought a blue tent for 240 euros.", identifiers: ["240 euros"] });
    expect(entry.changes).toBeUndefined();
    expect((await again.recall("What colour is my tent?", { at: MAY + DAY })).items[0]?.text).toContain("blue");
    const notFound = (error: unknown): boolean => isMemoryError(error, "not-found");
    await expect(again.undo(id)).rejects.toSatisfy(notFound);
    await expect(again.undo("nobody" as EntryId)).rejects.toSatisfy(notFound);
    await expect(again.undo(7 as unknown as EntryId)).rejects.toBeInstanceOf(TypeError);
  });

  it("takes back an end, and the person may set one", async () => {
    const memory = await open();
    const { stored } = await memory.record({ user: "My dentist is in Kirchgasse.", at: MAY });
    await memory.record({ user: "Actually, my dentist is in Bahnhofstrasse, not Kirchgasse.", at: MAY + DAY });
    const older = await memory.get(stored[0]?.id as EntryId);
    if (!older) throw new Error("the older one is not stored");
    expect(older).toMatchObject({ validTo: MAY + DAY, supersededBy: expect.any(String) });
    const { kind, entry } = await memory.undo(older.id);
    expect(kind).toBe("superseded");
    expect(entry.validTo).toBeUndefined();
    expect(entry.supersededBy).toBeUndefined();
    const newer = await memory.get(older.supersededBy as EntryId);
    expect(newer?.supersedes).toBeUndefined();
    expect(await memory.update(older.id, { validTo: MAY + 5 * DAY })).toMatchObject({ validTo: MAY + 5 * DAY });
    expect((await memory.undo(older.id)).entry.validTo).toBeUndefined();
    await expect(memory.update(older.id, { validTo: Number.NaN })).rejects.toBeInstanceOf(TypeError);
  });

  it("forgets earlier versions with their entry", async () => {
    const memory = await open();
    await memory.record({ user: "My diagnosis is celiac disease.", at: MAY });
    const { id } = await only(memory, "celiac");
    await memory.update(id, { text: "I have no diagnosis." });
    expect((await memory.get(id))?.changes).toMatchObject([
      { kind: "edited", before: { text: "My diagnosis is celiac disease." } },
    ]);
    expect(await memory.forget({ entryIds: [id] })).toMatchObject({ remaining: 0 });
    expect(JSON.stringify([await memory.stats(), await memory.conversation("default").history()])).not.toContain("celiac");
    await expect(memory.undo(id)).rejects.toSatisfy((error: unknown) => isMemoryError(error, "not-found"));
  });
}

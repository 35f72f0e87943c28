import { describe, expect, it } from "vitest";
import type { EntryId, TurnId } from "../../src/types.js";
import { checkMemory, checkStore } from "./invariants.js";
import type { SaidTurn } from "./ledger.js";
import { Rig } from "./rig.js";
import type { ToldMemory } from "./told-memory.js";

const TURNS: readonly SaidTurn[] = ["I keep the violin in the attic.", "My dentist is Doctor Okonjo.", "I swim on Tuesdays."].map(
  (text, index) => ({ id: `t${index}`, conversationId: "default", text, isStatement: true }),
);

async function recorded(): Promise<{ readonly rig: Rig; readonly told: ToldMemory }> {
  const rig = new Rig();
  const told = await rig.open();
  for (const turn of TURNS) await told.record([turn]);
  return { rig, told };
}

describe("the invariants", () => {
  it("hold of a memory that nothing happened to", async () => {
    const { rig, told } = await recorded();
    expect(await rig.check(told)).toEqual([]);
    await rig.close();
  });

  it("tell a turn and an entry that were acknowledged and are gone", async () => {
    const { rig } = await recorded();
    const store = await rig.store();
    const [first] = await store.listEntries();
    await store.write({ removeTurns: ["t2" as TurnId], removeEntries: [first?.id as EntryId] });
    expect((await checkStore(store, rig.ledger)).map(({ kind, what }) => `${kind}: ${what}`)).toEqual([
      expect.stringMatching(/^lost: the turn t2/),
      expect.stringMatching(/^lost: the entry .*violin/),
      expect.stringMatching(/^inconsistent: the entry .* comes from the turn t2/),
      expect.stringMatching(/^lost: what the turn t0 states/),
    ]);
    expect((await checkStore(store, rig.ledger, { evicts: true })).map(({ kind }) => kind)).toEqual(["lost", "inconsistent"]);
    await rig.close();
  });

  it("tell what was forgotten and came back, and a correction that was undone", async () => {
    const { rig, told } = await recorded();
    const store = await rig.store();
    const [first, second] = await store.listEntries();
    const [turn] = await store.listTurns();
    await told.forget([first?.id as string]);
    await told.update(second?.id as string, "My dentist is Doctor Adeyemi.");
    await store.write({ turns: [turn!], entries: [first!, second!] });
    expect((await checkStore(store, rig.ledger)).map(({ kind, what }) => `${kind}: ${what}`)).toEqual([
      expect.stringMatching(/^lost: the turn t0 was forgotten/),
      expect.stringMatching(/^lost: the words of the entry .*Adeyemi/),
      expect.stringMatching(/^lost: the entry .* was forgotten/),
    ]);
    await rig.close();
  });

  it("tell one statement that is stored twice, and one message", async () => {
    const { rig } = await recorded();
    const store = await rig.store();
    const [first] = await store.listEntries();
    const [turn] = await store.listTurns();
    await store.write({
      turns: [{ ...turn!, id: "copy" as TurnId }],
      entries: [{ ...first!, id: "id-99999999" as EntryId }],
    });
    expect((await checkStore(store, rig.ledger)).map(({ kind }) => kind)).toEqual(["doubled", "doubled"]);
    await rig.close();
  });

  it("tell half of what was recorded at once", async () => {
    const { rig } = await recorded();
    rig.ledger.begin({ type: "record", turns: [TURNS[0]!, { ...TURNS[1]!, id: "never stored" }] });
    const found = await checkStore(await rig.store(), rig.ledger);
    expect(found[0]).toMatchObject({ kind: "inconsistent", what: expect.stringContaining("of 2 turns recorded at once 1") });
    await rig.close();
  });

  it("tell half of what was forgotten at once, and know it from what went along with another", async () => {
    const { rig } = await recorded();
    const { ledger } = rig;
    const store = await rig.store();
    const [first, second, third] = (await store.listEntries()).map(({ id }) => id);
    const number = ledger.begin({ type: "forget", entryIds: [first as string] });
    await store.write({ removeEntries: [first!, third!], removeTurns: ["t0" as TurnId, "t2" as TurnId] });
    ledger.acknowledge(number, { type: "forget", entryIds: [first!, third!], turnIds: ["t0", "t2"] });
    ledger.begin({ type: "forget", entryIds: [third as string, second as string] });
    expect(await checkStore(store, ledger)).toEqual([]);
    await rig.close();

    const { rig: other } = await recorded();
    const half = await other.store();
    const ids = (await half.listEntries()).map(({ id }) => id);
    other.ledger.begin({ type: "forget", entryIds: ids.slice(0, 2) });
    await half.write({ removeEntries: ids.slice(0, 1), removeTurns: ["t0" as TurnId] });
    expect((await checkStore(half, other.ledger))[0]).toMatchObject({ what: "of 2 entries forgotten at once 1 are left" });
    await other.close();
  });

  it("tell a memory that does not know what is stored, or knows what is gone", async () => {
    const { rig, told } = await recorded();
    const store = await rig.store();
    const stale = {
      entries: (...args: Parameters<typeof told.memory.entries>) => told.memory.entries(...args),
      stats: async () => ({ ...(await told.memory.stats()), vectors: 7 }),
      recall: async (text: string) => {
        const recall = await told.memory.recall(text);
        return { ...recall, items: recall.items.map((item) => ({ ...item, entryId: "id-00000000" as EntryId })) };
      },
    };
    const found = (await checkMemory(stale, store, rig.ledger)).map(({ what }) => what);
    expect(found).toContainEqual(expect.stringContaining("the index holds 7 vectors, the store 3"));
    expect(found).toContainEqual(expect.stringContaining("not found by its words"));
    expect(found).toContainEqual(expect.stringContaining("is recalled and not stored"));
    await rig.close();
  });
});

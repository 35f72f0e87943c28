/** The acts of a memory that are played with a fault at every boundary. */

import { expect } from "vitest";
import { readBackup } from "../../src/backup/read-backup.js";
import { compact } from "./compact.js";
import { backupOf, chatOf } from "./kill/transfers.js";
import type { SaidTurn } from "./ledger.js";
import type { Rig, RigOptions } from "./rig.js";
import type { ToldMemory } from "./told-memory.js";

export const said = (id: string, text: string, conversationId = "default"): SaidTurn => ({
  id,
  conversationId,
  text,
  isStatement: true,
});

/** Enough to say that two facts have no word in common. */
const FACTS = [
  "I keep the violin in the attic.",
  "My dentist is Doctor Okonjo on Elm Street.",
  "I parked the camper on level four.",
  "The spare fuse hangs behind the calendar.",
  "I planted a quince beside the gate.",
  "Our boiler was serviced by Fenna.",
].map((text, index) => said(`fact ${index}`, text));

export interface Scenario extends RigOptions {
  /** Reads the store again after its commit, or commits more than once, for what it answers. */
  readonly reads?: boolean;
  /** Where it fails, what it has written waits for the next act to be embedded. */
  readonly leavesWork?: boolean;
  /** What is there before the faults begin. */
  readonly before?: (told: ToldMemory, rig: Rig) => Promise<unknown>;
  /** Does the same again when it is called again. */
  readonly act: (told: ToldMemory, rig: Rig) => Promise<unknown>;
}

const record = async (told: ToldMemory, turns: readonly SaidTurn[] = FACTS) => {
  for (const turn of turns) await told.record([turn]);
};

export async function idOf(rig: Rig, turnId: string): Promise<string | undefined> {
  const entries = await (await rig.store()).listEntries({ limit: 1_000 });
  return entries.find(({ sources }) => sources.some((source) => source.turnId === turnId))?.id;
}

const CHATTED = ["I learned to weld in Porto.", "My sister Ilse breeds finches."];
const CHAT = chatOf("chat", CHATTED);
const SMALL_TALK = ["Thanks!", "Good morning!", "How are you?", "Bye!"];

interface Contents {
  readonly turnIds: readonly string[];
  /** Turns that entries come from. */
  readonly sourceIds: readonly string[];
}

async function contentsOf(file: ReadableStream<Uint8Array>): Promise<Contents> {
  const turnIds: string[] = [];
  const sourceIds: string[] = [];
  for await (const piece of readBackup(file)) {
    if ("damage" in piece) throw new Error(piece.damage.reason);
    for (const row of piece.rows) {
      if ("turn" in row) turnIds.push(row.turn.id);
      if ("entry" in row) sourceIds.push(...row.entry.sources.map(({ turnId }) => turnId));
    }
  }
  return { turnIds, sourceIds };
}

/** It is as the memory was at one moment: another handle says something, and after that has the last fact forgotten. */
function expectWhole({ turnIds, sourceIds }: Contents): void {
  const facts = FACTS.map(({ id }) => id);
  for (const ids of [turnIds, sourceIds]) {
    expect(ids).toEqual(expect.arrayContaining(facts.slice(0, -1)));
    expect(ids.includes("meanwhile") || ids.includes(facts.at(-1) as string)).toBe(true);
  }
  expect(turnIds).toEqual(expect.arrayContaining([...sourceIds]));
}

const letters = (id: string, dimension: number) => ({
  id,
  dimension,
  embed: async (texts: readonly string[]) => {
    const rows = new Float32Array(texts.length * dimension);
    texts.forEach((text, row) => {
      rows[row * dimension + (text.length % dimension)] = 1;
    });
    return rows;
  },
  close: async () => undefined,
});

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "a first record": { act: (told) => told.record([FACTS[0]!]) },
  "a record after others": { before: (told) => record(told), act: (told) => told.record([said("new", "I swim on Tuesdays.")]) },
  "a record of many turns": {
    before: (told) => record(told),
    act: (told) => told.record(Array.from({ length: 40 }, (_, index) => said(`jar ${index}`, `Jar ${index} holds plum jam.`))),
  },
  "a record that merges": {
    before: (told) => record(told),
    act: (told) => told.record([said("again", "I keep the violin in the attic!")]),
  },
  "a record that evicts": {
    evicts: true,
    memory: { capacity: 100 },
    before: (told) =>
      told.record(Array.from({ length: 100 }, (_, index) => said(`jar ${index}`, `Jar ${index} holds plum jam.`))),
    act: (told) => told.record(Array.from({ length: 3 }, (_, index) => said(`tin ${index}`, `Tin ${index} holds green tea.`))),
  },
  "forgetting an entry": {
    reads: true,
    before: (told) => record(told),
    act: async (told, rig) => {
      const id = await idOf(rig, "fact 2");
      if (id !== undefined) await told.forget([id]);
    },
  },
  "an update": {
    before: (told) => record(told),
    act: async (told, rig) => told.update((await idOf(rig, "fact 3")) as string, "The spare fuse lies in the drawer."),
  },
  "an update of an entry that another handle has just added": {
    before: (told) => record(told),
    act: async (told, rig) => {
      const other = await rig.open();
      await other.record([said("other", "My bicycle is at the station.")]);
      await told.update((await idOf(rig, "other")) as string, "My bicycle is at the airport.");
    },
  },
  "attaching another embedder": {
    reads: true,
    before: (told) => record(told),
    act: (told) => told.memory.attach({ embedder: letters("lengths", 32) }),
  },
  "a rebuild": { reads: true, before: (told) => record(told), act: (told) => told.memory.rebuild() },
  "a recall, and its use being written": {
    reads: true,
    before: (told) => record(told),
    act: async (told) => {
      await told.memory.recall("Where is the violin?");
      await told.memory.close();
    },
  },
  "a chat import": {
    reads: true,
    before: (told) => record(told),
    act: (told) => told.import(CHAT.file, CHAT.turns),
  },
  "restoring a backup": {
    reads: true,
    leavesWork: true,
    before: (told) => record(told),
    act: async (told) => {
      const { file, turns, entries } = await backupOf("1", CHATTED);
      await told.import(file, turns, entries);
      await told.memory.untilEmbedded();
    },
  },
  "an export": {
    reads: true,
    before: (told) => record(told),
    act: async (told) => expectWhole(await contentsOf(told.memory.export())),
  },
  "a compaction": {
    reads: true,
    before: async (told) => {
      await record(told);
      // Turns that no entry needs, which nobody promised to keep.
      for (const [at, text] of SMALL_TALK.entries())
        await told.memory.record({ messages: [{ id: `talk ${at}`, role: "user", text }] });
    },
    act: async (told, rig) => {
      await compact(rig.storeOf(told), told.memory.name);
      const store = await rig.store();
      const written = FACTS.length + SMALL_TALK.length;
      expect((await store.counts()).turns).toBeLessThan(written);
      expect((await store.journal(0)).length).toBeLessThan(written);
    },
  },
};

/** Every act of a memory, with a fault at every boundary of the transactions that it makes. */

import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import { type Fault, Faults, faultAt } from "./faults.js";
import type { SaidTurn } from "./ledger.js";
import { Rig, type RigOptions } from "./rig.js";
import type { ToldMemory } from "./told-memory.js";

const said = (id: string, text: string, conversationId = "default"): SaidTurn => ({
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

interface Scenario extends RigOptions {
  /** Reads the store again after its commit, or commits more than once, for what it answers. */
  readonly reads?: boolean;
  /** What is there before the faults begin. */
  readonly before?: (told: ToldMemory, rig: Rig) => Promise<unknown>;
  /** Does the same again when it is called again. */
  readonly act: (told: ToldMemory, rig: Rig) => Promise<unknown>;
}

const record = async (told: ToldMemory, turns: readonly SaidTurn[] = FACTS) => {
  for (const turn of turns) await told.record([turn]);
};

async function idOf(rig: Rig, turnId: string): Promise<string | undefined> {
  const entries = await (await rig.store()).listEntries({ limit: 1_000 });
  return entries.find(({ sources }) => sources.some((source) => source.turnId === turnId))?.id;
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

const SCENARIOS: Readonly<Record<string, Scenario>> = {
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
};

/** The boundaries that an act passes when nothing happens to it. */
async function boundariesOf(scenario: Scenario): Promise<number> {
  const rig = new Rig(scenario);
  const faults = new Faults();
  const told = await rig.open(faults);
  await scenario.before?.(told, rig);
  faults.arm();
  await scenario.act(told, rig);
  const { length } = faults.passed;
  expect(await rig.check()).toEqual([]);
  await rig.close();
  return length;
}

/** Plays a scenario with a fault at one boundary. */
async function played(scenario: Scenario, boundary: number, fault: Fault, then: (rig: Rig, told: ToldMemory) => Promise<void>) {
  const rig = new Rig(scenario);
  const faults = new Faults();
  const told = await rig.open(faults);
  await scenario.before?.(told, rig);
  faults.arm(faultAt(boundary, fault));
  const act = scenario.act(told, rig).catch(() => undefined);
  await Promise.race([act, faults.stopped]);
  faults.arm();
  await then(rig, told);
  await rig.close();
}

const failure = (): Fault => ({ fail: new MemoryError("storage-failed", "the disk says no") });

describe.each(Object.entries(SCENARIOS))("%s", (_, scenario) => {
  it("fails or succeeds as a whole wherever the store fails, and then goes on", { timeout: 60_000 }, async () => {
    const count = await boundariesOf(scenario);
    for (let boundary = 0; boundary < count; boundary++) {
      await played(scenario, boundary, failure(), async (rig, told) => {
        const open = await told.memory.stats().then(
          () => true,
          () => false,
        );
        const at = `failing at boundary ${boundary} of ${count}`;
        if (open) expect(await rig.check(told), `${at}, the same handle`).toEqual([]);
        if (open) await scenario.act(told, rig);
        expect(await rig.check(), `${at}, done again`).toEqual([]);
      });
    }
  });

  if (!scenario.reads)
    it("is acknowledged once it is committed, whatever fails after that", async () => {
      const rig = new Rig(scenario);
      const faults = new Faults();
      const told = await rig.open(faults);
      await scenario.before?.(told, rig);
      let isCommitted = false;
      faults.arm(({ method, side }) => {
        if (isCommitted) return failure();
        isCommitted = method === "write" && side === "after";
        return undefined;
      });
      await scenario.act(told, rig);
      faults.arm();
      expect(isCommitted).toBe(true);
      expect(rig.ledger.open.size).toBe(0);
      expect(await rig.check(told)).toEqual([]);
      await rig.close();
    });

  it("is done or not done wherever the process dies, and can be done again", { timeout: 60_000 }, async () => {
    const count = await boundariesOf(scenario);
    for (let boundary = 0; boundary < count; boundary++) {
      await played(scenario, boundary, { stop: true }, async (rig, told) => {
        rig.abandon(told);
        const at = `killed at boundary ${boundary} of ${count}`;
        const again = await rig.open();
        expect(await rig.check(again), at).toEqual([]);
        await scenario.act(again, rig);
        expect(await rig.check(), `${at}, done again`).toEqual([]);
      });
    }
  });

  it("holds although another handle writes at any of its boundaries", { timeout: 60_000 }, async () => {
    const count = await boundariesOf(scenario);
    for (let boundary = 0; boundary < count; boundary++) {
      const rig = new Rig(scenario);
      const faults = new Faults();
      const told = await rig.open(faults);
      await scenario.before?.(told, rig);
      const other = await rig.open();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let reached = (): void => undefined;
      const waiting = new Promise<void>((resolve) => {
        reached = resolve;
      });
      faults.arm(({ number }) => {
        if (number !== boundary) return undefined;
        reached();
        return { until: released };
      });
      const act = scenario.act(told, rig);
      await Promise.race([waiting, act]);
      await other.record([said("meanwhile", "My locker is number 118.", "elsewhere")]);
      const victim = await idOf(rig, "fact 5");
      if (victim !== undefined) await other.forget([victim]);
      release();
      await act;
      expect(await rig.check(other), `another handle at boundary ${boundary} of ${count}`).toEqual([]);
      expect(await rig.check(), `opened anew, boundary ${boundary} of ${count}`).toEqual([]);
      await rig.close();
    }
  });
});

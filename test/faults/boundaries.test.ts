/** Every act of a memory, with a fault at every boundary of the transactions that it makes. */

import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import { type Fault, Faults, faultAt } from "./faults.js";
import { Rig } from "./rig.js";
import { idOf, SCENARIOS, type Scenario, said } from "./scenarios.js";
import type { ToldMemory } from "./told-memory.js";

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

let victims = 0;

/** Plays a scenario with a fault at one boundary. */
async function played(scenario: Scenario, boundary: number, fault: Fault, then: (rig: Rig, told: ToldMemory) => Promise<void>) {
  const rig = new Rig(scenario);
  const faults = new Faults();
  // Its own locks: those of a process that died go with it, which a handle in this one cannot.
  const told = await rig.open(faults, "stop" in fault ? `victim ${victims++}` : undefined);
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
        if (open && !scenario.leavesWork) expect(await rig.check(told), `${at}, the same handle`).toEqual([]);
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

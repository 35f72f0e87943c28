/** A model that misses again and again in one role is let rest. */

import { beforeEach, describe, expect, it } from "vitest";
import { RoleWatch } from "../../src/core/role-watch.js";
import { MemoryError } from "../../src/errors.js";

const BUDGET = 60;

describe("a role", () => {
  let now: number;
  let watch: RoleWatch;
  beforeEach(() => {
    now = 1_000;
    watch = new RoleWatch({ now: () => now });
  });
  const answers = () => watch.run(BUDGET, {}, async () => "an answer");
  const fails = () => watch.run(BUDGET, {}, () => Promise.reject(new Error("no plan"))).catch(() => undefined);
  const isLate = async () => {
    const signal = AbortSignal.abort(new MemoryError("timeout", "too late"));
    await watch.run(BUDGET, { signal }, () => Promise.reject(signal.reason)).catch(() => undefined);
  };
  const thrice = async (miss: () => Promise<unknown>) => {
    for (let time = 0; time < 3; time++) await miss();
  };

  it("rests after three misses in a row, and says for how long and why", async () => {
    await fails();
    await fails();
    expect(watch.resting()).toBeUndefined();
    await fails();
    expect(watch.resting()).toBe("the model rests for 30 s more, after 3 misses in a row: no plan");
    now += 30_000;
    expect(watch.resting()).toBeUndefined();
    expect(watch.counts).toEqual({ answered: 0, late: 0, failed: 3 });
  });

  it("rests twice as long after each further miss, ten minutes at most, and starts anew after an answer", async () => {
    await thrice(fails);
    const rests: number[] = [];
    for (let time = 0; time < 6; time++) {
      now += 700_000;
      await fails();
      rests.push(Number(/for (\d+) s/.exec(watch.resting() ?? "")?.[1]));
    }
    expect(rests).toEqual([60, 120, 240, 480, 600, 600]);
    now += 700_000;
    await answers();
    await fails();
    expect(watch.resting()).toBeUndefined();
  });

  it("may be played all the same where there is twice the time that was too short", async () => {
    await thrice(isLate);
    expect(watch.resting(BUDGET)).toContain("it was too late");
    expect(watch.resting(2 * BUDGET)).toBeUndefined();
    expect(watch.counts.late).toBe(3);
  });

  it("is not held against a model by a caller who gave up", async () => {
    const signal = AbortSignal.abort(new Error("never mind"));
    await thrice(() => watch.run(BUDGET, { signal }, () => Promise.reject(signal.reason)).catch(() => undefined));
    expect(watch.resting()).toBeUndefined();
    expect(watch.counts).toEqual({ answered: 0, late: 0, failed: 0 });
  });

  it("counts an answer that nobody heard in time as late", async () => {
    const signal = AbortSignal.abort(new MemoryError("timeout", "too late"));
    expect(await watch.run(BUDGET, { signal }, async () => "an answer")).toBe("an answer");
    expect(watch.counts).toEqual({ answered: 0, late: 1, failed: 0 });
  });
});

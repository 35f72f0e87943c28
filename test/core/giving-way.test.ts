import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { giveWay } from "../../src/core/giving-way.js";

describe("work in the background", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "Date"] }));
  afterEach(() => void vi.useRealTimers());

  const stopwatch = { now: () => Date.now() };
  /** Milliseconds until the next step came. */
  const waited = async (unreadMs: () => number): Promise<number> => {
    const started = Date.now();
    let after: number | undefined;
    const given = giveWay({ stopwatch, unreadMs }).then(() => {
      after = Date.now() - started;
    });
    // Its first pause is a message of the real event loop.
    while (after === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(1);
    }
    await given;
    return after;
  };

  it("goes on at once where nobody asks", async () => {
    expect(await waited(() => Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(2);
  });

  it("waits until a question is some time past", async () => {
    const asked = Date.now() + 20;
    const unreadMs = () => Math.max(0, Date.now() - asked);
    const ms = await waited(unreadMs);
    expect(ms).toBeGreaterThanOrEqual(50);
    expect(ms).toBeLessThan(60);
  });

  it("goes on between questions without end, after a while", async () => {
    const ms = await waited(() => Date.now() % 4);
    expect(ms).toBeGreaterThanOrEqual(120);
    expect(ms).toBeLessThan(125);
  });
});

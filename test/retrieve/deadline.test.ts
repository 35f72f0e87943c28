/** Slow steps count only inside their share of the time. */

import { describe, expect, it } from "vitest";
import { type Wait, within } from "../../src/retrieve/deadline.js";

/** Time passes only when the test lets it. */
function manualWait(): { wait: Wait; pass: () => void; cancelled: () => boolean } {
  let pass = (): void => undefined;
  let cancelled = false;
  return {
    wait: () => ({ done: new Promise<void>((resolve) => (pass = resolve)), cancel: () => (cancelled = true) }),
    pass: () => pass(),
    cancelled: () => cancelled,
  };
}
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

describe("within", () => {
  it("keeps what comes in time and stops the timer", async () => {
    const time = manualWait();
    expect(await within(50, async () => "plan", undefined, time.wait)).toEqual({ kept: true, value: "plan" });
    expect(time.cancelled()).toBe(true);
  });

  it("drops what is late, says so and tells the step to stop", async () => {
    const time = manualWait();
    let told: AbortSignal | undefined;
    const timed = within(
      50,
      ({ signal }) => {
        told = signal;
        return never<string>();
      },
      undefined,
      time.wait,
    );
    time.pass();
    expect(await timed).toEqual({ kept: false, reason: "it took longer than 50 ms" });
    expect(told?.aborted).toBe(true);
  });

  it("does not begin a step for which no time is left", async () => {
    let begun = false;
    const timed = await within(0, async () => (begun = true), undefined, manualWait().wait);
    expect([timed.kept, begun]).toEqual([false, false]);
  });

  it("gives a failure as a reason", async () => {
    const failing = (): Promise<string> => Promise.reject(new Error("the device was lost"));
    expect(await within(50, failing, undefined, manualWait().wait)).toEqual({
      kept: false,
      reason: "it failed: the device was lost",
    });
  });

  it("rejects with the caller's reason when aborted, and passes the abort on", async () => {
    const caller = new AbortController();
    let told: AbortSignal | undefined;
    const timed = within(
      Number.POSITIVE_INFINITY,
      ({ signal }) => {
        told = signal;
        return never<string>();
      },
      caller.signal,
      manualWait().wait,
    );
    caller.abort("changed my mind");
    await expect(timed).rejects.toBe("changed my mind");
    expect(told?.reason).toBe("changed my mind");
  });
});

import { describe, expect, it } from "vitest";
import { SerialQueue } from "../../src/core/queue.js";

describe("the queue of writes", () => {
  it("rejects a task whose caller leaves while it waits, at once, and never runs it", async () => {
    const queue = new SerialQueue();
    let finish = (): void => undefined;
    const long = queue.run(() => new Promise<void>((resolve) => (finish = resolve)));
    const controller = new AbortController();
    let ran = false;
    const waiting = queue.run(async () => {
      ran = true;
    }, controller.signal);
    const reason = new Error("the person left");
    controller.abort(reason);
    // The long task has not ended: the rejection does not wait for it.
    await expect(waiting).rejects.toBe(reason);
    finish();
    await long;
    await queue.idle();
    expect(ran).toBe(false);
    expect(queue.isBusy).toBe(false);
  });

  it("leaves a running task to say itself what became of it", async () => {
    const queue = new SerialQueue();
    const controller = new AbortController();
    const running = queue.run(async () => {
      controller.abort();
      return "committed";
    }, controller.signal);
    expect(await running).toBe("committed");
  });

  it("runs on after a failure, in order", async () => {
    const queue = new SerialQueue();
    const seen: number[] = [];
    const failed = queue.run(async () => {
      seen.push(1);
      throw new Error("no");
    });
    const next = queue.run(async () => seen.push(2));
    await expect(failed).rejects.toThrow("no");
    await next;
    expect(seen).toEqual([1, 2]);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import { type AbortForm, cancellable, untilAborted, withCancelPort } from "../../src/rpc/cancel.js";
import { connect, expose, transfer } from "../../src/rpc/endpoint.js";

interface Api {
  work(cancel?: MessagePort): Promise<string>;
}

const reason = new Error("the person left");
const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of channels.splice(0)) {
    port1.close();
    port2.close();
  }
});

/** A call to `work` on the other side of a channel. */
function caller(work: (signal: AbortSignal | undefined) => Promise<string>) {
  const channel = new MessageChannel();
  channels.push(channel);
  expose({ work: (cancel) => withCancelPort(cancel, work) } satisfies Api, channel.port1);
  const { remote } = connect<Api>(channel.port2);
  return (signal: AbortSignal, form: AbortForm) =>
    cancellable(signal, (port) => remote.work(port && transfer(port, [port])), form);
}

/** Aborts as soon as the other side works, and ends that work some way. */
function abortedWhile(form: AbortForm, end: (signal: AbortSignal) => string): Promise<string> {
  const controller = new AbortController();
  const call = caller(async (signal) => {
    controller.abort(reason);
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    return end(signal as AbortSignal);
  });
  return call(controller.signal, form);
}

describe("an aborted call that waits for the answer", () => {
  it("resolves where the other side had committed", async () => {
    expect(await abortedWhile("by-answer", () => "committed")).toBe("committed");
  });

  it("rejects with the caller's own reason where the other side gave up", async () => {
    const call = abortedWhile("by-answer", (signal) => {
      throw signal.reason;
    });
    await expect(call).rejects.toBe(reason);
  });

  it("rejects with what went wrong where it was not the abort", async () => {
    const call = abortedWhile("by-answer", () => {
      throw new MemoryError("quota-exceeded", "the disk is full");
    });
    await expect(call).rejects.toMatchObject({ code: "quota-exceeded" });
  });
});

describe("an aborted call that changes nothing", () => {
  it("rejects at once, though the other side never answers", async () => {
    const controller = new AbortController();
    const call = caller(() => new Promise(() => undefined))(controller.signal, "at-once");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});

describe("waiting until a signal", () => {
  it("gives the value, the failure or the reason, whichever comes first", async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new RangeError("no")), signal)).rejects.toBeInstanceOf(RangeError);
    await expect(untilAborted(new Promise(() => undefined), AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

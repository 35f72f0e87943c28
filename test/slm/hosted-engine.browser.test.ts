import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HostedEngine } from "../../src/slm/engines/hosted-engine.js";

const ask = [{ role: "user" as const, content: "Hello" }];
let began = 0;
let counter: BroadcastChannel;
let opened: HostedEngine | undefined;

beforeEach(() => {
  began = 0;
  counter = new BroadcastChannel("faulty-engine");
  counter.onmessage = ({ data }) => data === "began" && counter.postMessage(++began);
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  counter.close();
});

const open = async (fault: string, signal?: AbortSignal): Promise<HostedEngine> => {
  const spawn = () => new Worker(new URL("./faulty-engine.worker.ts", import.meta.url), { type: "module" });
  const limits = { callLimitMs: 1_500, loadLimitMs: 1_500 };
  opened = await HostedEngine.open({ label: "test", settings: { fault }, spawn, ...limits }, { signal });
  return opened;
};

describe("a model in a worker of its own", { timeout: 30_000 }, () => {
  it.each(["dies", "hangs", "blocks", "breaks"])("is started again when it %s, and the call is sent once more", async (fault) => {
    const engine = await open(fault);
    const pieces: string[] = [];
    expect(await engine.complete(ask, { onToken: (piece) => pieces.push(piece) })).toEqual({ text: "one two", finish: "stop" });
    expect(pieces).toEqual(["one ", "two"]);
    expect(began).toBe(2);
    await engine.complete(ask);
    expect(began).toBe(2);
  });

  it.each([
    ["dies always", "worker-failed"],
    ["hangs always", "timeout"],
    ["blocks always", "timeout"],
    ["breaks always", "worker-failed"],
  ])("fails when it %s, with a code", async (fault, code) => {
    const engine = await open(fault);
    await expect(engine.complete(ask)).rejects.toMatchObject({ code });
    expect(began).toBe(2);
  });

  it("gives the caller back at once, however stuck it is", async () => {
    const engine = await open("hangs always");
    await expect(engine.complete(ask, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: "TimeoutError" });
    expect(began).toBe(1);
  });

  it("is started again when it is stuck and every caller gave up before the limit", async () => {
    const engine = await open("hangs");
    await expect(engine.complete(ask, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: "TimeoutError" });
    expect(await engine.complete(ask)).toEqual({ text: "one two", finish: "stop" });
    expect(began).toBe(2);
  });

  it("gives every call the whole limit, however many wait before it", async () => {
    const engine = await open("slow");
    const answers = await Promise.all([engine.complete(ask), engine.complete(ask), engine.complete(ask)]);
    expect(answers.map(({ text }) => text)).toEqual(["one two", "one two", "one two"]);
    expect(began).toBe(1);
  });

  it("does not send a call that was given up while it waited", async () => {
    const engine = await open("slow");
    const first = engine.complete(ask);
    const told: string[] = [];
    const second = engine.complete(ask, { signal: AbortSignal.timeout(50), onToken: (piece) => told.push(piece) });
    await expect(second).rejects.toMatchObject({ name: "TimeoutError" });
    await first;
    await engine.complete(ask);
    expect([told, began]).toEqual([[], 1]);
  });

  it("ends a load that fails, makes no progress, or is not wanted any longer", async () => {
    await expect(open("load fails")).rejects.toMatchObject({ code: "asset-unavailable", message: "the weights are gone" });
    await expect(open("load hangs")).rejects.toMatchObject({ code: "timeout", message: expect.stringContaining("no progress") });
    await expect(open("load hangs", AbortSignal.timeout(100))).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("refuses calls after it is closed", async () => {
    const engine = await open("none");
    const call = engine.complete(ask);
    await Promise.allSettled([call, engine.close()]);
    await expect(engine.complete(ask)).rejects.toMatchObject({ code: "closed" });
    await engine.close();
  });
});

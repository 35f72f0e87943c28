import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { expose } from "../../src/rpc/endpoint.js";
import { type WorkerApi, WorkerLink } from "../../src/rpc/worker-link.js";

interface Api extends WorkerApi {
  large(): Promise<{ readonly numbers: readonly number[] }>;
  never(): Promise<void>;
}

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** A link to the other end of a channel: all that it needs of a worker is a port that can be ended. */
function linked(): Promise<WorkerLink<Api>> {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const api: Api = {
    start: async () => false,
    large: async () => ({ numbers: Array.from({ length: 1_000 }, (_, index) => index) }),
    never: () => new Promise(() => undefined),
  };
  expose(api, port1);
  return WorkerLink.start<Api>(() => Object.assign(port2, { terminate: () => port2.close() }) as unknown as Worker, "test");
}

describe("a link to a worker", () => {
  it("keeps no result of a call that is done", async () => {
    const link = await linked();
    const results: WeakRef<object>[] = [];
    for (let count = 0; count < 20; count++) results.push(new WeakRef(await link.call((remote) => remote.large())));
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    await expect
      .poll(() => {
        collect();
        return results.filter((result) => result.deref() !== undefined).length;
      })
      .toBeLessThan(3);
    expect(link.failure).toBeUndefined();
  });

  it("rejects every call in flight when it is closed, and every later one", async () => {
    const link = await linked();
    const calls = [link.call((remote) => remote.never()), link.call((remote) => remote.never())];
    const settled = Promise.allSettled(calls);
    link.close();
    for (const result of await settled) expect(result).toMatchObject({ reason: { code: "closed" } });
    await expect(link.call((remote) => remote.large())).rejects.toMatchObject({ code: "closed" });
  });

  it("says that another script answers than this package's", async () => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    expose({ ready: () => true }, port1);
    const worker = Object.assign(port2, { terminate: () => port2.close() }) as unknown as Worker;
    await expect(WorkerLink.start<Api>(() => worker, "test")).rejects.toMatchObject({
      code: "worker-failed",
      message: expect.stringContaining("createWorker"),
    });
  });

  it("says that a worker could not be made, and why", async () => {
    const start = WorkerLink.start<Api>(() => {
      throw new DOMException("the script is of another origin", "SecurityError");
    }, "test");
    await expect(start).rejects.toMatchObject({ code: "worker-failed", message: expect.stringContaining("another origin") });
  });
});

import { describe, expect, it, vi } from "vitest";
import { Persistence } from "../../src/core/persistence.js";
import { StorageWatch } from "../../src/core/storage-watch.js";

const MB = 2 ** 20;

describe("asking the browser to keep what is stored", () => {
  it("happens once, however often there is something to keep", async () => {
    const storage = { persisted: vi.fn(async () => false), persist: vi.fn(async () => false) };
    const persistence = new Persistence(storage);
    expect(storage.persist).not.toHaveBeenCalled();
    await Promise.all([persistence.ask(), persistence.ask()]);
    await persistence.ask();
    expect(storage.persist).toHaveBeenCalledTimes(1);
  });

  it("is no need where it is promised already", async () => {
    const storage = { persisted: async () => true, persist: vi.fn(async () => true) };
    await new Persistence(storage).ask();
    expect(storage.persist).not.toHaveBeenCalled();
  });

  it("never fails, also where there is nobody to ask", async () => {
    await new Persistence(undefined).ask();
    const broken = {
      persisted: async () => {
        throw new Error("opaque origin");
      },
      persist: async () => true,
    };
    await expect(new Persistence(broken).ask()).resolves.toBeUndefined();
  });
});

describe("a watch on the storage", () => {
  const watch = (state: { usageBytes?: number; quotaBytes?: number } | Error) => {
    const warnings: string[] = [];
    const current = { state };
    const watching = new StorageWatch(
      async () => {
        if (current.state instanceof Error) throw current.state;
        return current.state;
      },
      (reason) => warnings.push(reason),
    );
    const look = async (writes = 50) => {
      for (let write = 0; write < writes; write++) watching.wake();
      await new Promise((resolve) => setTimeout(resolve));
    };
    return { warnings, current, look };
  };

  it("warns with the numbers when little is left, once until there was more", async () => {
    const { warnings, current, look } = watch({ usageBytes: 995 * MB, quotaBytes: 1_000 * MB });
    await look(1);
    expect(warnings).toEqual([expect.stringMatching(/5\.0 of 1000\.0 MB are left; forget or export/)]);
    await look();
    expect(warnings).toHaveLength(1);
    current.state = { usageBytes: 10 * MB, quotaBytes: 1_000 * MB };
    await look();
    current.state = { usageBytes: 999 * MB, quotaBytes: 1_000 * MB };
    await look();
    expect(warnings).toHaveLength(2);
  });

  it.each([
    ["plenty of a small quota", 0, 40 * MB],
    ["a tenth of a large one", 90_000 * MB, 100_000 * MB],
    ["as much as most memories take", 900 * MB, 1_000 * MB],
  ])("is silent with %s left", async (_what, usageBytes, quotaBytes) => {
    const { warnings, look } = watch({ usageBytes, quotaBytes });
    await look();
    expect(warnings).toEqual([]);
  });

  it("is silent where nobody knows", async () => {
    for (const state of [{}, { usageBytes: 1 }, new Error("denied")]) {
      const { warnings, look } = watch(state);
      await look();
      expect(warnings).toEqual([]);
    }
  });
});

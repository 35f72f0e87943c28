import { describe, expect, it, vi } from "vitest";
import { Follower } from "../../src/core/follower.js";
import type { MemoryIndex } from "../../src/core/memory-index.js";
import { eraseUser } from "../../src/node/index.js";
import type { Store } from "../../src/ports.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import { entry, entryId, userId } from "../store/samples.js";
import { openedMemories } from "./opened.js";

const { directory, open } = openedMemories();

/** A follower over a store of its own, with an index that only lists. */
async function followed(name: string) {
  const store: Store = await sqliteStores({ directory }).open(name, userId("me"));
  const ids = new Set<string>();
  const index = {
    space: { id: "none", dimension: 1 },
    put: ({ id }: { id: string }) => void ids.add(id),
    remove: (id: string) => void ids.delete(id),
  } as unknown as MemoryIndex;
  const reload = vi.fn(async (_why: "erased" | "behind") => {
    const { revision, epoch } = await store.standing();
    ids.clear();
    for (const { id } of await store.listEntries()) ids.add(id);
    follower.start(revision, epoch);
  });
  const follower: Follower = new Follower({
    name,
    userId: userId("me"),
    store,
    index: () => index,
    onChange: () => undefined,
    onHeard: () => undefined,
    onErased: () => undefined,
    onBehind: () => undefined,
    reload,
  });
  return { store, ids, follower, reload };
}

describe("a handle that follows the journal", () => {
  it("loads everything anew when what it needs of the journal was compacted, and not before", async () => {
    const { store, ids, follower, reload } = await followed("compacted");
    for (let number = 0; number < 20; number++) await store.write({ entries: [entry(`e${number}`)] });
    await follower.catchUp();
    expect([ids.size, reload.mock.calls.length]).toEqual([20, 0]);
    await store.write({ entries: [entry("new1")], removeEntries: [entryId("e3")] });
    await store.write({ entries: [entry("new2")] });
    await store.tidy({ journalRecords: 2 });
    await follower.catchUp();
    expect([ids.size, reload.mock.calls.length]).toEqual([21, 0]);
    for (let number = 0; number < 5; number++) await store.write({ removeEntries: [entryId(`e${10 + number}`)] });
    await store.tidy({ journalRecords: 2 });
    await follower.catchUp();
    expect([ids.size, ids.has("e14"), reload.mock.calls]).toEqual([16, false, [["behind"]]]);
    expect(follower.applied).toBe(27);
    follower.close();
    await store.close();
  });

  it("notices an erasure by itself, also when what was written since has come to the same revision", async () => {
    const { store, ids, follower, reload } = await followed("erased");
    await store.write({ entries: [entry("before")] });
    await follower.catchUp();
    expect(await follower.isLevel()).toBe(true);
    // Not the public call: no message tells of it.
    await sqliteStores({ directory }).eraseUser("erased", userId("me"));
    await store.write({ entries: [entry("after")] });
    expect(await follower.isLevel()).toBe(false);
    await follower.catchUp();
    expect([[...ids], reload.mock.calls]).toEqual([["after"], [["erased"]]]);
    follower.close();
    await store.close();
  });

  it("notices it when its own write is the first that tells", async () => {
    const { store, ids, follower, reload } = await followed("own");
    await store.write({ entries: [entry("before")] });
    await follower.catchUp();
    await sqliteStores({ directory }).eraseUser("own", userId("me"));
    await store.write({ entries: [entry("other")] });
    await follower.committed(await store.write({ entries: [entry("mine")] }), new Map(), []);
    expect([[...ids].sort(), reload.mock.calls]).toEqual([["mine", "other"], [["erased"]]]);
    follower.close();
    await store.close();
  });
});

describe("a memory whose user is erased where there is no BroadcastChannel", () => {
  it("recalls nothing of it, although another has written as much since", async () => {
    vi.stubGlobal("BroadcastChannel", undefined);
    try {
      const [a, b] = [await open(), await open()];
      await a.record({ user: "I like green tea from Assam." });
      expect((await b.recall("tea from Assam")).text).toContain("Assam");
      await eraseUser(directory, a.name, "me");
      await a.record({ user: "I bought a red canoe." });
      expect((await b.recall("tea from Assam")).text).not.toContain("Assam");
      expect((await b.recall("a red canoe")).text).toContain("canoe");
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

/** A repair in the browser that is killed: what the next opening finds, and what it leaves of the copy that was filled. */

import { afterEach, describe, expect, it } from "vitest";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import { freshName } from "../harness.js";
import { entriesWithVectors, turn, turnId, userId } from "../samples.js";
import { rawDelete } from "./raw.js";

const ME = userId("me");
const YOU = userId("you");
const WHOLE = { turns: 45, entries: 30 };

async function filled(): Promise<string> {
  const name = freshName();
  const mine = await indexedDbStores().open(name, ME);
  await mine.write({ turns: Array.from({ length: 45 }, (_, number) => turn(`t${number}`)), ...entriesWithVectors(0, 30) });
  await mine.close();
  const yours = await indexedDbStores().open(name, YOU);
  await yours.write({ turns: [turn("t1", "the vault opens with marzipan")] });
  await yours.close();
  return name;
}

async function counts(name: string) {
  const store = await indexedDbStores().open(name, ME);
  const found = await store.counts();
  await store.close();
  return found;
}

/** A repair that does not come beyond the first call that `isLast` takes. */
async function killed(name: string, isLast: (call: "open" | "delete", fullName: string) => boolean): Promise<void> {
  let isDead = false;
  const factory = {
    open: (fullName: string, version?: number) => {
      isDead ||= isLast("open", fullName);
      if (isDead) throw new Error("killed");
      return indexedDB.open(fullName, version);
    },
    deleteDatabase: (fullName: string) => {
      isDead ||= isLast("delete", fullName);
      if (isDead) throw new Error("killed");
      return indexedDB.deleteDatabase(fullName);
    },
  } as unknown as IDBFactory;
  await indexedDbStores({ indexedDB: factory })
    .repair(name)
    .catch(() => undefined);
}

const beforeOldGoes = (name: string) => killed(name, (call, fullName) => call === "delete" && fullName === `keepsake:${name}`);

/** The copy that a repair fills, where there is one. */
async function copyOf(name: string): Promise<boolean> {
  return (await indexedDB.databases()).some((database) => database.name === `keepsake-repair:${name}`);
}

/** Every value that lies in the copy, as text. */
async function textOfCopy(name: string): Promise<string> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open(`keepsake-repair:${name}`);
    request.onsuccess = () => resolve(request.result);
  });
  const stores = [...database.objectStoreNames];
  const values = await Promise.all(
    stores.map(
      (store) =>
        new Promise<unknown>((resolve) => {
          const request = database.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result);
        }),
    ),
  );
  database.close();
  return JSON.stringify(values);
}

describe("a repair that is killed", () => {
  it("at any call leaves everything to the next opening, and no copy", async () => {
    for (let point = 0; ; point++) {
      const name = await filled();
      let calls = 0;
      await killed(name, () => calls++ === point);
      const isOver = calls <= point;
      expect(await counts(name), `killed at call ${point}`).toEqual(WHOLE);
      await expect.poll(() => copyOf(name), { message: `killed at call ${point}` }).toBe(false);
      if (isOver) break;
      expect(point).toBeLessThan(50);
    }
  });

  it("after the damaged database went is finished by whoever comes next", async () => {
    for (const next of ["open", "listUsers", "salvage", "repair", "eraseUser"] as const) {
      const name = await filled();
      await beforeOldGoes(name);
      await rawDelete(name);
      if (next === "open") expect(await counts(name)).toEqual(WHOLE);
      if (next === "listUsers") expect(await indexedDbStores().listUsers(name)).toEqual([ME, YOU]);
      if (next === "salvage") expect(await indexedDbStores().salvage(name, ME)).toHaveLength(75);
      if (next === "repair") expect((await indexedDbStores().repair(name)).users).toContainEqual({ userId: ME, ...WHOLE });
      if (next === "eraseUser") await indexedDbStores().eraseUser(name, YOU);
      expect(await counts(name)).toEqual(WHOLE);
      await expect.poll(() => copyOf(name)).toBe(false);
    }
  });

  it("leaves nothing that comes back when the database is deleted later", async () => {
    const name = await filled();
    await beforeOldGoes(name);
    const store = await indexedDbStores().open(name, ME);
    await store.write({ removeTurns: [turnId("t1")] });
    await store.close();
    await rawDelete(name);
    expect(await counts(name)).toEqual({ turns: 0, entries: 0 });
  });

  it("while it fills the copy leaves none of it where the database is gone", async () => {
    const name = await filled();
    await beforeOldGoes(name);
    const copy = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(`keepsake-repair:${name}`);
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = copy.transaction("derived", "readwrite");
    transaction.objectStore("derived").clear();
    await new Promise<void>((resolve) => {
      transaction.oncomplete = () => resolve();
    });
    copy.close();
    await rawDelete(name);
    await indexedDbStores().eraseUser(name, YOU);
    await expect.poll(() => copyOf(name)).toBe(false);
  });
});

describe("where there are no Web Locks, so that a repair may be running", () => {
  afterEach(() => Reflect.deleteProperty(navigator, "locks"));

  it("the copy stays, and an erasure takes the user's rows out of it", async () => {
    const name = await filled();
    await beforeOldGoes(name);
    Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
    expect(await counts(name)).toEqual(WHOLE);
    expect(await textOfCopy(name)).toContain("marzipan");
    await indexedDbStores().eraseUser(name, YOU);
    expect(await textOfCopy(name)).not.toContain("marzipan");
    expect(await textOfCopy(name)).toContain("said in t1");
    await rawDelete(name);
    expect(await counts(name)).toEqual(WHOLE);
  });
});

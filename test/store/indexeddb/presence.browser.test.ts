/** A database that the browser has removed by itself is told as lost, and a new one is not. */

import { afterEach, expect, it } from "vitest";
import type { StoreNotice } from "../../../src/ports.js";
import { wasWritten } from "../../../src/store/indexeddb/presence.js";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import { turn, userId } from "../samples.js";
import { rawDelete } from "./raw.js";

const notices: StoreNotice[] = [];
const stores = indexedDbStores({ notify: (notice) => notices.push(notice) });

async function openedOnce(name: string, { writes }: { readonly writes: boolean }): Promise<void> {
  const store = await stores.open(name, userId("me"));
  if (writes) {
    await store.write({ turns: [turn("one")] });
    await expect.poll(() => wasWritten(name)).toBe(true);
  }
  await store.close();
}

afterEach(() => {
  notices.length = 0;
});

it("tells that a database which was written to is not there any more", async () => {
  const name = `gone ${Date.now()}`;
  await openedOnce(name, { writes: true });
  await openedOnce(name, { writes: false });
  expect(notices).toEqual([]);
  await rawDelete(name);
  await openedOnce(name, { writes: false });
  expect(notices).toEqual([
    { type: "degraded", part: "storage", reason: expect.stringContaining(`"${name}" held memories and is not there any more`) },
  ]);
});

it("tells nothing of a database that is new, or that was never written to", async () => {
  const name = `new ${"long ".repeat(100)}/${Date.now()}`;
  await openedOnce(name, { writes: false });
  await rawDelete(name);
  await openedOnce(name, { writes: true });
  expect(notices).toEqual([]);
});

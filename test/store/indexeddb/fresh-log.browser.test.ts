/** Beginning a new log changes nothing of what is stored, however often and whenever it is done. */

import { expect, it } from "vitest";
import { beginFreshLog } from "../../../src/store/indexeddb/fresh-log.js";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import { turn, turnId, userId } from "../samples.js";

it("keeps what is written before, meanwhile and after", async () => {
  const store = await indexedDbStores().open(`log ${Date.now()}`, userId("me"));
  await store.write({ turns: [turn("before")] });
  const again = [beginFreshLog(indexedDB), beginFreshLog(indexedDB)];
  await store.write({ turns: [turn("meanwhile")] });
  await Promise.all(again);
  await beginFreshLog(indexedDB);
  await store.write({ turns: [turn("after")] });
  const found = await store.turns(["before", "meanwhile", "after"].map(turnId));
  expect(found.map((one) => one?.id)).toEqual(["before", "meanwhile", "after"]);
  await store.close();
});

it("leaves the log as it is where the browser refuses", async () => {
  const broken = { deleteDatabase: () => failing(), open: () => failing() } as unknown as IDBFactory;
  await expect(beginFreshLog(broken)).resolves.toBeUndefined();
});

function failing(): never {
  throw new DOMException("no", "UnknownError");
}

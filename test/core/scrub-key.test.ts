/** The key of placeholders: one a user, however busy the store is. */

import { expect, it } from "vitest";
import { scrubKey } from "../../src/core/scrub-key.js";
import type { Store } from "../../src/ports.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import type { UserId } from "../../src/types.js";

it("is one of all handles that make it at once, also where others write in between", async () => {
  const stores = sqliteStores({ directory: ":memory:" });
  const store = await stores.open("keys", "me" as UserId);
  let turns = 3;
  /** Another handle writes whenever this one is about to. */
  const contested = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "write") return value.bind(target);
      return async (...given: Parameters<Store["write"]>) => {
        if (turns-- > 0) await target.write({ meta: { noise: turns } });
        return target.write(...given);
      };
    },
  });
  const keys = await Promise.all([scrubKey(contested), scrubKey(contested), scrubKey(store)]);
  const text = new TextEncoder().encode("Ada");
  const marks = await Promise.all(
    keys.map(async (key) => Buffer.from(await crypto.subtle.sign("HMAC", key, text)).toString("hex")),
  );
  expect(new Set(marks).size).toBe(1);
  await store.close();
});

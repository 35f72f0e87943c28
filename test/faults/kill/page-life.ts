/** A life in a page: the order comes from the server that the page came from, and what it tells goes there. */

import { openMemory } from "../../../src/index.js";
import { indexedDbStores } from "../../../src/store/indexeddb.js";
import type { UserId } from "../../../src/types.js";
import { type LifeMessage, type LifeOrder, live } from "./life.js";
import { makeOldDatabase } from "./old-indexeddb.js";

/** The server answers when it has the message. */
async function tell(message: LifeMessage): Promise<void> {
  await fetch("/told", { method: "POST", body: JSON.stringify(message) });
}

const answer = await fetch("/order");
// A page that a browser opens again by itself gets no second life.
if (answer.ok) {
  const order = (await answer.json()) as LifeOrder;
  await live(order, {
    openMemory: (options) => openMemory({ ...options, timeZone: "UTC" }),
    openStore: (name, userId) => indexedDbStores().open(name, userId as UserId),
    makeOld: makeOldDatabase,
    tell,
  });
}

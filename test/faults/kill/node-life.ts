/** A life in a Node process: the order comes on standard input, what it tells goes to standard output, line by line. */

import { readFileSync, writeSync } from "node:fs";
import { openMemory } from "../../../src/node/index.js";
import { databaseFile } from "../../../src/store/sqlite/file.js";
import { sqliteStores } from "../../../src/store/sqlite/stores.js";
import type { UserId } from "../../../src/types.js";
import { type LifeOrder, live } from "./life.js";
import { makeOldFile } from "./old-sqlite.js";

// Everything is loaded by now: whoever started this process ahead of time gives the order when its life begins.
const { directory, ...order } = JSON.parse(readFileSync(0, "utf8")) as LifeOrder & { readonly directory: string };

await live(order, {
  openMemory: (options) => openMemory({ ...options, directory, timeZone: "UTC" }),
  openStore: (name, userId) => sqliteStores({ directory }).open(name, userId as UserId),
  makeOld: (name, rows) => makeOldFile(databaseFile(directory, name), rows),
  // Written before it returns, so that a kill right after it cannot take it back.
  tell: (message) => void writeSync(1, `${JSON.stringify(message)}\n`),
});

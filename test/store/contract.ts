/** What every store must do, whatever it is built on: run over SQLite in Node and over IndexedDB in Chromium. */
import { describe } from "vitest";
import type { Clock, StoreFactory } from "../../src/ports.js";
import { describeDoors } from "./contract/doors.js";
import { describeIsolation } from "./contract/isolation.js";
import { describeModel } from "./contract/model.js";
import { describeReads } from "./contract/reads.js";
import { describeVectors } from "./contract/vectors.js";
import { describeWrites } from "./contract/writes.js";

/** How the suite comes by stores. */
export interface StoreHarness {
  /** A factory over storage that lives as long as the test; called again, it opens the same storage anew. */
  stores(options?: { readonly clock?: Clock }): StoreFactory;
}

let databases = 0;

/** A database name that no other test has. */
export function freshName(): string {
  databases += 1;
  return `contract ${databases} ${Math.random().toString(36).slice(2)}`;
}

export function describeStore(title: string, harness: StoreHarness): void {
  describe(title, () => {
    describeWrites(harness);
    describeReads(harness);
    describeVectors(harness);
    describeIsolation(harness);
    describeDoors(harness);
    describeModel(harness);
  });
}

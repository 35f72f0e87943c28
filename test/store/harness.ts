/** How the store's contract comes by stores, and database names for its tests. */
import type { Clock, StoreFactory } from "../../src/ports.js";

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

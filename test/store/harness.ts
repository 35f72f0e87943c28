/** How the store's contract comes by stores, and database names for its tests. */
import type { Clock, StoreFactory } from "../../src/ports.js";
import type { Entry, Turn } from "../../src/types.js";

export interface StoreHarness {
  /** A factory over storage that lives as long as the test; called again, it opens the same storage anew. */
  stores(options?: { readonly clock?: Clock; readonly blockedTimeoutMs?: number }): StoreFactory;
  /** Changes what lies on the disk behind the store's back; absent where nothing lies on one. */
  readonly disk?: Disk;
}

/** Damage to rows of the user "me", as a disk does it, and rows that other versions have written. */
export interface Disk {
  /** Changes a letter of what an entry holds. */
  spoilEntry(name: string, id: string): Promise<void>;
  spoilTurn(name: string, id: string): Promise<void>;
  /** Changes a number of the vectors of an entry, and with it perhaps of its neighbours. */
  spoilVectors(name: string, entryId: string): Promise<void>;
  /** Puts a turn as it is, under its id, with the checksum of what it is. */
  putTurn(name: string, turn: Partial<Turn> & { readonly id: string }): Promise<void>;
  /** As {@link putTurn}; under a key of its own where one is given. */
  putEntry(name: string, entry: Partial<Entry> & { readonly id: string }, key?: string): Promise<void>;
}

let databases = 0;

/** A database name that no other test has. */
export function freshName(): string {
  databases += 1;
  return `contract ${databases} ${Math.random().toString(36).slice(2)}`;
}

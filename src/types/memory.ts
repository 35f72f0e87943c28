/** The state of a memory, and what its listeners are told. */

import type { EntryId, UserId } from "./ids.js";
import type { ModelState, RoleState, SlmRole } from "./roles.js";

export interface MemoryStats {
  readonly name: string;
  readonly userId: UserId;
  readonly entries: number;
  readonly turns: number;
  readonly vectors: number;
  /** Of the stored entries: how many are shown in their source's own words because the writer's held something that was not
   * said; how many are over, and how many a rule guesses to be. */
  readonly writing: { readonly fellBack: number; readonly superseded: number; readonly marked: number };
  readonly revision: number;
  readonly embedder: { readonly id: string; readonly dimension: number };
  /** While entries have no vectors of this embedder yet: how many have, of how many. Until then they are found in the space of
   * the embedder before, where it still serves, else by words. "waiting": another tab does the work, or the embedder failed
   * and is tried again. */
  readonly reembedding?: { readonly done: number; readonly total: number; readonly state: "running" | "paused" | "waiting" };
  readonly index: { readonly vector: "flat-wasm" | "flat-js" | "hnsw"; readonly terms: number };
  readonly storage: {
    readonly backend: "indexeddb" | "sqlite";
    /** Whether the browser promised not to evict it, which it is asked after the first record (see `persist` of
     * `openMemory`); absent where it cannot say. */
    readonly persisted?: boolean;
    /** Of the whole origin; in Node of the database's file. */
    readonly usageBytes?: number;
    /** What the origin may use at most; in Node the file and what its disk has free. */
    readonly quotaBytes?: number;
  };
  /** The small model that is attached; absent without one, and while it loads. */
  readonly model?: ModelState;
  /** Who plays the on-line roles, and what the exam found. */
  readonly roles: Readonly<Record<SlmRole, RoleState>>;
  /** Why a part runs in a lesser form than it could, such as the index without WASM under a CSP. */
  readonly degraded: readonly { readonly part: string; readonly reason: string }[];
  readonly worker: boolean;
}

/** What a listener of `memory.addEventListener` is told. */
export interface MemoryEventMap {
  readonly change: { readonly revision: number; readonly entryIds: readonly EntryId[] };
  readonly progress: { readonly task: string; readonly done: number; readonly total: number };
  readonly degraded: { readonly part: string; readonly reason: string };
}

/** Persistent rows of one user, and the transactions over them. */

import type { ConversationId, Entry, EntryId, Timestamp, Turn, TurnId, Usage, UserId } from "../types.js";
import type { GraphPart, GraphRead, GraphWrite } from "./graph.js";
import type { CallOptions } from "./platform.js";

/** The vectors of one entry: its whole text, then its sentences. */
export interface EntryVectors {
  readonly entryId: EntryId;
  /** Flat, n × dimension. */
  readonly rows: Float32Array;
}

/** A run of stored vectors, as loaded. */
export interface VectorSegment {
  /** Entry of each row; an entry's rows are contiguous and in order, though they may continue in the next segment. */
  readonly entryIds: readonly EntryId[];
  /** Flat, `entryIds.length * dimension`. */
  readonly rows: Float32Array;
}

export type JournalOperation =
  | { readonly type: "put-entries"; readonly entryIds: readonly EntryId[] }
  | { readonly type: "remove-entries"; readonly entryIds: readonly EntryId[] }
  | { readonly type: "put-turns"; readonly turnIds: readonly TurnId[] }
  | { readonly type: "remove-turns"; readonly turnIds: readonly TurnId[] }
  | { readonly type: "put-meta"; readonly keys: readonly string[] }
  /** Something of the graph changed by itself; what goes with its entries has no operation of its own. */
  | { readonly type: "put-graph" };

export interface JournalRecord {
  readonly revision: number;
  readonly at: Timestamp;
  readonly operations: readonly JournalOperation[];
}

/** Everything that one transaction writes: all of it or nothing. */
export interface StoreWrite {
  /** New turns; their `sequence` is given by the store. A turn whose id is stored already is left as it is. */
  readonly turns?: readonly Omit<Turn, "sequence">[];
  /** Entries to put; `revision` is given by the store (1 for a new one, else the stored one's + 1), unless they come with a higher
   * one, as those of a backup do. One whose `indexText` changes loses its vectors in every space but those that come with the
   * write, what it supports in the graph, and an unchanged `consolidatedAt`. */
  readonly entries?: readonly (Omit<Entry, "revision"> & { readonly revision?: number })[];
  /** Vectors under `space`; they replace those that the entry had there. Every entry must exist or be put here. */
  readonly vectors?: { readonly space: VectorSpace; readonly of: readonly EntryVectors[] };
  /** Spaces whose vectors go, all of them at once; before anything is put. */
  readonly dropSpaces?: readonly VectorSpace[];
  readonly removeEntries?: readonly EntryId[];
  readonly removeTurns?: readonly TurnId[];
  readonly graph?: GraphWrite;
  /** Structured-clone-safe values; `undefined` removes the key. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly usage?: readonly { readonly entryId: EntryId; readonly usage: Usage }[];
  /** Revisions that a decision rested on; 0: must not exist. Checked inside the transaction. */
  readonly expect?: readonly { readonly entryId: EntryId; readonly revision: number }[];
  /** The store's revision that a decision rested on as a whole: what it looked for and did not find must not have come since.
   * Checked inside the transaction. */
  readonly expectStore?: number;
  /** Turns that a decision rested on: they must be stored still, so that what another handle forgot is not written again. */
  readonly expectTurns?: readonly TurnId[];
  /** Turn ids that must not be stored yet: two tabs that record one turn write it once. */
  readonly expectNewTurns?: readonly TurnId[];
  /** Commit to disk before the promise resolves; true by default. Use statistics may say false. */
  readonly durable?: boolean;
}

/** The embedder's id and dimension under which vectors are kept. */
export interface VectorSpace {
  readonly id: string;
  readonly dimension: number;
}

/** Where a user's rows stand. */
export interface StoreStanding {
  /** Revision of the last committed write, 0 for an empty store. */
  readonly revision: number;
  /** Given with the first write: revisions begin anew after an erasure, and this tells the one life from the next. "" for an
   * empty store. */
  readonly epoch: string;
}

export interface Committed extends StoreStanding {
  readonly turns: readonly Turn[];
  readonly entries: readonly Entry[];
}

export interface StoreCounts {
  readonly turns: number;
  readonly entries: number;
}

/** Stored rows that are not what was written: every read passes over them, so that the rest can be read. */
export type DamagedRows =
  | {
      readonly kind: "entry";
      readonly id: EntryId;
      /** Set where a run of entries is damaged, from this one up to the next that can be read. */
      readonly isRun?: true;
      /** Turns that it seems to come from, as far as that can still be read. */
      readonly turnIds: readonly TurnId[];
      readonly reason: string;
    }
  | { readonly kind: "turn"; readonly id: TurnId; readonly reason: string }
  /** Entries that have no vectors in this space any more, though they had. */
  | { readonly kind: "vectors"; readonly space: VectorSpace; readonly entryIds: readonly EntryId[]; readonly reason: string };

/** One stored row, as far as a person could read it. */
export interface ScannedRow {
  readonly table: string;
  readonly key: string;
  /** Every string in it, however deep; ids are strings too. */
  readonly strings: readonly string[];
}

/** How much is kept of what only grows. */
export interface StoreCaps {
  /** Newest journal records that stay, 1 or more; a handle that has seen less loads everything anew. */
  readonly journalRecords: number;
}

/** Persistent rows of one user. A handle is bound to its userId when it is opened and cannot name another.
 *
 * All methods reject with MemoryError "closed" after `close()`, "quota-exceeded", "storage-failed" or
 * "storage-corrupt"; an aborted call rejects with the signal's reason and has written nothing. */
export interface Store {
  readonly backend: "indexeddb" | "sqlite";
  readonly userId: UserId;
  /** Revision of the last committed write, 0 for an empty store. */
  revision(): Promise<number>;
  standing(): Promise<StoreStanding>;
  counts(): Promise<StoreCounts>;
  /** @throws MemoryError "conflict" when an expectation does not hold; nothing is written then */
  write(batch: StoreWrite, options?: CallOptions): Promise<Committed>;
  /** In the order asked; `undefined` for an id that is not there. */
  entries(ids: readonly EntryId[]): Promise<(Entry | undefined)[]>;
  /** In id order (ULID: by creation), `after` exclusive, at most `limit` (default 256). */
  listEntries(page?: { readonly after?: EntryId; readonly limit?: number; readonly reverse?: boolean }): Promise<Entry[]>;
  turns(ids: readonly TurnId[]): Promise<(Turn | undefined)[]>;
  /** By sequence, newest first with `reverse`. `after` (exclusive) is a sequence. */
  listTurns(page?: {
    readonly conversationId?: ConversationId;
    readonly after?: number;
    readonly limit?: number;
    readonly reverse?: boolean;
  }): Promise<Turn[]>;
  usage(ids: readonly EntryId[]): Promise<(Usage | undefined)[]>;
  /** Every vector kept under `space`, in segments. Damaged ones are left out and noted under {@link damaged}, perhaps after
   * some rows of the entries concerned have come. */
  vectors(space: VectorSpace): AsyncIterable<VectorSegment>;
  /** The vectors of single entries, in the order asked, so that another tab can catch up from the journal; `undefined`
   * where there are none under `space`, or none whole. */
  vectorsOf(space: VectorSpace, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]>;
  /** Spaces that hold vectors, with their row counts. */
  vectorSpaces(): Promise<readonly (VectorSpace & { readonly rows: number })[]>;
  /** Records with a revision above `after`, oldest first, at most `limit` (default 256). */
  journal(after: number, limit?: number): Promise<JournalRecord[]>;
  meta<T = unknown>(key: string): Promise<T | undefined>;
  /** Keys that have a value, in code unit order. */
  metaKeys(): Promise<readonly string[]>;
  /** A part of the graph. */
  graph(read: GraphRead): Promise<GraphPart>;
  /** Everything that is stored of this user, whichever table it lies in: what a proof of a forgetting looks through. Rows that
   * are written meanwhile may come or not. */
  scan(): AsyncIterable<ScannedRow>;
  /** What reads of this handle passed over because it is damaged, until a write of this handle takes its place. */
  damaged(): Promise<readonly DamagedRows[]>;
  /** Takes away what is damaged of entries and turns, and nothing else, in one transaction; none of it was shown by a read. */
  dropDamaged(): Promise<void>;
  /** One small step, of some milliseconds, towards the caps and towards rows without holes; no content changes.
   * @returns whether there is nothing left to do now */
  tidy(caps: StoreCaps, options?: CallOptions): Promise<{ readonly isDone: boolean }>;
  /** A value that can be made again from the rest: kept outside of the journal, and the first to go when room is short. It also
   * goes, in the same transaction, with every write that takes a text away: nothing derived outlives what it was derived from. */
  derived<T = unknown>(key: string): Promise<T | undefined>;
  /** @param value structured-clone safe; `undefined` removes it
   * @param revision that it was derived from; what was written since may have taken a text away
   * @returns whether it was kept: not where there is no room for it, or where the store is at another revision by now */
  keepDerived(key: string, value: unknown, revision: number): Promise<boolean>;
  close(): Promise<void>;
}

/** What opening a store, or writing to one, tells on the way. */
export type StoreNotice =
  | {
      readonly type: "progress";
      /** "wait for another tab": it is to let go of an older version first. */
      readonly task: "migrate" | "wait for another tab";
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: "degraded"; readonly part: "storage"; readonly reason: string };

/** A row of a damaged database that can still be read; what a row of an older version does not say is filled with defaults. */
export type SalvagedRow = { readonly kind: "turn"; readonly turn: Turn } | { readonly kind: "entry"; readonly entry: Entry };

/** What became of a damaged database. */
export interface RepairReport {
  /** Whose rows were kept, and how many. Their vectors are made again when a memory is opened. */
  readonly users: readonly { readonly userId: UserId; readonly turns: number; readonly entries: number }[];
  /** What could not be read or kept, in words; the first hundred of it. */
  readonly lost: readonly string[];
  /** In Node: where the damaged file lies now. It holds what the memory held, also what is forgotten from now on: no `forget` reaches
   * into it, and the next `eraseUser` deletes it, whoever is erased. */
  readonly keptAs?: string;
}

/** Opens stores of one database. */
export interface StoreFactory {
  open(name: string, userId: UserId, options?: CallOptions): Promise<Store>;
  /** Users that have rows in the database of this name. */
  listUsers(name: string): Promise<UserId[]>;
  /** Removes every row of the user, in all stores, and in what repairs have left: what a killed one had filled goes, and so do the
   * damaged files that {@link RepairReport.keptAs} names, whole, since in them nobody can tell whose a text is. */
  eraseUser(name: string, userId: UserId): Promise<void>;
  /** What can still be read of one user's rows, also of a database that does not open; changes nothing.
   * @throws MemoryError "not-found" where there is no such database, "storage-corrupt" where it is another program's */
  salvage(name: string, userId: UserId): Promise<readonly SalvagedRow[]>;
  /** Makes the database anew from what can be read of it; killed on the way, it has happened or not, and nothing is lost. Every
   * handle on it must be closed before; those that are opened meanwhile wait. In the browser the damaged database is deleted at the
   * end; in Node it is kept as a file.
   * @throws as {@link salvage}, and "storage-blocked" while a handle, in whatever tab or process, has it open: nothing has changed then */
  repair(name: string): Promise<RepairReport>;
}

/** Names and row shapes of the IndexedDB store, in the newest version of its schema. */
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type { JournalRecord, StoredEdge, StoredNode, SupportRow } from "../ports.js";
import type { Entry, EntryId, Turn, Usage } from "../types.js";

/** Stands before the name of every database of ours. */
export const DATABASE_PREFIX = "keepsake:";

/** Object stores and their keys. Every key but that of `users` is an array that begins with the user id, compared
 * element by element and code unit by code unit, so that no two user ids can be taken for one another. */
export interface KeepsakeSchema extends DBSchema {
  users: { key: string; value: UserState };
  turns: {
    key: [user: string, id: string];
    value: TurnRow;
    indexes: {
      bySequence: [user: string, sequence: number];
      byConversation: [user: string, conversation: string, sequence: number];
    };
  };
  /** Blocks of entries, see indexeddb/entries.ts. */
  entries: { key: [user: string, first: string]; value: EntryBlock };
  usage: { key: [user: string, entry: string]; value: Usage };
  /** Vector rows after the last sealed segment, one record each. */
  vectorTail: { key: [user: string, space: number, sequence: number]; value: TailRow };
  /** Sealed segments of 256 vector rows: read row by row, 10^4 of them take four times as long. */
  vectorSegments: { key: [user: string, space: number, segment: number]; value: SegmentRow };
  journal: { key: [user: string, revision: number]; value: JournalRecord };
  meta: { key: [user: string, key: string]; value: MetaRow };
  /** Values that can be made again; cleared when room is short. */
  derived: { key: [user: string, key: string]; value: MetaRow };
  /** `byTerm` finds a node by its stems, `byShared` those that users may have in common. */
  nodes: {
    key: [user: string, id: string];
    value: NodeRow;
    indexes: { byTerm: [user: string, term: string]; byShared: [shared: string, user: string] };
  };
  edges: {
    key: [user: string, from: string, type: string, to: string];
    value: EdgeRow;
    indexes: { byTarget: [user: string, to: string] };
  };
  supports: {
    key: [user: string, of: string, entry: string];
    value: SupportedRow;
    indexes: { byEntry: [user: string, entry: string] };
  };
}

export type StoreName = StoreNames<KeepsakeSchema>;
export type Database = IDBPDatabase<KeepsakeSchema>;
export type ReadTransaction = IDBPTransaction<KeepsakeSchema, StoreName[], "readonly">;
export type UpgradeTransaction = IDBPTransaction<unknown, string[], "versionchange">;
export type WriteTransaction = IDBPTransaction<KeepsakeSchema, StoreName[], "readwrite">;

export const STORE_NAMES: readonly StoreName[] = [
  "users",
  "turns",
  "entries",
  "usage",
  "vectorTail",
  "vectorSegments",
  "journal",
  "meta",
  "derived",
  "nodes",
  "edges",
  "supports",
];

/** What is counted per user; every write reads and puts it, which also puts writes in order. */
export interface UserState {
  readonly revision: number;
  /** Random; absent for who was written to by version 1 alone. */
  readonly epoch?: string;
  readonly turns: number;
  readonly entries: number;
  /** Given to the next turn; never given twice. */
  readonly nextSequence: number;
  readonly spaces: readonly SpaceState[];
  /** Number of the next space; never given twice, so that a range of a space that went can do no harm. */
  readonly nextSpace: number;
}

export const NO_STATE: UserState = { revision: 0, turns: 0, entries: 0, nextSequence: 0, spaces: [], nextSpace: 0 };

/** A vector space and how far it is filled. */
export interface SpaceState {
  /** Stands for the space in keys. */
  readonly number: number;
  readonly id: string;
  readonly dimension: number;
  /** Sequence number of the next row, which only grows: a row lies in segment floor(sequence / 256). */
  readonly next: number;
  /** Rows that are not holes. */
  readonly rows: number;
}

export interface TurnRow {
  readonly user: string;
  readonly turn: Turn;
  /** Of `turn`. */
  readonly checksum: number;
}

export interface EntryBlock {
  /** Its key: no entry of it has a smaller id. "" for the first. */
  readonly first: string;
  /** By id, ascending; never empty. */
  readonly rows: readonly EntryRow[];
}

export interface EntryRow {
  /** The entry's, once more: what is damaged still has its place. */
  readonly id: EntryId;
  readonly entry: Entry;
  /** Where its vectors are, at most one range for each space. */
  readonly ranges: readonly RangeRow[];
  /** Of `[entry, ranges]`. */
  readonly checksum: number;
}

export interface TailRow {
  readonly sequence: number;
  readonly entryId: EntryId;
  readonly row: Float32Array;
  /** CRC-32 of `row`; absent in rows of version 1, until they are sealed. */
  readonly crc?: number;
}

export interface SegmentRow {
  readonly segment: number;
  /** Entry of each of the 256 rows, "" for a hole. */
  readonly entryIds: readonly (EntryId | "")[];
  /** Flat, 256 × dimension; zero in holes. */
  readonly rows: Float32Array;
  /** CRC-32 of `rows`. */
  readonly crc: number;
}

/** Rows `first` to `first + count - 1` of a space, by sequence number. */
export interface RangeRow {
  readonly space: number;
  readonly first: number;
  readonly count: number;
}

export interface MetaRow {
  readonly value: unknown;
}

export interface NodeRow {
  readonly user: string;
  readonly node: StoredNode;
  /** For the index: an array of keys. */
  readonly terms: readonly (readonly [user: string, term: string])[];
  /** Its id, where it is general and this user's own word; absent otherwise, and then it is not in that index. */
  readonly shared?: string;
}

export interface EdgeRow {
  readonly user: string;
  readonly edge: StoredEdge;
}

export interface SupportedRow {
  readonly user: string;
  readonly support: SupportRow;
}

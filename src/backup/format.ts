/** The format of a backup, version 1.
 *
 * A backup is a gzip file (RFC 1952) of several members, the frames; without a password `gunzip -c` prints its rows as JSON lines.
 * Each frame is
 *
 * ```
 * 1f 8b | method | 04 | 00 00 00 00 | 00 ff        method 08: deflate; 80: encrypted, and then no gzip program reads it
 * 10 00 | 4b 53 | 0c 00 | size u32 | index u32 | crc u32      the extra field "KS"; numbers are little-endian
 * body
 * crc32 u32 | length u32                            of the plain text of the frame (of the body, where it is encrypted)
 * ```
 *
 * `size` is of the whole frame, `index` counts frames from 0, `crc` is the CRC-32 of the body. The plain text is UTF-8, one JSON
 * object a line. Frame 0, never encrypted, is the header `{"keepsake":"backup","version":1,"encryption"?:…}`. Then come rows, in
 * frames of some 128 KB: `{"memory":{name,userId,entries,turns,writtenAt,nodes,edges}}` first, `{"turn":…}` and
 * `{"entry":…,"usage"?:…}` as the types Turn and Entry have them, `{"meta":key,"value":…}` with values as values.ts writes them
 * (marks of what was forgotten: "forgotten:…"; entries that wait for consolidation: "evicted", "evicted:…"; what was learned of
 * which turns are needed: "scorer"; other keys are left out by who reads), `{"removed":{"entries":[ids],"turns":[ids]}}` for
 * what went while the backup was written, and the graph: `{"node":…,"idle":n,"support":[{entryId,weight}]}`, then
 * `{"edge":…,"support":[…]}`, as the types StoredNode and StoredEdge have them; `idle` counts the batches of consolidation since
 * something supported the node, and `support` is what this user's entries give to it. A line bears one of these keys;
 * one without any is of a later version and left out by who reads, as the graph is by readers that do not know it. Without `nodes` in the first row it holds no graph. A row that comes again replaces the one before, except that what
 * supports a node or an edge adds up. The last frame is
 * `{"end":{"frames":n,"bytes":b,"crc":c}}`: how many frames come before it, their length, and
 * the CRC-32 of all of their bytes.
 *
 * Encryption: PBKDF2 with HMAC-SHA-256 over the password (UTF-8, Unicode NFC) and a random salt of 16 bytes gives 64 bytes; the
 * first 32 are the AES-256-GCM key, and the first 8 bytes of the SHA-256 of the others are `check`, which tells a wrong password.
 * The body of frame i ≥ 1 is the ciphertext with its tag of the deflated plain text; its nonce are the 8 random bytes of the
 * header and i as u32 big-endian, its additional data the bytes of frame 0, i as u32 big-endian, and 1 for the last frame, else
 * 0. So frames cannot be left out, moved, repeated or taken from another backup. What is not hidden: the sizes.
 *
 * Vectors are not in it: they are made again from the texts. Without a password a backup is as readable as the memory itself. */

import type { StoredEdge, StoredNode, SupportRow } from "../ports.js";
import type { Entry, EntryId, Turn, TurnId, Usage } from "../types.js";

export const VERSION = 1;

/** PBKDF2 iterations of what is written; OWASP's least for HMAC-SHA-256 in 2023. */
export const ITERATIONS = 600_000;

export interface BackupEncryption {
  readonly kdf: "PBKDF2-SHA-256";
  readonly iterations: number;
  /** Base64, as the others. */
  readonly salt: string;
  readonly cipher: "AES-256-GCM";
  readonly nonce: string;
  readonly check: string;
}

export interface BackupHeader {
  readonly keepsake: "backup";
  readonly version: number;
  readonly encryption?: BackupEncryption;
}

export interface BackupEnd {
  readonly frames: number;
  readonly bytes: number;
  readonly crc: number;
}

export interface BackupMemory {
  readonly name: string;
  readonly userId: string;
  readonly entries: number;
  readonly turns: number;
  readonly writtenAt: number;
  /** Absent in a backup that holds no graph. */
  readonly nodes?: number;
  readonly edges?: number;
}

/** What an entry gives to a node or an edge. */
export type BackupSupport = Omit<SupportRow, "of">;

export interface BackupNode {
  readonly node: Omit<StoredNode, "cycle">;
  /** Batches of consolidation since something supported it last: each memory counts its own. */
  readonly idle: number;
  readonly support: readonly BackupSupport[];
}

export interface BackupEdge {
  readonly edge: StoredEdge;
  readonly support: readonly BackupSupport[];
}

export interface BackupRemoved {
  readonly entries: readonly EntryId[];
  readonly turns: readonly TurnId[];
}

export type BackupRow =
  | { readonly memory: BackupMemory }
  | { readonly turn: Turn }
  | { readonly entry: Entry; readonly usage?: Usage }
  | BackupNode
  | BackupEdge
  | { readonly meta: string; readonly value: unknown }
  | { readonly removed: BackupRemoved };

/** Where a backup is damaged, and how. */
export interface BackupDamage {
  /** Of the first frame that cannot be used. */
  readonly frame: number;
  /** Where that begins. */
  readonly byte: number;
  readonly reason: string;
}

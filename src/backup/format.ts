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
 * frames of some 128 KB: `{"memory":{name,userId,entries,turns,writtenAt}}` first, `{"turn":…}` and
 * `{"entry":…,"usage"?:…}` as the types Turn and Entry have them, `{"meta":key,"value":…}` with values as values.ts writes them
 * (marks of what was forgotten: "forgotten:…"; entries that wait for consolidation: "evicted", "evicted:…"; what was learned of
 * which turns are needed: "scorer"; other keys are left out by who reads), and `{"removed":{"entries":[ids],"turns":[ids]}}` for
 * what went while the backup was written. A row that comes again replaces the one before. The last frame is
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

export type BackupRow =
  | {
      readonly memory: {
        readonly name: string;
        readonly userId: string;
        readonly entries: number;
        readonly turns: number;
        readonly writtenAt: number;
      };
    }
  | { readonly turn: Turn }
  | { readonly entry: Entry; readonly usage?: Usage }
  | { readonly meta: string; readonly value: unknown }
  | { readonly removed: { readonly entries: readonly EntryId[]; readonly turns: readonly TurnId[] } };

/** Where a backup is damaged, and how. */
export interface BackupDamage {
  /** Of the first frame that cannot be used. */
  readonly frame: number;
  /** Where that begins. */
  readonly byte: number;
  readonly reason: string;
}

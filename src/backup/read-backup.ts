/** The bytes of a backup to its rows, checked frame by frame. */

import { crc32 } from "../bytes/crc32.js";
import { MemoryError } from "../errors.js";
import { ByteReader, type ByteSource } from "./byte-reader.js";
import { inflate } from "./deflate.js";
import { type FrameCipher, isEncryption, knownEncryption } from "./encryption.js";
import { type BackupDamage, type BackupEnd, type BackupHeader, type BackupRow, VERSION } from "./format.js";
import { type FrameHead, HEAD_BYTES, readHead, readTail, TAIL_BYTES } from "./frames.js";
import { rowsOf } from "./rows.js";

/** Plain text of a frame that is written in one: a row of a text as long as a person can say, and more. */
const MAX_PLAIN_BYTES = 512 * 2 ** 20;

export type BackupPiece =
  /** Of one frame. `bytes`: how far the backup has been read. */
  { readonly rows: readonly BackupRow[]; readonly bytes: number } | { readonly damage: BackupDamage };

/** Yields the rows of each frame, and where the backup is damaged that instead, as the last. A backup without damage was read to its
 * end, and is whole.
 * @throws MemoryError "wrong-password" | "unsupported"; what the source throws */
export async function* readBackup(
  source: ByteSource,
  { password }: { readonly password?: string | undefined } = {},
): AsyncGenerator<BackupPiece, void> {
  const reader = new FrameReader(source);
  try {
    const first = await reader.next();
    const lines = typeof first === "string" ? first : linesOf(first.plain);
    const header = typeof lines === "string" ? lines : headerOf(lines);
    if (typeof first === "string" || typeof header === "string")
      return yield reader.damage(typeof header === "string" ? header : String(first));
    if (header.version > VERSION)
      throw new MemoryError(
        "unsupported",
        `the backup is of version ${header.version}, this build reads up to ${VERSION}: update the package`,
      );
    if (header.encryption) reader.cipher = (await knownEncryption(header.encryption, password)).bindTo(first.frame);
    for (;;) {
      const before = reader.end;
      const frame = await reader.next();
      const text = typeof frame === "string" ? frame : linesOf(frame.plain);
      if (typeof text === "string") return yield reader.damage(text);
      const end = endOf(text);
      if (reader.isMisplaced(end !== undefined)) return yield reader.damage("its last frame is not where it should be");
      if (end) {
        const reason = await reader.closing(end, before);
        if (reason !== undefined) yield reader.damage(reason);
        return;
      }
      const rows = rowsOf(text);
      if (typeof rows === "string") return yield reader.damage(rows);
      yield { rows, bytes: reader.end.bytes };
    }
  } finally {
    await reader.close();
  }
}

interface Frame {
  readonly frame: Uint8Array;
  readonly plain: Uint8Array;
}

class FrameReader {
  cipher: FrameCipher | undefined;
  readonly #reader: ByteReader;
  #frames = 0;
  #bytes = 0;
  #crc = 0;
  #isLast = false;
  /** Where the frame that was read last begins. */
  #start = { frame: 0, byte: 0 };

  constructor(source: ByteSource) {
    this.#reader = new ByteReader(source);
  }

  /** What was read and found whole. */
  get end(): BackupEnd {
    return { frames: this.#frames, bytes: this.#bytes, crc: this.#crc };
  }

  /** Whether an encrypted frame is the last by its seal and not by what it says, or the other way round. */
  isMisplaced(isEnd: boolean): boolean {
    return this.cipher !== undefined && this.#isLast !== isEnd;
  }

  damage(reason: string): BackupPiece {
    return { damage: { ...this.#start, reason } };
  }

  /** @returns the next frame, or why there is none */
  async next(): Promise<Frame | string> {
    this.#start = { frame: this.#frames, byte: this.#bytes };
    const headBytes = await this.#reader.read(HEAD_BYTES);
    if (headBytes.length === 0) return "it ends before its last frame";
    if (headBytes.length < HEAD_BYTES) return "it ends inside a frame";
    const head = readHead(headBytes, this.#frames);
    if (typeof head === "string") return head;
    if (head.isEncrypted !== (this.cipher !== undefined))
      return head.isEncrypted ? "an encrypted frame stands among plain ones" : "a plain frame stands among encrypted ones";
    const rest = await this.#reader.read(head.size - HEAD_BYTES);
    if (rest.length < head.size - HEAD_BYTES) return "it ends inside a frame";
    const frame = new Uint8Array(head.size);
    frame.set(headBytes);
    frame.set(rest, HEAD_BYTES);
    const plain = await this.#open(frame, head);
    if (typeof plain === "string") return plain;
    this.#frames++;
    this.#bytes += frame.length;
    this.#crc = crc32(frame, this.#crc);
    return { frame, plain };
  }

  /** @returns why the backup does not end as its last frame says */
  async closing(told: BackupEnd, found: BackupEnd): Promise<string | undefined> {
    if (told.frames !== found.frames || told.bytes !== found.bytes || told.crc !== found.crc)
      return "its last frame tells of other frames than came before it";
    this.#start = { frame: this.#frames, byte: this.#bytes };
    return (await this.#reader.read(1)).length > 0 ? "it goes on after its last frame" : undefined;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  async #open(frame: Uint8Array, head: FrameHead): Promise<Uint8Array | string> {
    const body = frame.subarray(HEAD_BYTES, frame.length - TAIL_BYTES);
    if (crc32(body) !== head.crc) return "the checksum of its frame does not agree";
    const tail = readTail(frame);
    if (!this.cipher) {
      if (tail.length > MAX_PLAIN_BYTES) return `a frame tells of ${tail.length} bytes of text`;
      const plain = await inflate(body, tail.length).catch((error: unknown) => notDeflated(error));
      return plain && plain.length === tail.length && crc32(plain) === tail.crc ? plain : "the text of its frame does not agree";
    }
    if (tail.length !== body.length || tail.crc !== head.crc) return "the checksum of its frame does not agree";
    const deflated = await this.#decrypted(body);
    if (!deflated) return "its frame was altered, or is of another place or backup";
    const plain = await inflate(deflated, MAX_PLAIN_BYTES).catch((error: unknown) => notDeflated(error));
    return plain ?? "the text of its frame does not agree";
  }

  async #decrypted(body: Uint8Array): Promise<Uint8Array | undefined> {
    // Only the last frame says that it is the last, and which one that is the file does not tell.
    for (const isLast of [false, true]) {
      const plain = await this.cipher?.decrypt(body, this.#frames, isLast).catch(() => undefined);
      if (!plain) continue;
      this.#isLast = isLast;
      return plain;
    }
    return undefined;
  }
}

/** Data that is no deflated text is damage; a platform without streams is not. */
function notDeflated(error: unknown): undefined {
  if (error instanceof MemoryError) throw error;
  return undefined;
}

function linesOf(plain: Uint8Array): readonly unknown[] | string {
  try {
    const lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plain).split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
  } catch {
    return "a line of it is no JSON";
  }
}

function headerOf(lines: readonly unknown[]): BackupHeader | string {
  const header = lines[0] as Partial<BackupHeader> | undefined;
  const isHeader = lines.length === 1 && header?.keepsake === "backup" && typeof header.version === "number";
  if (!isHeader) return "its first frame is no header";
  const isReadable = header.encryption === undefined || header.version > VERSION || isEncryption(header.encryption);
  return isReadable ? (header as BackupHeader) : "its first frame tells of no encryption that there is";
}

function endOf(lines: readonly unknown[]): BackupEnd | undefined {
  const [line] = lines as readonly { readonly end?: BackupEnd }[];
  return lines.length === 1 && typeof line?.end === "object" && line.end !== null ? line.end : undefined;
}

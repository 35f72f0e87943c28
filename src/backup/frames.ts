/** Frames as bytes: their head and tail. See format.ts. */

import { crc32 } from "../bytes/crc32.js";

export const HEAD_BYTES = 28;
export const TAIL_BYTES = 8;
/** A frame beyond this is none of ours: one row at most is larger than the usual 128 KB, and a row is a text that a person said. */
const MAX_FRAME_BYTES = 256 * 2 ** 20;

const DEFLATED = 8;
const ENCRYPTED = 0x80;
const SIZE_AT = 16;
const INDEX_AT = 20;
const CRC_AT = 24;

export interface FrameHead {
  readonly size: number;
  readonly index: number;
  /** CRC-32 of the body. */
  readonly crc: number;
  readonly isEncrypted: boolean;
}

export interface FrameTail {
  readonly crc: number;
  readonly length: number;
}

/** @param tail of the plain text, or of an encrypted body */
export function frameOf(index: number, body: Uint8Array, tail: FrameTail, isEncrypted: boolean): Uint8Array<ArrayBuffer> {
  const size = HEAD_BYTES + body.length + TAIL_BYTES;
  const frame = new Uint8Array(size);
  frame.set(headBytes({ size, index, crc: crc32(body), isEncrypted }));
  frame.set(body, HEAD_BYTES);
  const view = new DataView(frame.buffer);
  view.setUint32(size - TAIL_BYTES, tail.crc, true);
  view.setUint32(size - 4, tail.length, true);
  return frame;
}

/** Reads a head, every byte of which is given by what it says.
 * @returns why it is none of frame `index`, in words */
export function readHead(bytes: Uint8Array, index: number): FrameHead | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head: FrameHead = {
    size: view.getUint32(SIZE_AT, true),
    index: view.getUint32(INDEX_AT, true),
    crc: view.getUint32(CRC_AT, true),
    isEncrypted: bytes[2] === ENCRYPTED,
  };
  const expected = headBytes(head);
  if (!bytes.every((value, at) => value === expected[at])) return "it does not go on as a backup does";
  if (head.index !== index) return `frame ${head.index} stands where frame ${index} should`;
  if (head.size < HEAD_BYTES + TAIL_BYTES || head.size > MAX_FRAME_BYTES) return `it tells of a frame of ${head.size} bytes`;
  return head;
}

export function readTail(frame: Uint8Array): FrameTail {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  return { crc: view.getUint32(frame.length - TAIL_BYTES, true), length: view.getUint32(frame.length - 4, true) };
}

/** Whether a file that begins so is a backup, whatever its version: "KS" in the extra field of a gzip member. Needs 16 bytes. */
export function isBackup(firstBytes: Uint8Array): boolean {
  const start = [0x1f, 0x8b, undefined, 4, 0, 0, 0, 0, undefined, undefined, undefined, undefined, 0x4b, 0x53];
  return firstBytes.length >= 16 && start.every((value, at) => value === undefined || firstBytes[at] === value);
}

function headBytes({ size, index, crc, isEncrypted }: FrameHead): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  head.set([0x1f, 0x8b, isEncrypted ? ENCRYPTED : DEFLATED, 4, 0, 0, 0, 0, 0, 0xff, 16, 0, 0x4b, 0x53, 12, 0]);
  const view = new DataView(head.buffer);
  view.setUint32(SIZE_AT, size, true);
  view.setUint32(INDEX_AT, index, true);
  view.setUint32(CRC_AT, crc, true);
  return head;
}

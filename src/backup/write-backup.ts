/** Rows to the bytes of a backup, a frame at a time. */

import { crc32 } from "../bytes/crc32.js";
import { deflate } from "./deflate.js";
import { type FrameCipher, newEncryption } from "./encryption.js";
import { type BackupHeader, type BackupRow, VERSION } from "./format.js";
import { frameOf } from "./frames.js";
import { toJson } from "./values.js";

/** Characters of a frame's rows. */
const FRAME_CHARACTERS = 128 * 1_024;

/** @param rows in pages; the next is asked for when the bytes of those before have been taken
 * @throws MemoryError "unsupported"; what `rows` throws */
export async function* writeBackup(
  rows: AsyncIterable<readonly BackupRow[]>,
  { password }: { readonly password?: string | undefined } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const encryption = password === undefined ? undefined : await newEncryption(password);
  const header: BackupHeader = {
    keepsake: "backup",
    version: VERSION,
    ...(encryption && { encryption: encryption.described }),
  };
  const writer = new FrameWriter();
  const first = await writer.frame(`${JSON.stringify(header)}\n`, false);
  // A copy: whoever takes the bytes may transfer them.
  writer.cipher = encryption?.bindTo(first.slice());
  yield first;
  let text = "";
  for await (const page of rows) {
    for (const row of page) {
      text += `${lineOf(row)}\n`;
      if (text.length < FRAME_CHARACTERS) continue;
      yield await writer.frame(text, false);
      text = "";
    }
  }
  if (text !== "") yield await writer.frame(text, false);
  yield await writer.frame(`${JSON.stringify({ end: writer.end })}\n`, true);
}

class FrameWriter {
  cipher: FrameCipher | undefined;
  #frames = 0;
  #bytes = 0;
  #crc = 0;

  /** What came before. */
  get end() {
    return { frames: this.#frames, bytes: this.#bytes, crc: this.#crc };
  }

  async frame(text: string, isLast: boolean): Promise<Uint8Array<ArrayBuffer>> {
    const plain = new TextEncoder().encode(text);
    const index = this.#frames;
    const deflated = await deflate(plain);
    const body = this.cipher ? await this.cipher.encrypt(deflated, index, isLast) : deflated;
    const told = this.cipher ? body : plain;
    const frame = frameOf(index, body, { crc: crc32(told), length: told.length }, this.cipher !== undefined);
    this.#frames++;
    this.#bytes += frame.length;
    this.#crc = crc32(frame, this.#crc);
    return frame;
  }
}

function lineOf(row: BackupRow): string {
  return JSON.stringify("meta" in row ? { meta: row.meta, value: toJson(row.value) } : row);
}

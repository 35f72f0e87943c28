/** Leaves at the end of a browser's logs what a kill in the middle of a write leaves there: the beginning of a record. */

import { appendFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Of LevelDB's log format: blocks of this length, and before each record its checksum, its length and its kind. */
const BLOCK_BYTES = 32_768;
const HEAD_BYTES = 7;
const WHOLE = 1;
const RECORD_BYTES = 285;
const WRITTEN_BYTES = 10;

/** @param folder of all databases of a profile; nothing happens where there is none */
export async function tearLogs(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names.filter((one) => one.endsWith(".log"))) {
    const file = join(folder, name);
    const left = BLOCK_BYTES - ((await stat(file)).size % BLOCK_BYTES);
    // A record never reaches over the end of its block.
    if (left < HEAD_BYTES + RECORD_BYTES) continue;
    const head = new DataView(new ArrayBuffer(HEAD_BYTES + WRITTEN_BYTES));
    head.setUint32(0, 0x5eed_5eed, true);
    head.setUint16(4, RECORD_BYTES, true);
    head.setUint8(6, WHOLE);
    await appendFile(file, new Uint8Array(head.buffer));
  }
}

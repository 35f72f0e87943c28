/** Makes a small zip by hand, so that the reader is not tested by a writer of its own kin. */

import { crc32 } from "node:zlib";

/** Files stored as they are, without compression. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const title = new TextEncoder().encode(name);
    const crc = crc32(bytes);
    const local = fields(
      [0x04034b50, 4],
      [20, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0x21, 2],
      [crc, 4],
      [bytes.length, 4],
      [bytes.length, 4],
      [title.length, 2],
      [0, 2],
    );
    directory.push(
      fields(
        [0x02014b50, 4],
        [20, 2],
        [20, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [0x21, 2],
        [crc, 4],
        [bytes.length, 4],
        [bytes.length, 4],
        [title.length, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 4],
        [offset, 4],
      ),
      title,
    );
    parts.push(local, title, bytes);
    offset += local.length + title.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = Object.keys(files).length;
  return joined([
    ...parts,
    ...directory,
    fields([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2]),
  ]);
}

function fields(...values: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of values) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads a zip by range: only its directory and the files that are asked for, each as a stream whose checksum is checked. */

import { MemoryError } from "../errors.js";

export interface ZipFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** @throws what is wrong with it, at the place where it is found; of a wrong checksum after the last byte */
  bytes(): AsyncIterable<Uint8Array>;
}

/** What zip.js asks of a reader of its own making. */
function rangeReader(blob: Blob) {
  return {
    size: blob.size,
    async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    },
    createReadable: ({ offset = 0, size = blob.size }: { readonly offset?: number; readonly size?: number } = {}) =>
      blob.slice(offset, offset + size).stream(),
  };
}

/** The files of a zip, in the order of its directory.
 * @throws MemoryError "unsupported" for what is no zip, or an encrypted one */
export async function* zipFiles(blob: Blob): AsyncGenerator<ZipFile> {
  const { ZipReader } = await import("@zip.js/zip.js/lib/zip-core-reader.js");
  const reader = new ZipReader(rangeReader(blob) as unknown as ConstructorParameters<typeof ZipReader>[0], {
    useWebWorkers: false,
    checkSignature: true,
  });
  try {
    for (const entry of await reader.getEntries()) {
      if (entry.directory) continue;
      const { filename: name, uncompressedSize: sizeBytes, encrypted } = entry;
      if (encrypted) throw new MemoryError("unsupported", `the zip is encrypted; unpack it and import ${name}`);
      yield { name, sizeBytes, bytes: () => streamed((writable, options) => entry.getData(writable, options)) };
    }
  } catch (cause) {
    if (cause instanceof MemoryError) throw cause;
    throw new MemoryError("unsupported", `the zip cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  } finally {
    await reader.close();
  }
}

/** What is written into a stream, as it comes; nothing is unpacked ahead of the reader. */
async function* streamed(
  write: (into: WritableStream<Uint8Array>, options: { readonly signal: AbortSignal }) => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const ended = new AbortController();
  const written = write(writable, { signal: ended.signal });
  written.catch(() => undefined);
  const reader = readable.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    await written;
  } finally {
    ended.abort();
    await reader.cancel().catch(() => undefined);
  }
}

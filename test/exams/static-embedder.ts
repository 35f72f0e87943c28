/** The package's own embedder, read from its file once. */

import { readFile } from "node:fs/promises";
import { openStaticEmbedder, type StaticEmbedder } from "../../src/embed/static.js";

let opened: Promise<StaticEmbedder> | undefined;

export function staticEmbedder(): Promise<StaticEmbedder> {
  opened ??= readFile(new URL("../../workers/embeddings.bin", import.meta.url)).then((bytes) =>
    openStaticEmbedder(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer),
  );
  return opened;
}

/** Opens the embedder that a run asks for. */

import { readFile } from "node:fs/promises";
import { openStaticEmbedder } from "../src/embed/static.js";
import type { Embedder, WordVectors } from "../src/ports.js";

export interface OpenedEmbedder {
  readonly embedder: Embedder;
  readonly wordVectors: WordVectors;
}

const EMBEDDINGS = new URL("../workers/embeddings.bin", import.meta.url);

/** @throws RangeError for an embedder that cannot be had here */
export async function openEmbedder(name: "static" | "minilm"): Promise<OpenedEmbedder> {
  const bytes = await readFile(process.env.KEEPSAKE_EMBEDDINGS ?? EMBEDDINGS).catch((cause: unknown) => {
    throw new RangeError(
      "workers/embeddings.bin is not there; run npm run train:embedder, or name a file in KEEPSAKE_EMBEDDINGS",
      { cause },
    );
  });
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const embedder = openStaticEmbedder(buffer);
  // Soft links compare single words, which the static vectors do whatever embeds the sentences.
  if (name === "static") return { embedder, wordVectors: embedder };
  throw new RangeError("--embedder minilm is not built into the harness yet; use static");
}

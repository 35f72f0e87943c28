/** Opens the embedder that a run asks for. */

import { createHash } from "node:crypto";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { minilmNode } from "../src/embed/minilm-node.js";
import { openStaticEmbedder } from "../src/embed/static.js";
import type { Embedder, WordVectors } from "../src/ports.js";

export interface OpenedEmbedder {
  readonly embedder: Embedder;
  readonly wordVectors: WordVectors;
}

const EMBEDDINGS = new URL("../workers/embeddings.bin", import.meta.url);
const MODELS = fileURLToPath(new URL("../models/", import.meta.url));
const CACHE = join(tmpdir(), "keepsake-eval-vectors");
/** Texts of fewer calls are questions, which are quickly embedded again. */
const CACHED_FROM = 32;

/** Keeps the vectors of large calls on the disk: a sentence model takes minutes for what a second run only reads. */
function cached(inner: Embedder): Embedder {
  return {
    id: inner.id,
    dimension: inner.dimension,
    close: () => inner.close(),
    async embed(texts, options) {
      if (texts.length < CACHED_FROM) return inner.embed(texts, options);
      const key = createHash("sha256").update(`${inner.id}\n`).update(texts.join("\u0000")).digest("hex");
      const file = join(CACHE, `${key}.f32`);
      const bytes = await readFile(file).catch(() => undefined);
      if (bytes?.byteLength === texts.length * inner.dimension * 4)
        return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
      const rows = await inner.embed(texts, options);
      await mkdir(CACHE, { recursive: true });
      await writeFile(file, new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
      return rows;
    },
  };
}

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
  await access(join(MODELS, "Xenova/all-MiniLM-L6-v2/config.json")).catch((cause: unknown) => {
    throw new RangeError("the weights of MiniLM are not in models/; run npm run models", { cause });
  });
  return { embedder: cached(await minilmNode({ modelBase: MODELS }).open()), wordVectors: embedder };
}

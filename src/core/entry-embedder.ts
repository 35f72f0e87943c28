/** Vectors of entries: the whole text's, then its sentences'. */

import type { Embedder, EntryVectors, VectorSpace } from "../ports.js";
import { embeddingTexts } from "../retrieve/entry-index.js";
import type { Entry } from "../types.js";
import type { EmbedderIdentity } from "./embedder-identity.js";
import { pause } from "./pause.js";

/** Texts a call to the embedder: large enough for a model's batches, small enough that progress shows and a cancel is heard. */
const TEXTS_PER_CALL = 256;

export class EntryEmbedder {
  readonly embedder: Embedder;
  /** Under which its vectors are kept. */
  readonly space: VectorSpace;
  #introduction: EmbedderIdentity["introduction"];

  constructor(embedder: Embedder, { space, introduction }: EmbedderIdentity = { space: spaceOf(embedder) }) {
    this.embedder = embedder;
    this.space = space;
    this.#introduction = introduction;
  }

  /** Meta rows that the next write of vectors has to bring; {@link introduced} when it has. */
  get introduction(): EmbedderIdentity["introduction"] {
    return this.#introduction;
  }

  introduced(): void {
    this.#introduction = undefined;
  }

  /** @param onProgress entries done */
  async embed(
    entries: readonly Pick<Entry, "id" | "indexText" | "sources">[],
    signal?: AbortSignal,
    onProgress?: (done: number) => void,
  ): Promise<EntryVectors[]> {
    const { dimension } = this.embedder;
    const done: EntryVectors[] = [];
    for (let from = 0; from < entries.length; ) {
      const texts: string[] = [];
      const counts: number[] = [];
      for (; from < entries.length && texts.length < TEXTS_PER_CALL; from++) {
        const own = embeddingTexts(entries[from] as Entry);
        texts.push(...own);
        counts.push(own.length);
      }
      const rows = await this.embedder.embed(texts, { signal });
      signal?.throwIfAborted();
      let row = 0;
      for (const count of counts) {
        const { id } = entries[done.length] as Entry;
        done.push({ entryId: id, rows: rows.slice(row * dimension, (row + count) * dimension) });
        row += count;
      }
      onProgress?.(done.length);
      // Lets a recall in between two batches: bulk work must not hold up a question.
      if (from < entries.length) await pause();
    }
    return done;
  }
}

export function spaceOf({ id, dimension }: Embedder): VectorSpace {
  return { id, dimension };
}

/** A benchmark history as indexes alone: one entry a turn, no store, no writer. */

import type { Embedder, WordVectors } from "../src/ports.js";
import type { Indexes } from "../src/retrieve/coarse.js";
import { embeddingTexts, indexEntry, lexicalDocument } from "../src/retrieve/entry-index.js";
import { EntryTable } from "../src/retrieve/entry-table.js";
import { Bm25Index } from "../src/retrieve/lexical.js";
import { SoftLinks } from "../src/retrieve/soft-links.js";
import { termsOf } from "../src/text/terms.js";
import { FlatIndex } from "../src/vector/flat.js";
import type { Kernel } from "../src/vector/kernel.js";
import type { DatasetMemory } from "./data/dataset.js";
import { turnEntry } from "./turn-entries.js";

export interface TurnMemoryParts {
  readonly embedder: Embedder;
  readonly wordVectors?: WordVectors;
  readonly kernel?: Kernel;
}

export interface TurnMemory extends Indexes {
  /** BM25 over text and speaker alone, for the method of that name. */
  readonly plainLexical: Bm25Index;
  close(): void;
}

export async function buildTurnMemory(memory: DatasetMemory, parts: TurnMemoryParts): Promise<TurnMemory> {
  const { dimension } = parts.embedder;
  const flat = (size: number): FlatIndex => new FlatIndex({ dimension: size, kernel: parts.kernel });
  const softLinks = parts.wordVectors ? new SoftLinks(parts.wordVectors, flat(parts.wordVectors.dimension)) : undefined;
  const indexes: Indexes = {
    table: new EntryTable(),
    lexical: new Bm25Index(),
    vector: flat(dimension),
    ...(softLinks ? { softLinks } : {}),
  };
  const plainLexical = new Bm25Index({ previousWeight: 0, nextWeight: 0 });
  const entries = memory.turns.map((_, index) => turnEntry(memory.turns, index));
  const texts = entries.map(embeddingTexts);
  const rows = await parts.embedder.embed(texts.flat());
  let from = 0;
  entries.forEach((entry, index) => {
    const to = from + (texts[index]?.length ?? 0) * dimension;
    const slot = indexEntry(indexes, entry, rows.slice(from, to));
    plainLexical.add(slot, lexicalDocument(entry, termsOf(entry.indexText)));
    from = to;
  });
  // Otherwise the first question would pay for the vectors of all words.
  softLinks?.prepare();
  return { ...indexes, plainLexical, close: () => indexes.vector.close() };
}

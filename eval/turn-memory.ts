/** Benchmark histories as indexes alone: one entry a turn, no store, no writer. */

import type { Embedder, LexicalDocument, WordVectors } from "../src/ports.js";
import type { Indexes } from "../src/retrieve/coarse.js";
import { embeddingTexts, lexicalDocument } from "../src/retrieve/entry-index.js";
import { EntryTable } from "../src/retrieve/entry-table.js";
import { Bm25Index } from "../src/retrieve/lexical.js";
import { SoftLinks } from "../src/retrieve/soft-links.js";
import { analyseTerms } from "../src/text/terms.js";
import type { Entry, EntryId } from "../src/types.js";
import { FlatIndex } from "../src/vector/flat.js";
import type { Kernel } from "../src/vector/kernel.js";
import type { DatasetMemory, DatasetTurn } from "./data/dataset.js";
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

/** A turn with all that its indexing needs, so that several memories can hold it. */
export interface PreparedTurn {
  readonly entry: Entry;
  /** Flat, as `embeddingTexts` orders them. */
  readonly rows: Float32Array;
  readonly document: LexicalDocument;
  readonly words: readonly string[];
}

/** Texts embedded at a time. */
const BATCH = 2_048;

/** @param prefix before the ids of entries and sources, where several histories share a memory */
export async function prepareTurns(turns: readonly DatasetTurn[], embedder: Embedder, prefix = ""): Promise<PreparedTurn[]> {
  const entries = turns.map((_, index): Entry => {
    const entry = turnEntry(turns, index);
    if (prefix === "") return entry;
    const sources = entry.sources.map((source) => ({ ...source, turnId: `${prefix}${source.turnId}` as typeof source.turnId }));
    return { ...entry, id: `${prefix}${entry.id}` as EntryId, sources };
  });
  return prepareEntries(entries, embedder);
}

export async function prepareEntries(entries: readonly Entry[], embedder: Embedder): Promise<PreparedTurn[]> {
  const { dimension } = embedder;
  const texts = entries.map(embeddingTexts);
  const flat = texts.flat();
  const rows = new Float32Array(flat.length * dimension);
  for (let from = 0; from < flat.length; from += BATCH)
    rows.set(await embedder.embed(flat.slice(from, from + BATCH)), from * dimension);
  let from = 0;
  return entries.map((entry, index) => {
    const to = from + (texts[index]?.length ?? 0) * dimension;
    const { terms, words } = analyseTerms(entry.indexText);
    const prepared = { entry, rows: rows.slice(from, to), document: lexicalDocument(entry, terms), words };
    from = to;
    return prepared;
  });
}

export function joinTurns(turns: Iterable<PreparedTurn>, parts: TurnMemoryParts): TurnMemory {
  const { dimension } = parts.embedder;
  const flat = (size: number): FlatIndex => new FlatIndex({ dimension: size, kernel: parts.kernel });
  const wordIndex = parts.wordVectors && flat(parts.wordVectors.dimension);
  const softLinks = parts.wordVectors ? new SoftLinks(parts.wordVectors, wordIndex) : undefined;
  const vector = flat(dimension);
  const indexes: Indexes = {
    table: new EntryTable(),
    lexical: new Bm25Index(),
    vector,
    ...(softLinks ? { softLinks } : {}),
  };
  const plainLexical = new Bm25Index({ previousWeight: 0, nextWeight: 0 });
  for (const { entry, rows, document, words } of turns) {
    const slot = indexes.table.put(entry);
    if (rows.some((value) => value !== 0)) vector.add(slot, rows);
    indexes.lexical.add(slot, document);
    softLinks?.add(slot, words);
    plainLexical.add(slot, document);
  }
  // Otherwise the first question would pay for the vectors of all words.
  softLinks?.prepare();
  return {
    ...indexes,
    plainLexical,
    close() {
      vector.close();
      wordIndex?.close();
    },
  };
}

export async function buildTurnMemory(memory: DatasetMemory, parts: TurnMemoryParts): Promise<TurnMemory> {
  return joinTurns(await prepareTurns(memory.turns, parts.embedder), parts);
}

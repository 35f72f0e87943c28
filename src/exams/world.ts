/** A small memory of the exam's own: the talk of two people, in which a question is looked up as in any other memory. */

import type { CallOptions, Clock, Embedder, Selector, VectorIndex, WordVectors } from "../ports.js";
import type { Indexes } from "../retrieve/coarse.js";
import { LiteController } from "../retrieve/controller.js";
import { embeddingTexts, lexicalDocument } from "../retrieve/entry-index.js";
import { EntryTable } from "../retrieve/entry-table.js";
import { Bm25Index } from "../retrieve/lexical.js";
import { recall } from "../retrieve/recall.js";
import { LiteSelector } from "../retrieve/selector.js";
import { selectorWeightsFor } from "../retrieve/selector-weights.js";
import { SoftLinks } from "../retrieve/soft-links.js";
import { analyseTerms } from "../text/terms.js";
import type { ConversationId, Entry, EntryId, Timestamp, TurnId } from "../types.js";

export interface Said {
  readonly by: string;
  readonly text: string;
}

export interface WorldParts {
  readonly embedder: Embedder;
  readonly wordVectors: WordVectors;
  readonly createVectorIndex: (dimension: number) => VectorIndex;
  /** Fine milliseconds. */
  readonly stopwatch: Clock;
}

/** When the talk begins; a day a session. */
const BEGINS = Date.UTC(2026, 0, 5, 18);
const DAY = 86_400_000;
const PER_SESSION = 12;
/** As many as a model sees at most. */
const K = 10;

export class World {
  readonly lite: LiteSelector;
  readonly #indexes: Indexes & { readonly vector: VectorIndex };
  readonly #parts: WorldParts;
  readonly #now: Timestamp;

  private constructor(indexes: Indexes & { readonly vector: VectorIndex }, parts: WorldParts, now: Timestamp) {
    this.#indexes = indexes;
    this.#parts = parts;
    this.#now = now;
    this.lite = new LiteSelector({ weights: selectorWeightsFor(parts.embedder.dimension) });
  }

  static async of(talk: readonly Said[], parts: WorldParts, { signal }: CallOptions): Promise<World> {
    const { embedder, wordVectors, createVectorIndex } = parts;
    const softLinks = new SoftLinks(wordVectors);
    const vector = createVectorIndex(embedder.dimension);
    const indexes = { table: new EntryTable(), lexical: new Bm25Index(), vector, softLinks };
    const entries = talk.map((said, at) => entryOf(talk, said, at));
    const texts = entries.map(embeddingTexts);
    const rows = await embedder.embed(texts.flat(), { signal });
    let from = 0;
    for (const [at, entry] of entries.entries()) {
      const to = from + (texts[at]?.length ?? 0) * embedder.dimension;
      const { terms, words } = analyseTerms(entry.indexText);
      const slot = indexes.table.put(entry);
      if (rows.subarray(from, to).some((value) => value !== 0)) vector.add(slot, rows.slice(from, to));
      indexes.lexical.add(slot, lexicalDocument(entry, terms));
      softLinks.add(slot, words);
      from = to;
    }
    return new World(indexes, parts, BEGINS + DAY * Math.ceil(talk.length / PER_SESSION));
  }

  /** What is found, best first, as texts. */
  async ask(text: string, selector: Selector | undefined, { signal }: CallOptions): Promise<readonly string[]> {
    const { embedder, stopwatch } = this.#parts;
    const found = await recall(
      { text, now: this.#now, timeZone: "UTC" },
      {
        ...this.#indexes,
        embedder,
        clock: stopwatch,
        lite: { controller: new LiteController(), selector: this.lite },
        ...(selector && { selector }),
      },
      { k: K, contextTokens: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY, trace: false, signal },
    );
    if (selector && found.trace.roles.selector === "lite") throw new Error(found.trace.fallbacks[0]?.reason ?? "no answer");
    return found.items.map((item) => item.text);
  }

  close(): void {
    this.#indexes.vector.close();
  }
}

function entryOf(talk: readonly Said[], { by, text }: Said, at: number): Entry {
  const session = Math.floor(at / PER_SESSION);
  const saidAt = BEGINS + session * DAY + (at % PER_SESSION) * 60_000;
  const near = (other: number) => (Math.floor(other / PER_SESSION) === session ? talk[other]?.text : undefined);
  const [previous, next] = [near(at - 1), near(at + 1)];
  return {
    id: String(at).padStart(6, "0") as EntryId,
    conversationId: "exam" as ConversationId,
    revision: 1,
    subject: by,
    text,
    indexText: text,
    kind: "fact",
    tags: [],
    saidAt,
    createdAt: saidAt,
    validFrom: saidAt,
    sources: [{ turnId: `exam-${at}` as TurnId, role: "user", speaker: by, quote: text }],
    identifiers: [],
    salience: 0.5,
    evidence: 1,
    sessionId: `exam-${session}`,
    ...((previous !== undefined || next !== undefined) && {
      context: { ...(previous !== undefined && { previous }), ...(next !== undefined && { next }) },
    }),
  };
}

/** What the records of a run came to, and what their entries hold, over all memories of it. */

import type { Memory, StoredEntry, Written } from "keepsake/node";
import type { Embedder } from "../../src/ports.js";
import { splitSentences } from "../../src/text/sentences.js";
import type { DatasetMemory } from "../data/dataset.js";
import { duplicatesAmong } from "./duplicates.js";
import { inventedIn, misquoted } from "./facts.js";

export class Tally {
  turns = 0;
  entries = 0;
  statements = 0;
  fallbacks = 0;
  grounded = 0;
  duplicates = 0;
  marks = 0;
  /** Marks that are not between two values that a question asks for. */
  wrongMarks = 0;
  /** Entries that a rule's guess took out of view. */
  hidden = 0;
  readonly keptEvidence: number[] = [];
  sentences = 0;
  storedSentences = 0;

  wrote({ stored, merged, fallbacks }: Written): void {
    this.statements += stored.length + merged.length;
    this.fallbacks += fallbacks.length;
  }

  /** Looks at a memory that a history was recorded into.
   * @returns its entries */
  async look(memory: Memory, data: DatasetMemory, embedder: Embedder): Promise<StoredEntry[]> {
    const entries: StoredEntry[] = [];
    for await (const entry of memory.entries()) entries.push(entry);
    const turns = new Map(data.turns.map((turn) => [turn.id, turn]));
    const evidence = new Set(data.questions.filter(({ adversarial }) => !adversarial).flatMap((question) => question.evidence));
    this.turns += data.turns.length;
    this.entries += entries.length;
    this.grounded += entries.filter(
      (entry) =>
        inventedIn(entry, (id) => turns.get(id)?.at).length === 0 &&
        misquoted(entry.sources, (id) => turns.get(id)?.text).length === 0,
    ).length;
    this.duplicates += (await duplicatesAmong(entries, embedder)).length;
    for (const entry of entries) this.#mark(entry, entries, evidence);
    this.#gate(data, entries, evidence);
    return entries;
  }

  #mark({ maybeUntil, validTo, sources }: StoredEntry, entries: readonly StoredEntry[], evidence: ReadonlySet<string>): void {
    if (!maybeUntil) return;
    this.marks++;
    if (validTo !== undefined) this.hidden++;
    const newer = entries.find(({ id }) => id === maybeUntil.by);
    const isEvidence = (one: Pick<StoredEntry, "sources"> | undefined): boolean =>
      one?.sources.some(({ turnId }) => evidence.has(turnId)) === true;
    if (!isEvidence({ sources }) || !isEvidence(newer)) this.wrongMarks++;
  }

  /** What of a person's sentences and evidence turns is stored. */
  #gate({ turns }: DatasetMemory, entries: readonly StoredEntry[], evidence: ReadonlySet<string>): void {
    const quotes = new Map<string, string[]>();
    for (const { sources } of entries)
      for (const { turnId, quote } of sources) quotes.set(turnId, [...(quotes.get(turnId) ?? []), quote]);
    for (const { id, role, text } of turns) {
      if (role !== "user") continue;
      const own = quotes.get(id) ?? [];
      const sentences = splitSentences(text);
      this.sentences += sentences.length;
      this.storedSentences += sentences.filter((sentence) => own.some((quote) => quote.includes(sentence))).length;
      if (evidence.has(id)) this.keptEvidence.push(own.length > 0 ? 1 : 0);
    }
  }
}

/** Finds the entries that may speak of what a new one speaks of, at a cost that does not grow with the store. */

import type { Store } from "../ports.js";
import { embeddedSentences } from "../retrieve/entry-index.js";
import { termsOf } from "../text/terms.js";
import type { Entry, EntryId } from "../types.js";
import type { SaidSentence } from "../write/same.js";
import { placedSentences } from "../write/sentences.js";
import type { MemoryIndex } from "./memory-index.js";

export type NewEntry = Omit<Entry, "revision">;

/** A term in more entries than this tells nothing of a text, and would cost time. */
const MAX_FREQUENCY = 200;
/** Terms of a long text that are looked up, the first. */
const MAX_TERMS = 120;
/** Entries compared sentence by sentence. */
const MAX_RELATIVES = 12;
/** Of an entry, so many sentences; those that are embedded. An entry with more is no repetition of another. */
export const MAX_UNITS = 12;

/** What an entry shows, sentence by sentence. */
export interface Unit extends SaidSentence {
  readonly terms: readonly string[];
}

export interface Relative {
  readonly id: EntryId;
  readonly units: readonly Unit[];
}

/** An entry of this record that is not in the indexes yet. */
interface Pending {
  readonly entry: NewEntry;
  readonly units: readonly Unit[];
}

export class Relatives {
  readonly #index: MemoryIndex;
  readonly #store: Store;
  readonly #pending = new Map<EntryId, Pending>();
  readonly #byTerm = new Map<string, EntryId[]>();

  /** @param index as it is now: for the length of one decision */
  constructor(index: MemoryIndex, store: Store) {
    this.#index = index;
    this.#store = store;
  }

  /** How rare a term is: ln(1 + N / (n + .5)). */
  readonly idf = (term: string): number =>
    Math.log(1 + (this.#index.lexical.size + this.#pending.size) / (this.#frequency(term) + 0.5));

  /** Sentences of an entry that is not stored yet. */
  unitsOf(entry: NewEntry, rows: Float32Array | undefined): readonly Unit[] {
    const units: Unit[] = [];
    const shown = entry.sources.filter(({ turnId }) => turnId === entry.sources[0]?.turnId).map(({ quote }) => quote);
    const { dimension } = this.#index.space;
    const vectors = new Map<string, Float32Array>();
    const sentences = rows ? embeddedSentences(entry) : [];
    sentences.forEach((sentence, at) => {
      const row = sentences.length > 1 ? at + 1 : 0;
      vectors.set(sentence, (rows as Float32Array).subarray(row * dimension, (row + 1) * dimension));
    });
    for (const quote of shown)
      for (const { text } of placedSentences(quote)) {
        if (units.length >= MAX_UNITS) return units;
        units.push({ text, saidAt: entry.saidAt, terms: termsOf(text), vector: vectors.get(text) });
      }
    return units;
  }

  /** Makes an entry of this record findable for those after it. */
  add(entry: NewEntry, units: readonly Unit[]): void {
    this.#pending.set(entry.id, { entry, units });
    for (const term of new Set(units.flatMap(({ terms }) => terms))) {
      const ids = this.#byTerm.get(term);
      if (!ids) this.#byTerm.set(term, [entry.id]);
      else if (ids.length <= MAX_FREQUENCY) ids.push(entry.id);
    }
  }

  /** Entries that share the rarest words, stored and of this record, with their sentences. */
  async of(units: readonly Unit[]): Promise<Relative[]> {
    const ids = this.#ranked(units);
    const missing: EntryId[] = [];
    const known = new Map<EntryId, Float32Array | undefined>();
    for (const id of ids) {
      if (this.#pending.has(id)) continue;
      const slot = this.#index.table.slotOf(id);
      const rows = slot === undefined ? undefined : this.#index.vector.rowsOf?.(slot);
      known.set(id, rows);
      if (!rows) missing.push(id);
    }
    // An index that cannot give its rows back: the store can.
    if (missing.length > 0 && !this.#index.vector.rowsOf) {
      const stored = await this.#store.vectorsOf(this.#index.space, missing);
      missing.forEach((id, at) => known.set(id, stored[at]));
    }
    return ids.flatMap((id): Relative[] => {
      const pending = this.#pending.get(id);
      if (pending) return [{ id, units: pending.units }];
      const entry = this.#index.entry(id);
      return entry ? [{ id, units: this.unitsOf(entry, known.get(id)) }] : [];
    });
  }

  #ranked(units: readonly Unit[]): EntryId[] {
    const shared = new Map<EntryId, number>();
    const { table, lexical } = this.#index;
    for (const term of [...new Set(units.flatMap(({ terms }) => terms))].slice(0, MAX_TERMS)) {
      const frequency = this.#frequency(term);
      if (frequency === 0 || frequency > MAX_FREQUENCY) continue;
      const weight = this.idf(term);
      const count = (id: EntryId): void => void shared.set(id, (shared.get(id) ?? 0) + weight);
      if (lexical.documentFrequency(term) > 0)
        for (const slot of lexical.postings(term)) {
          const id = table.entry(slot)?.id;
          if (id !== undefined) count(id);
        }
      for (const id of this.#byTerm.get(term) ?? []) count(id);
    }
    return [...shared]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? 1 : -1))
      .slice(0, MAX_RELATIVES)
      .map(([id]) => id);
  }

  #frequency(term: string): number {
    return this.#index.lexical.documentFrequency(term) + (this.#byTerm.get(term)?.length ?? 0);
  }
}

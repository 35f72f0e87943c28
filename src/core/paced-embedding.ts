/** Embeds many entries beside recalls: in calls so short that a question hardly waits, and around what an embedder fails of. */

import { isMemoryError } from "../errors.js";
import { orAborted } from "../or-aborted.js";
import type { Clock, EntryVectors } from "../ports.js";
import type { Entry, EntryId } from "../types.js";
import type { EntryEmbedder } from "./entry-embedder.js";
import { pause } from "./pause.js";

/** Milliseconds of a call to the embedder; entries a call follow from it. */
const CALL_MS = 4;
const MAX_PER_CALL = 32;
/** So often the embedder may fail of an entry while it reads others. */
const MAX_FAILURES = 2;
const PROBE = "The cat sat on the mat.";

export interface PacedEmbeddingParts {
  /** Fine milliseconds. */
  readonly stopwatch: Clock;
  /** Resolves when no recall runs. */
  readonly unread: () => Promise<void>;
  readonly tell: (part: string, error: unknown) => void;
}

export class PacedEmbedding {
  readonly #parts: PacedEmbeddingParts;
  /** How often the embedder failed of an entry though not of others. */
  readonly #failures = new Map<EntryId, number>();
  readonly #refused = new Set<EntryId>();
  #perCall = 4;

  constructor(parts: PacedEmbeddingParts) {
    this.#parts = parts;
  }

  /** Entries that the embedder gives no vectors for. */
  get refused(): ReadonlySet<EntryId> {
    return this.#refused;
  }

  /** For another embedder. */
  startOver(): void {
    this.#failures.clear();
    this.#refused.clear();
    this.#perCall = 4;
  }

  /** @returns vectors of those that have some
   * @throws when it fails of all of them, or is lost; the signal's reason */
  async embed(embedder: EntryEmbedder, entries: readonly Entry[], signal: AbortSignal): Promise<EntryVectors[]> {
    const { stopwatch, unread } = this.#parts;
    const vectors: EntryVectors[] = [];
    for (let from = 0; from < entries.length; ) {
      await unread();
      signal.throwIfAborted();
      const called = entries.slice(from, from + this.#perCall);
      from += called.length;
      const start = stopwatch.now();
      vectors.push(...(await orAborted(this.#called(embedder, called, signal), signal)));
      const ms = Math.max(stopwatch.now() - start, CALL_MS / 4);
      this.#perCall = Math.max(1, Math.min(MAX_PER_CALL, 2 * this.#perCall, Math.floor((called.length * CALL_MS) / ms)));
      await pause();
    }
    return vectors;
  }

  /** What fails is tried entry by entry, and another time later on, so that one text does not hold up all others. */
  async #called(embedder: EntryEmbedder, entries: readonly Entry[], signal: AbortSignal): Promise<EntryVectors[]> {
    try {
      return this.#sound(await embedder.embed(entries, signal));
    } catch (error) {
      if (signal.aborted || isMemoryError(error, "worker-failed") || isMemoryError(error, "closed")) throw error;
      const vectors: EntryVectors[] = [];
      const failed: EntryId[] = [];
      for (const entry of entries)
        await embedder.embed([entry], signal).then(
          (found) => vectors.push(...this.#sound(found)),
          () => failed.push(entry.id),
        );
      // Whether it is the embedder that fails or these texts, a text tells that any embedder can read.
      if (vectors.length === 0) await embedder.embedder.embed([PROBE], { signal });
      for (const id of failed) this.#failed(id, error);
      return vectors;
    }
  }

  #failed(id: EntryId, error: unknown): void {
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    if (failures < MAX_FAILURES) return;
    this.#refused.add(id);
    this.#parts.tell(
      "embedder",
      `the entry ${id} is found by words alone: ${error instanceof Error ? error.message : String(error)}`,
    );
  }

  #sound(vectors: readonly EntryVectors[]): EntryVectors[] {
    return vectors.filter(({ entryId, rows }) => {
      const isSound = rows.length > 0 && rows.every(Number.isFinite);
      if (!isSound) this.#refused.add(entryId);
      return isSound;
    });
  }
}

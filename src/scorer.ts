/** What a memory's short-term part has learned of the person: which turns turn out to be needed. */

import type { MemoryBackend } from "./backend.js";
import type { ScorerStats } from "./types.js";

/** Learns by itself from conversations with an assistant: from what the person asks about their own that the reply answers with
 * something said before. It holds numbers about features of turns and no text, stays on the device, is dropped and learned anew
 * when a turn is forgotten, and weighs as much as the shipped weights at 25 answered questions; below 5 it is not used. */
export class Scorer {
  readonly #backend: MemoryBackend;

  constructor(backend: MemoryBackend) {
    this.#backend = backend;
  }

  /** How many answered questions it rests on. */
  async stats(): Promise<ScorerStats> {
    return (await this.#backend.learned()).stats;
  }

  /** Everything learned, for another device. */
  async export(): Promise<Uint8Array> {
    return (await this.#backend.learned()).bytes;
  }

  /** Puts what {@link export} gave in the place of what was learned.
   * @throws TypeError for anything but bytes; MemoryError "storage-corrupt" | "unsupported", and nothing is changed then */
  async import(bytes: Uint8Array): Promise<void> {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("import takes the Uint8Array that export gave");
    return this.#backend.replaceLearned(bytes);
  }

  /** Back to the shipped weights; questions asked so far are not learned from again. */
  reset(): Promise<void> {
    return this.#backend.replaceLearned(undefined);
  }
}

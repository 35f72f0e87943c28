/** The embedder of a memory, as its page sees it: another may take its place, and who opened one closes it. */

import type { MemoryBackend } from "./backend.js";
import { type OpenedEmbedder, openEmbedder } from "./opened-embedder.js";
import type { MemoryOptions } from "./options.js";
import type { CallOptions, ConnectableEmbedder } from "./ports.js";

export class AttachedEmbedder {
  readonly #backend: MemoryBackend;
  #current: OpenedEmbedder | undefined;
  /** Closings of embedders that another took the place of: they serve until what they embedded is embedded anew. */
  readonly #outgoing = new Set<Promise<void>>();

  constructor(backend: MemoryBackend, current: OpenedEmbedder | undefined) {
    this.#backend = backend;
    this.#current = current;
  }

  /** @throws TypeError without an embedder; what its provider throws; MemoryError; the signal's reason, and the one there was stays then */
  async attach(wanted: MemoryOptions["embedder"], options: CallOptions): Promise<void> {
    const opened = await openEmbedder(wanted, options);
    if (!opened) throw new TypeError("an embedder is wanted, or what opens one");
    try {
      await this.#backend.attachEmbedder(opened.embedder, options);
    } catch (error) {
      if (opened.owned) await opened.embedder.close();
      throw error;
    }
    const before = this.#current;
    this.#current = opened;
    if (before?.owned) this.#closeWhenReplaced(before.embedder);
  }

  /** After the memory is closed. */
  async close(): Promise<void> {
    if (this.#current?.owned) await this.#current.embedder.close();
    await Promise.all(this.#outgoing);
  }

  #closeWhenReplaced(embedder: ConnectableEmbedder): void {
    // A memory that ends or loses its worker needs it no more either.
    const replaced = this.#backend.untilEmbedded().catch(() => undefined);
    const closing = replaced.then(() => embedder.close()).finally(() => this.#outgoing.delete(closing));
    this.#outgoing.add(closing);
  }
}

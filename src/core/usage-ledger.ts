/** Counts the use of entries in memory and writes it in batches: reading must not wait for the disk. */

import type { Store } from "../ports.js";
import type { EntryId, Timestamp, Usage } from "../types.js";

/** How long counts may wait; a crash loses at most these. */
const FLUSH_AFTER_MS = 1_000;

export class UsageLedger {
  readonly #store: Store;
  /** Ids used through this handle since it was opened. */
  readonly touched = new Set<EntryId>();
  readonly #pending = new Map<EntryId, { count: number; at: Timestamp }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> = Promise.resolve();
  readonly #onError: (error: unknown) => void;

  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  touch(ids: readonly EntryId[], at: Timestamp): void {
    for (const id of ids) {
      this.touched.add(id);
      const found = this.#pending.get(id);
      this.#pending.set(id, { count: (found?.count ?? 0) + 1, at });
    }
    if (this.#pending.size > 0) this.#timer ??= setTimeout(() => this.flush().catch(this.#onError), FLUSH_AFTER_MS);
  }

  /** Use of entries, what waits included. */
  async of(ids: readonly EntryId[]): Promise<Usage[]> {
    const stored = await this.#store.usage(ids);
    return ids.map((id, index) => {
      const before = stored[index] ?? { accessCount: 0, lastAccessedAt: 0 };
      const waiting = this.#pending.get(id);
      return waiting ? { accessCount: before.accessCount + waiting.count, lastAccessedAt: waiting.at } : before;
    });
  }

  forget(ids: readonly EntryId[]): void {
    for (const id of ids) if (this.touched.delete(id)) this.#pending.delete(id);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.catch(() => undefined).then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    if (this.#pending.size === 0) return;
    const ids = [...this.#pending.keys()];
    const usage = await this.of(ids);
    for (const id of ids) this.#pending.delete(id);
    await this.#store.write({
      usage: ids.map((entryId, index) => ({ entryId, usage: usage[index] as Usage })),
      durable: false,
    });
  }
}

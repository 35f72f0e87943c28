/** The person's look at single entries: list, get. */

import type { EntryPage } from "../backend.js";
import { isEntry } from "../backup/shapes.js";
import type { Store } from "../ports.js";
import { admits } from "../retrieve/entry-table.js";
import type { Entry, EntryFilter, EntryId, StoredEntry, Usage } from "../types.js";
import type { UsageLedger } from "./usage-ledger.js";

export interface EntryAccessParts {
  readonly store: Store;
  readonly usage: UsageLedger;
}

export class EntryAccess {
  readonly #parts: EntryAccessParts;

  constructor(parts: EntryAccessParts) {
    this.#parts = parts;
  }

  /** Newest first, straight from the store; what is no entry by its shape is left out. */
  async list(filter: EntryFilter, { after, limit }: { readonly after?: EntryId; readonly limit: number }): Promise<EntryPage> {
    const found: Entry[] = [];
    for (let from = after; ; ) {
      const page = await this.#parts.store.listEntries({ limit, reverse: true, ...(from !== undefined && { after: from }) });
      for (const entry of page) if (found.length < limit && isEntry(entry) && admits(filter, entry)) found.push(entry);
      const last = page.at(-1);
      const isLast = !last || page.length < limit;
      if (found.length === limit || isLast) {
        const next = found.length === limit ? found.at(-1)?.id : undefined;
        return { entries: await this.#withUsage(found), ...(next !== undefined && { next }) };
      }
      from = last.id;
    }
  }

  async get(id: EntryId): Promise<StoredEntry | undefined> {
    const [entry] = await this.#parts.store.entries([id]);
    return isEntry(entry) ? (await this.#withUsage([entry]))[0] : undefined;
  }

  async #withUsage(entries: readonly Entry[]): Promise<StoredEntry[]> {
    const usage = await this.#parts.usage.of(entries.map(({ id }) => id));
    return entries.map((entry, index) => ({ ...entry, usage: usage[index] as Usage }));
  }
}

/** Memories that wait to be consolidated, in their order: they are gone through once for many batches, not once for each. */

import type { Consolidator } from "../ports.js";
import type { Entry, EntryId, Timestamp } from "../types.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";
import type { UsageLedger } from "./usage-ledger.js";
import type { Allowed } from "./withholding.js";

/** Rows of use read at a time, so that a recall need not wait for those of ten thousand memories. */
const PAGE = 500;

type Place = readonly [id: EntryId, usedAt: Timestamp];

/** The device consolidates by itself, in idle time; an engine sees what the device has already learned of, since it learns other things. */
export type ConsolidatorPlace = Consolidator["place"];

export class WaitingEntries {
  readonly #index: () => MemoryIndex;
  readonly #usage: Pick<UsageLedger, "of" | "touched">;
  readonly #place: ConsolidatorPlace;
  /** Ids in the order of their turn, each with the use that brings it back, 0 where none does; those before `#at` had theirs. */
  #line: readonly Place[] = [];
  #at = 0;
  /** The uses that other sittings stored were looked at; from then on this handle knows of its own. */
  #knowsStoredUse = false;
  /** Uses that were found and not yet had: whoever only counted them takes none. */
  readonly #used = new Map<EntryId, Timestamp>();

  /** @param place of the consolidator that they wait for */
  constructor(
    { index, usage }: { readonly index: () => MemoryIndex; readonly usage: Pick<UsageLedger, "of" | "touched"> },
    place: ConsolidatorPlace,
  ) {
    this.#index = index;
    this.#usage = usage;
    this.#place = place;
  }

  /** The next ones, oldest first: those never consolidated in their present words, then those used again since. They stay in line until
   * they are consolidated.
   * @param taken by jobs that are on their way
   * @param allows what is not passed over; all by default */
  async next(count: number, taken: ReadonlySet<EntryId>, allows: Allowed = () => true): Promise<Entry[]> {
    const found = this.#take(count, taken, allows);
    if (found.length > 0) return found;
    this.#line = await this.#lineUp(allows);
    this.#at = 0;
    return this.#take(count, taken, allows);
  }

  /** About how many more there are in this line. */
  get inLine(): number {
    this.#moveOn();
    return this.#line.length - this.#at;
  }

  /** How many wait.
   * @param allows those that count; all by default */
  async count(allows: Allowed = () => true): Promise<number> {
    return (await this.#lineUp(allows)).length;
  }

  #take(count: number, taken: ReadonlySet<EntryId>, allows: Allowed): Entry[] {
    this.#moveOn();
    const found: Entry[] = [];
    for (let at = this.#at; at < this.#line.length && found.length < count; at++) {
      const entry = this.#waiting(at);
      if (entry && !taken.has(entry.id) && allows(entry)) found.push(entry);
    }
    return found;
  }

  /** Past those that had their turn. */
  #moveOn(): void {
    while (this.#at < this.#line.length && !this.#waiting(this.#at)) this.#at++;
  }

  /** The entry of a place in line, while it still waits. */
  #waiting(at: number): Entry | undefined {
    const [id, usedAt] = this.#line[at] as Place;
    const entry = this.#index().entry(id);
    if (!entry || !mayLearn(entry)) return undefined;
    const before = this.#consolidatedAt(entry);
    return before === undefined || before < usedAt ? entry : undefined;
  }

  #consolidatedAt({ consolidatedAt, consolidatedByEngineAt }: Entry): Timestamp | undefined {
    return this.#place === "engine" ? consolidatedByEngineAt : consolidatedAt;
  }

  async #lineUp(allows: Allowed): Promise<Place[]> {
    const fresh: EntryId[] = [];
    const known: EntryId[] = [];
    const isOpen = (entry: Entry) => (this.#used.get(entry.id) ?? 0) > (this.#consolidatedAt(entry) ?? 0);
    for (const entry of this.#index().table)
      if (!mayLearn(entry)) continue;
      else if (this.#consolidatedAt(entry) === undefined) {
        if (allows(entry)) fresh.push(entry.id);
      } else if (!this.#knowsStoredUse || this.#usage.touched.has(entry.id) || isOpen(entry)) known.push(entry.id);
    if (fresh.length > 0) return fresh.sort().map((id) => [id, 0]);
    const used: Place[] = [];
    for (let from = 0; from < known.length; from += PAGE) {
      if (from > 0) await pause();
      const ids = known.slice(from, from + PAGE);
      const uses = await this.#usage.of(ids);
      ids.forEach((id, at) => {
        const [usedAt, entry] = [uses[at]?.lastAccessedAt ?? 0, this.#index().entry(id)];
        if (!entry || usedAt <= (this.#consolidatedAt(entry) ?? 0)) return;
        this.#used.set(id, usedAt);
        if (allows(entry)) used.push([id, usedAt]);
      });
    }
    this.#knowsStoredUse = true;
    return used;
  }
}

/** Whether anything may be learned of it at all. */
export function mayLearn(entry: Entry): boolean {
  return entry.private !== true && entry.validTo === undefined;
}

/** What the entries of one record become: new ones, evidence for stored ones, and the end of what they correct. */

import type { Entry, EntryId, Written } from "../types.js";
import { isReversal, MIN_COSINE, valueChange } from "../write/conflict.js";
import { isLive, merged, moreTelling } from "../write/merge.js";
import { dot } from "../write/same.js";
import { withChange } from "../write/versions.js";
import { type Amending, type DecisionParts, targetsOf } from "./amending.js";
import { MAX_UNITS, type NewEntry, type Relative, type Unit } from "./relatives.js";
import { splitOff } from "./splitting.js";

/** Cosine of two sentences that may be one denial apart. */
const REVERSAL_COSINE = 0.8;

export class Decisions {
  readonly #parts: DecisionParts;
  readonly #added = new Map<EntryId, NewEntry>();
  readonly #changed = new Map<EntryId, { readonly entry: NewEntry; readonly revision: number }>();
  /** Vectors of what is added, and of what got other words. */
  readonly #rows = new Map<EntryId, Float32Array>();
  readonly #absorbed = new Set<EntryId>();
  readonly #merged: Written["merged"][number][] = [];
  readonly #superseded: Written["superseded"][number][] = [];
  readonly #withdrawn: Written["refused"][number][] = [];
  readonly #marked: Written["marked"][number][] = [];

  constructor(parts: DecisionParts) {
    this.#parts = parts;
  }

  get added(): readonly NewEntry[] {
    return [...this.#added.values()];
  }

  /** Stored entries as they are to be, with the revision that this was decided by. */
  get changed(): ReadonlyMap<EntryId, { readonly entry: NewEntry; readonly revision: number }> {
    return this.#changed;
  }

  get told(): Pick<Written, "merged" | "superseded" | "marked"> {
    return { merged: this.#merged, superseded: this.#superseded, marked: this.#marked };
  }

  /** What was withdrawn before it was stored. */
  get withdrawn(): Written["refused"] {
    return this.#withdrawn;
  }

  /** The vectors of what is added or changed, as far as they are known. */
  rowsOf(id: EntryId): Float32Array | undefined {
    return this.#rows.get(id);
  }

  /** Decides on one entry, after those before it.
   * @param rows its vectors
   * @param amending its sentences that take back something */
  async take(entry: NewEntry, rows: Float32Array | undefined, amending: readonly Amending[]): Promise<void> {
    const { relatives } = this.#parts;
    const units = relatives.unitsOf(entry, rows);
    const found = await relatives.of(units);
    if (amending.length === 0 && this.#merge(entry, rows, units, found)) return;
    this.#put(entry);
    if (rows) this.#rows.set(entry.id, rows);
    relatives.add(entry, units);
    for (const one of amending) await this.#amend(entry, units, one);
    this.#mark(entry, units, found);
  }

  /** Takes back what a turn withdraws that says nothing else.
   * @param entry what it would have become; it is not stored */
  async withdraw(entry: NewEntry, amending: readonly Amending[]): Promise<void> {
    for (const one of amending) await this.#amend(entry, [], one);
  }

  /** Puts a stored entry that is about to be evicted into another that says the same.
   * @returns whether there was one */
  async absorb(entry: Entry): Promise<boolean> {
    const { relatives, index } = this.#parts;
    if (this.#changed.has(entry.id) || !isLive(entry)) return false;
    const slot = index.table.slotOf(entry.id);
    const rows = slot === undefined ? undefined : index.vector.rowsOf?.(slot);
    const units = relatives.unitsOf(entry, rows);
    const found = await relatives.of(units);
    const { revision: _, ...unrevised } = entry;
    return this.#merge(
      unrevised,
      rows,
      units,
      found.filter(({ id }) => id !== entry.id && !this.#absorbed.has(id)),
      entry.id,
    );
  }

  /** Gives the entry of the turn before the words of the turn after it. */
  link(id: EntryId, next: string): void {
    const before = this.current(id);
    if (before) this.#put({ ...before, context: { ...before.context, next } });
  }

  /** The entry as this record leaves it so far. */
  current(id: EntryId): NewEntry | undefined {
    return this.#added.get(id) ?? this.#changed.get(id)?.entry ?? this.#parts.index.entry(id);
  }

  #put(entry: NewEntry): void {
    const stored = this.#parts.index.entry(entry.id);
    if (stored) this.#changed.set(entry.id, { entry, revision: stored.revision });
    else this.#added.set(entry.id, entry);
  }

  /** @param absorbed the id of an entry that is stored and goes */
  #merge(
    entry: NewEntry,
    rows: Float32Array | undefined,
    units: readonly Unit[],
    found: readonly Relative[],
    absorbed?: EntryId,
  ): boolean {
    if (units.length >= MAX_UNITS) return false;
    for (const { id, units: others } of found) {
      const before = this.current(id);
      if (!before || !isLive(before) || !isAlike(before, entry) || others.length >= MAX_UNITS) continue;
      const telling = moreTelling(others, units, this.#parts.timeZone);
      if (telling === undefined) continue;
      const after = merged(before, entry, telling, this.#parts.now);
      if (after === before && absorbed === undefined) return true;
      if (absorbed !== undefined) this.#absorbed.add(absorbed);
      this.#put(after);
      if (telling === "second" && rows) this.#rows.set(id, rows);
      this.#merged.push({ into: id, text: entry.text });
      return true;
    }
    return false;
  }

  /** Ends what a sentence takes back; of an entry that says more than that, only the sentence. */
  async #amend(entry: NewEntry, units: readonly Unit[], amending: Amending): Promise<void> {
    const targets = await targetsOf(amending, entry, units, {
      ...this.#parts,
      current: (id) => this.current(id),
      added: this.added,
    });
    for (const { id, sentences } of targets) {
      const older = this.current(id);
      if (!older) continue;
      const { ended, left } = splitOff(older, sentences, this.#parts);
      if (id === entry.id) {
        this.#takeBack(entry.id, left, sentences);
        continue;
      }
      this.#end(entry, ended);
      if (!left) continue;
      this.#put(this.#added.has(entry.id) ? { ...left, amendedBy: entry.id } : left);
      this.#rows.delete(left.id);
    }
  }

  #end({ id, saidAt }: NewEntry, ended: NewEntry): void {
    // A sentence that only withdraws is no entry, so nothing takes the place of what it ends.
    const by = this.#added.has(id) ? id : undefined;
    this.#put(
      withChange(
        { ...ended, validTo: Math.max(saidAt, ended.validFrom), ...(by && { supersededBy: by }) },
        { kind: "superseded", at: this.#parts.now, ...(by && { by }) },
      ),
    );
    this.#superseded.push({ entryId: ended.id, ...(by && { by }) });
    const newer = this.current(id);
    if (by && newer) this.#put({ ...newer, supersedes: [...(newer.supersedes ?? []), ended.id] });
  }

  /** What is said and withdrawn in one breath is not stored. */
  #takeBack(id: EntryId, left: NewEntry | undefined, sentences: readonly string[]): void {
    this.#withdrawn.push(...sentences.map((text) => ({ text, reason: "withdrawn" as const })));
    this.#rows.delete(id);
    if (left) this.#put(left);
    else this.#added.delete(id);
  }

  /** Marks what a rule believes to be over. */
  #mark(entry: NewEntry, units: readonly Unit[], found: readonly Relative[]): void {
    if (entry.sources[0]?.role === "assistant") return;
    for (const { id, units: others } of found) {
      const other = this.current(id);
      if (!other || !isLive(other) || other.sessionId === entry.sessionId || !isAlike(other, entry)) continue;
      const [older, newer] = other.saidAt <= entry.saidAt ? [other, entry] : [entry, other];
      const [before, after] = older === other ? [others, units] : [units, others];
      const current = this.current(older.id);
      if (!current || !isLive(current) || !this.#changes(before, after)) continue;
      this.#put(
        withChange(
          { ...current, maybeUntil: { by: newer.id, at: newer.saidAt } },
          { kind: "marked", at: this.#parts.now, by: newer.id },
        ),
      );
      this.#marked.push({ entryId: older.id, by: newer.id });
    }
  }

  #changes(before: readonly Unit[], after: readonly Unit[]): boolean {
    return before.some((older) =>
      after.some((newer) => {
        if (!older.vector || !newer.vector) return isReversal(older.text, newer.text);
        const cosine = dot(older.vector, newer.vector);
        if (cosine >= REVERSAL_COSINE && isReversal(older.text, newer.text)) return true;
        return cosine >= MIN_COSINE && valueChange(older.text, newer.text, this.#parts.relatives.idf) !== undefined;
      }),
    );
  }
}

/** Of one speaker, about one person, and equally private. */
function isAlike(a: NewEntry, b: NewEntry): boolean {
  const [one, other] = [a.sources[0], b.sources[0]];
  return (
    a.subject === b.subject &&
    one?.role === other?.role &&
    one?.speaker === other?.speaker &&
    (a.private ?? false) === (b.private ?? false)
  );
}

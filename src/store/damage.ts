/** What the reads of one handle passed over because it is damaged. */
import type { DamagedRows, StoreWrite } from "../ports.js";
import type { Entry, EntryId, TurnId } from "../types.js";

/** Kept at most, of each kind: who has lost more reads the first of them. */
const MAX_NOTED = 10_000;

const SOURCE_TURN = /"turnId":("(?:[^"\\]|\\.)*")/g;

export interface Mended {
  readonly entryIds: readonly EntryId[];
  readonly turnIds: readonly TurnId[];
  readonly vectorsOf: readonly EntryId[];
}

export class DamageLog {
  readonly #entries = new Map<string, DamagedRows & { kind: "entry" }>();
  readonly #turns = new Map<string, DamagedRows & { kind: "turn" }>();
  readonly #vectors = new Map<string, DamagedRows & { kind: "vectors" }>();

  get rows(): readonly DamagedRows[] {
    return [...this.#entries.values(), ...this.#turns.values(), ...this.#vectors.values()];
  }

  /** These were read and are sound: another handle may have made them good.
   * @returns the entries */
  sound(entries: (Entry | undefined)[]): (Entry | undefined)[] {
    if (this.#entries.size > 0) for (const entry of entries) if (entry) this.#entries.delete(entry.id);
    return entries;
  }

  /** Damage that is noted already is noted anew. */
  note(rows: DamagedRows): void {
    if (rows.kind === "entry" && this.#entries.size < MAX_NOTED) this.#entries.set(rows.id, rows);
    if (rows.kind === "turn" && this.#turns.size < MAX_NOTED) this.#turns.set(rows.id, rows);
    if (rows.kind === "vectors") {
      const key = `${rows.space.dimension} ${rows.space.id}`;
      const entryIds = new Set([...(this.#vectors.get(key)?.entryIds ?? []), ...rows.entryIds]);
      this.#vectors.set(key, { ...rows, entryIds: [...entryIds] });
    }
  }

  /** These were written anew or taken away, in whatever state they were. */
  mended({ entryIds, turnIds, vectorsOf }: Mended): void {
    for (const id of turnIds) this.#turns.delete(id);
    for (const id of entryIds) this.#entries.delete(id);
    if (this.#vectors.size === 0) return;
    const ids = new Set(vectorsOf);
    for (const [key, rows] of this.#vectors) {
      const entryIds = rows.entryIds.filter((id) => !ids.has(id));
      if (entryIds.length > 0) this.#vectors.set(key, { ...rows, entryIds });
      else this.#vectors.delete(key);
    }
  }

  /** Entries and turns were all taken away that are damaged. */
  dropped(): void {
    this.#entries.clear();
    this.#turns.clear();
  }
}

/** What a write, once committed, has put in the place of whatever was there. */
export function mendedBy({ entries = [], removeEntries = [], turns = [], removeTurns = [], vectors }: StoreWrite): Mended {
  return {
    entryIds: [...entries.map(({ id }) => id), ...removeEntries],
    turnIds: [...turns.map(({ id }) => id), ...removeTurns],
    vectorsOf: [...(vectors?.of.map(({ entryId }) => entryId) ?? []), ...removeEntries],
  };
}

/** The turns that what is left of an entry names, whatever shape it is in. */
export function turnsNamedIn(entry: unknown): TurnId[] {
  const named = new Set<TurnId>();
  const text = typeof entry === "string" ? entry : (JSON.stringify(entry) ?? "");
  for (const [, quoted = '""'] of text.matchAll(SOURCE_TURN)) {
    try {
      named.add(JSON.parse(quoted) as TurnId);
    } catch (error) {
      // Half an escape: this name is lost.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return [...named];
}

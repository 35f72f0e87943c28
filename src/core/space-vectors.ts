/** The vectors of one space over the entries of a memory, and which entries have none there. */

import type { EntryVectors, Store, VectorIndex, VectorSpace } from "../ports.js";
import type { EntryId } from "../types.js";

export class SpaceVectors {
  readonly space: VectorSpace;
  readonly vector: VectorIndex;
  readonly #missing = new Set<EntryId>();

  constructor(space: VectorSpace, vector: VectorIndex) {
    this.space = space;
    this.vector = vector;
  }

  /** Entries without vectors of their present text. */
  get missing(): ReadonlySet<EntryId> {
    return this.#missing;
  }

  put(id: EntryId, slot: number, rows: Float32Array): void {
    this.vector.add(slot, rows);
    this.#missing.delete(id);
  }

  /** The entry is new, or has another text. */
  lose(id: EntryId, slot: number): void {
    this.vector.remove(slot);
    this.#missing.add(id);
  }

  remove(id: EntryId, slot: number | undefined): void {
    this.#missing.delete(id);
    if (slot !== undefined) this.vector.remove(slot);
  }

  /** Puts what a store holds of entries that are here, as `slotOf` tells; told early, the reading begins before the entries are there.
   * @returns what the store says of vectors that are damaged; they can be made again from their texts */
  async load(
    reading: VectorReading,
    slotOf: (id: EntryId) => number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    try {
      let next = await reading.first;
      for (; !next.done; next = await reading.rest.next()) {
        signal?.throwIfAborted();
        const { entryId, rows } = next.value;
        const slot = slotOf(entryId);
        if (slot === undefined) continue;
        if (rows.length > 0) this.put(entryId, slot, rows);
        else this.lose(entryId, slot);
      }
      return next.value;
    } finally {
      await reading.rest.return(undefined);
    }
  }

  clear(): void {
    this.#missing.clear();
    this.vector.clear();
  }
}

/** A reading of stored vectors that has begun. */
export interface VectorReading {
  /** The rows of entries; none for one whose vectors are damaged, of which some may have come before. It returns what the store
   * says of the damage. */
  readonly rest: AsyncGenerator<EntryVectors, string | undefined>;
  readonly first: Promise<IteratorResult<EntryVectors, string | undefined>>;
}

export function readVectors(store: Store, space: VectorSpace): VectorReading {
  const rest = entryVectors(store, space);
  return { first: told(rest.next()), rest };
}

/** A promise that is awaited later: its failure is told there, and not as unhandled before. */
export function told<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The stored vectors, entry by entry: an entry's rows may begin in one segment and end in the next. */
async function* entryVectors(store: Store, space: VectorSpace): AsyncGenerator<EntryVectors, string | undefined> {
  const { dimension } = space;
  let current: { readonly entryId: EntryId; readonly parts: Float32Array[] } | undefined;
  const joined = (): EntryVectors | undefined => current && { entryId: current.entryId, rows: concatenated(current.parts) };
  for await (const { entryIds, rows } of store.vectors(space)) {
    for (let from = 0; from < entryIds.length; ) {
      const entryId = entryIds[from] as EntryId;
      let to = from + 1;
      while (entryIds[to] === entryId) to++;
      const part = rows.subarray(from * dimension, to * dimension);
      if (current?.entryId === entryId) current.parts.push(part);
      else {
        const done = joined();
        if (done) yield done;
        current = { entryId, parts: [part] };
      }
      from = to;
    }
  }
  const last = joined();
  if (last) yield last;
  for (const damaged of await store.damaged()) {
    if (damaged.kind !== "vectors" || damaged.space.id !== space.id || damaged.space.dimension !== dimension) continue;
    for (const entryId of damaged.entryIds) yield { entryId, rows: new Float32Array(0) };
    return damaged.reason;
  }
  return undefined;
}

function concatenated(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1) return parts[0] as Float32Array;
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

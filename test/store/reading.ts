/** Reads a whole store through its port, for comparison. */
import type { Store, VectorSpace } from "../../src/ports.js";

/** Every entry's rows under a space, as plain numbers, keyed by entry id. */
export async function vectorsByEntry(store: Store, space: VectorSpace): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for await (const segment of store.vectors(space)) {
    segment.entryIds.forEach((id, index) => {
      const row = segment.rows.subarray(index * space.dimension, (index + 1) * space.dimension);
      found.set(id, [...(found.get(id) ?? []), ...row]);
    });
  }
  return found;
}

/** The lengths of the segments that `vectors` yields. */
export async function segmentLengths(store: Store, space: VectorSpace): Promise<number[]> {
  const lengths: number[] = [];
  for await (const segment of store.vectors(space)) lengths.push(segment.entryIds.length);
  return lengths;
}

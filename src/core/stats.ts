/** How a memory stands: what it holds, and what serves it. */

import type { Store } from "../ports.js";
import type { MemoryStats } from "../types.js";
import type { LocalMemoryParts } from "./local-memory-parts.js";
import type { ReadingRooms } from "./rooms.js";
import { writingCounts } from "./writing-counts.js";

export async function memoryStats(
  { options, worker, storageState }: LocalMemoryParts,
  { keeper, follower, reEmbedding, degradations, model }: ReadingRooms,
  store: Store,
): Promise<MemoryStats> {
  const [counts, storage] = await Promise.all([store.counts(), storageState?.()]);
  const { index, embedder } = keeper;
  return {
    name: options.name,
    userId: options.userId,
    ...counts,
    vectors: index.vector.size,
    writing: writingCounts(index.table),
    revision: follower.applied,
    embedder: { id: embedder.embedder.id, dimension: embedder.embedder.dimension },
    index: { vector: index.vector.kind, terms: index.lexical.terms },
    ...(reEmbedding.state && { reembedding: reEmbedding.state }),
    storage: { backend: store.backend, ...storage },
    ...model.state,
    degraded: degradations.kept,
    worker,
  };
}

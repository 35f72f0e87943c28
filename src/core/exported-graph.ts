/** Reads the graph of one user, page by page, as the rows of a backup: all nodes first, since an edge needs both ends. */

import type { BackupRow, BackupSupport } from "../backup/format.js";
import type { Store, StoredNode } from "../ports.js";
import { edgeId } from "../store/graph-rows.js";
import { ConsolidationJobs } from "./consolidation-jobs.js";

/** Nodes read at once: SQLite holds the thread meanwhile, for a millisecond or two. */
const PAGE = 64;
/** Edges of a node, and memories that support it. */
const ALL = 100_000;

export async function* exportedGraph(store: Store): AsyncGenerator<readonly BackupRow[], void> {
  const { cycle } = await new ConsolidationJobs(store).row();
  for await (const nodes of nodesOf(store)) {
    const support = await supportOf(
      store,
      nodes.map(({ id }) => id),
    );
    yield nodes.map(({ cycle: last, ...node }) => ({ node, idle: Math.max(0, cycle - last), support: support(node.id) }));
  }
  for await (const nodes of nodesOf(store)) {
    const ids = new Set(nodes.map(({ id }) => id));
    const { edges } = await store.graph({ edgesOf: [...ids], limit: ALL });
    // Each edge comes with the page of the node that it leads from.
    const own = edges.filter(({ from }) => ids.has(from));
    const support = await supportOf(store, own.map(edgeId));
    yield own.map((edge) => ({ edge, support: support(edgeId(edge)) }));
  }
}

async function* nodesOf(store: Store): AsyncGenerator<readonly StoredNode[], void> {
  for (let after: string | undefined; ; ) {
    const { nodes } = await store.graph({ list: { limit: PAGE, ...(after !== undefined && { after }) } });
    if (nodes.length === 0) return;
    yield nodes;
    after = nodes.at(-1)?.id;
  }
}

async function supportOf(store: Store, ids: readonly string[]): Promise<(id: string) => readonly BackupSupport[]> {
  const { support } = await store.graph({ supportOf: ids, limit: ALL });
  const found = new Map<string, BackupSupport[]>(ids.map((id) => [id, []]));
  for (const { of, entryId, weight } of support) found.get(of)?.push({ entryId, weight });
  return (id) => found.get(id) ?? [];
}

/** The thread that the person kept, in a conversation whose edits and regenerated replies make it a tree. */

export interface TreeNode {
  readonly id: string;
  /** Absent, or an id that no node has, at a root. */
  readonly parent?: string | undefined;
  /** Set where the parent is known to be none, so that nothing is missing above. */
  readonly isRoot?: boolean;
  readonly at?: number | undefined;
}

/** From the first message to the last: up by parents from the current node, else from the newest leaf. Child lists are not
 * needed. Where a parent is missing, the newest leaf of what was said before goes on above the gap.
 * @param nodes in the order of the file */
export function keptThread<N extends TreeNode>(nodes: readonly N[], current: string | undefined): N[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const seen = new Set<N>();
  const path: N[] = [];
  const order = new Map(nodes.map((node, index) => [node, index]));
  let next = (current === undefined ? undefined : byId.get(current)) ?? newestLeaf(nodes, order);
  while (next && !seen.has(next)) {
    seen.add(next);
    path.push(next);
    const { parent, isRoot } = next;
    const above = parent === undefined ? undefined : byId.get(parent);
    next = above ?? (isRoot || parent === undefined ? undefined : leafAboveGap(nodes, next, order, seen));
  }
  return path.reverse();
}

function newestLeaf<N extends TreeNode>(nodes: readonly N[], order: ReadonlyMap<N, number>): N | undefined {
  const parents = new Set(nodes.map(({ parent }) => parent));
  const leaves = nodes.filter(({ id }) => !parents.has(id));
  return [...(leaves.length > 0 ? leaves : nodes)].sort(
    (one, other) => (other.at ?? 0) - (one.at ?? 0) || (order.get(other) ?? 0) - (order.get(one) ?? 0),
  )[0];
}

/** The newest leaf of what is older than a node and hangs together with none of the thread. */
function leafAboveGap<N extends TreeNode>(
  nodes: readonly N[],
  node: N,
  order: ReadonlyMap<N, number>,
  seen: ReadonlySet<N>,
): N | undefined {
  const byId = new Map(nodes.map((one) => [one.id, one]));
  const before = nodes.filter((one) => isBefore(one, node, order) && !hangsOn(one, byId, seen));
  return newestLeaf(before, order);
}

function isBefore<N extends TreeNode>(one: N, other: N, order: ReadonlyMap<N, number>): boolean {
  if (one.at !== undefined && other.at !== undefined && one.at !== other.at) return one.at < other.at;
  return (order.get(one) ?? 0) < (order.get(other) ?? 0);
}

/** Whether a node or what is above it is part of the thread already: then it is another branch of it. */
function hangsOn<N extends TreeNode>(node: N, byId: ReadonlyMap<string, N>, seen: ReadonlySet<N>): boolean {
  const passed = new Set<N>();
  for (let at: N | undefined = node; at && !passed.has(at); at = at.parent === undefined ? undefined : byId.get(at.parent)) {
    if (seen.has(at)) return true;
    // A message beside a missing parent's other child would be its sibling.
    passed.add(at);
  }
  return false;
}

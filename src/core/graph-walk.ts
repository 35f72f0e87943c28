/** From a question into the graph: anchors by its words, at most two steps from there, and the memories that support what lies there. */

import type { Store, StoredNode } from "../ports.js";
import type { LinkedEntry } from "../retrieve/linked.js";
import { fold, termsOf } from "../text/terms.js";
import type { EntryId } from "../types.js";

/** Nodes for each word of a question, edges of a node, and memories of one. */
const NODES = 8;
const EDGES = 24;
const SUPPORTS = 24;
/** Nodes that the walk goes on from, and memories that it brings. */
const MOST_NODES = 96;
const MOST_ENTRIES = 96;
/** What a step leaves of a node's weight. */
const STEP = 0.7;

interface Reached {
  readonly node: StoredNode;
  readonly weight: number;
  readonly path: readonly string[];
}

/** @param subjects of the memory, as they are spelt; those that the question names are the ones it is about
 * @returns memories by id, each with its weight (0 to 1) and the way that led to it */
export async function walkGraph(
  store: Store,
  text: string,
  subjects: readonly string[],
): Promise<ReadonlyMap<EntryId, LinkedEntry>> {
  const terms = [...new Set(termsOf(text))];
  if (terms.length === 0) return new Map();
  const { nodes } = await store.graph({ terms, limit: NODES });
  if (nodes.length === 0) return new Map();
  const asked = new Set(terms);
  const isMeant = ownersIn(text, subjects);
  const reached = new Map<string, Reached>();
  const reach = (found: Reached) => {
    const known = reached.get(found.node.id);
    if (!isMeant(found.node) || (known && known.weight >= found.weight) || reached.size >= MOST_NODES) return;
    reached.set(found.node.id, found);
  };
  for (const node of nodes) {
    const shared = node.terms.filter((term) => asked.has(term)).length;
    reach({ node, weight: Math.min(1, shared / Math.min(3, terms.length)), path: [node.name] });
  }
  // A step goes down to instances, and from one to its class, but never from class to class through an instance.
  for (let step = 0, front = [...reached.values()]; step < 2 && front.length > 0; step++) {
    const { edges } = await store.graph({ edgesOf: front.map(({ node }) => node.id), limit: EDGES });
    const others = edges.flatMap(({ from, to }) => [from, to]).filter((id) => !reached.has(id));
    const around = new Map(
      (await store.graph({ nodes: [...new Set(others)].slice(0, MOST_NODES) })).nodes.map((node) => [node.id, node]),
    );
    const before = new Map(front.map((one) => [one.node.id, one]));
    front = [];
    for (const { from, to, type } of edges) {
      for (const [start, end] of [
        [before.get(to), around.get(from)],
        [type === "IsA" ? undefined : before.get(from), around.get(to)],
      ] as const) {
        if (!start || !end || reached.has(end.id)) continue;
        const found = { node: end, weight: start.weight * STEP, path: [...start.path, end.name] };
        reach(found);
        if (reached.get(end.id) === found) front.push(found);
      }
    }
  }
  const best = [...reached.values()].sort((one, other) => other.weight - one.weight);
  const { support } = await store.graph({ supportOf: best.map(({ node }) => node.id), limit: SUPPORTS });
  const linked = new Map<EntryId, LinkedEntry>();
  for (const { of, entryId } of support) {
    const { weight, path } = reached.get(of) as Reached;
    const known = linked.get(entryId);
    if (known ? known.weight < weight : linked.size < MOST_ENTRIES) linked.set(entryId, { weight, path: path.join(" → ") });
  }
  return linked;
}

/** What is of a person counts where the question is about them, or about nobody by name. */
function ownersIn(text: string, subjects: readonly string[]): (node: StoredNode) => boolean {
  const plain = fold(text);
  const named = subjects.filter((subject) => subject !== "user" && subject !== "assistant" && plain.includes(fold(subject)));
  const owners = named.map((name) => `${name}: `);
  return ({ scope, name }) => scope === "general" || owners.length === 0 || owners.some((owner) => name.startsWith(owner));
}

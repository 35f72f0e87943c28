/** The part of the graph that goes out with a batch: general nodes without anybody's name, and the edges between them. */

import type { ConsolidationBatch, GraphNode, Store, StoredNode } from "../ports.js";
import type { Entry, EntryId } from "../types.js";
import type { ConsolidationGraph } from "./consolidation-graph.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";
import { type PersonNodes, textOf } from "./person-nodes.js";
import type { Allowed } from "./withholding.js";

/** Memories of a node that are looked at. */
const SUPPORTERS = 256;
/** Of those, in which its name is looked for. */
const SOURCES = 16;

/** Nodes between two pauses: some milliseconds. */
const SLICE = 4;

type Part = Pick<ConsolidationBatch, "nodes" | "edges">;

/** What a node rests on here, in the words of then; nothing for one that came from another device. */
export async function supportersOf(
  { store, index }: { readonly store: Store; readonly index: () => MemoryIndex },
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly (Entry | undefined)[]>> {
  const { support } = await store.graph({ supportOf: ids, limit: SUPPORTERS });
  const found = new Map<string, EntryId[]>();
  for (const { of, entryId } of support) found.set(of, [...(found.get(of) ?? []), entryId]);
  return new Map([...found].map(([id, entryIds]) => [id, entryIds.map((entryId) => index().entry(entryId))]));
}

/** Words of what a node rests on, as far as they are looked at for names. */
export function sourcesOf(supporters: readonly (Entry | undefined)[] = []): readonly string[] {
  return supporters.flatMap((entry) => entry?.indexText ?? []).slice(0, SOURCES);
}

/** @param allows a node goes only where all that it rests on may go, and its own words may */
export async function outboundGraph(
  parts: { readonly store: Store; readonly index: () => MemoryIndex; readonly graph: ConsolidationGraph },
  entries: readonly Entry[],
  persons: PersonNodes,
  allows: Allowed,
): Promise<Part> {
  const { nodes, edges } = await parts.graph.anchors(entries);
  const general = nodes.filter(({ scope }) => scope === "general");
  const supporters = await supportersOf(
    parts,
    general.map(({ id }) => id),
  );
  const mayGo = (node: StoredNode): boolean => {
    const resting = supporters.get(node.id) ?? [];
    return (
      resting.every((entry) => entry === undefined || (entry.private !== true && allows(entry))) &&
      allows({ indexText: textOf(node) }) &&
      !persons.speaksOfSomebody(node) &&
      !persons.comesFromName(node, sourcesOf(resting))
    );
  };
  const going: GraphNode[] = [];
  for (const [at, node] of general.entries()) {
    if (at % SLICE === SLICE - 1) await pause();
    if (mayGo(node)) going.push(plain(node));
  }
  return between(going, edges);
}

/** What is still so of it: a node that rested on what was forgotten is gone. */
export async function stillOutbound(store: Store, { nodes, edges }: Part): Promise<Part> {
  if (nodes.length === 0) return { nodes, edges };
  const stored = await store.graph({ nodes: nodes.map(({ id }) => id) });
  const known = new Map(stored.nodes.map((node) => [node.id, node]));
  return between(
    nodes.filter((node) => {
      const now = known.get(node.id);
      return now !== undefined && textOf(now) === textOf(node);
    }),
    edges,
  );
}

function between(nodes: Part["nodes"], edges: Part["edges"]): Part {
  const ids = new Set(nodes.map(({ id }) => id));
  return {
    nodes,
    edges: edges
      .filter(({ from, to }) => ids.has(from) && ids.has(to))
      .map(({ from, to, type, confidence }) => ({ from, to, type, confidence })),
  };
}

function plain({ id, type, name, statement, confidence }: StoredNode): GraphNode {
  return { id, type, name, statement, confidence };
}

/** The parts of the graph that a batch of consolidation needs. */

import type { GraphNeighbourhood } from "../ltm/apply.js";
import { faded, isBelowFloor } from "../ltm/confidence.js";
import { isNegated } from "../ltm/likeness.js";
import { nodeId } from "../ltm/node-id.js";
import type { GraphNode, GraphOperation, Store, StoredEdge, StoredNode } from "../ports.js";
import { termsOf } from "../text/terms.js";
import type { Entry } from "../types.js";
import type { MemoryIndex } from "./memory-index.js";

/** Stems of a batch by which the part of the graph is found that a consolidator sees, and nodes for each. */
const ANCHOR_TERMS = 48;
const NODES_PER_TERM = 4;
/** Nodes looked at for their fading with each batch, which makes a few; of 256, a recall beside it waited 8 ms. */
const SWEEP = 64;
/** Support rows of a node that is merged. */
const ALL = 100_000;

export class ConsolidationGraph {
  readonly #parts: { readonly store: Store; readonly index: () => MemoryIndex };

  constructor(parts: { readonly store: Store; readonly index: () => MemoryIndex }) {
    this.#parts = parts;
  }

  /** The part of the graph that the fragments speak of, with its neighbours. */
  async anchors(
    entries: readonly Entry[],
  ): Promise<{ readonly nodes: readonly StoredNode[]; readonly edges: readonly StoredEdge[] }> {
    const { store, index } = this.#parts;
    const frequency = (term: string) => index().lexical.documentFrequency(term);
    const terms = [...new Set(entries.flatMap(({ indexText }) => termsOf(indexText)))]
      .sort((one, other) => frequency(one) - frequency(other))
      .slice(0, ANCHOR_TERMS);
    const { nodes } = await store.graph({ terms, limit: NODES_PER_TERM });
    const { edges } = await store.graph({ edgesOf: nodes.map(({ id }) => id), limit: NODES_PER_TERM });
    const ends = edges.flatMap(({ from, to }) => [from, to]);
    const all = await store.graph({ nodes: [...new Set([...nodes.map(({ id }) => id), ...ends])] });
    return { nodes: all.nodes, edges };
  }

  /** All that the operations touch, as it is stored.
   * @param seen nodes that they may name */
  async around(
    operations: readonly GraphOperation[],
    seen: readonly Pick<GraphNode, "id">[],
    entries: readonly Entry[],
  ): Promise<GraphNeighbourhood> {
    const { store } = this.#parts;
    const ids = new Map(seen.map(({ id }) => [id, id]));
    const wanted = new Set(ids.keys());
    const edges = new Set<string>();
    const merged: string[] = [];
    for (const operation of operations) {
      if (operation.type === "addNode") {
        const { scope = "general" } = operation.node;
        const id = nodeId(operation.node, scope);
        ids.set(operation.node.id, id);
        wanted.add(id);
        wanted.add(nodeId(operation.node, scope, !isNegated(operation.node.statement)));
      } else if (operation.type === "addEdge") edges.add(`${ids.get(operation.from)} ${operation.edge} ${ids.get(operation.to)}`);
      else if (operation.type === "merge") merged.push(...[operation.from, operation.into].flatMap((id) => ids.get(id) ?? []));
    }
    const moved = merged.length > 0 ? await store.graph({ edgesOf: merged, supportOf: merged, limit: ALL }) : undefined;
    const ofEdges = moved?.edges.map(({ from, type, to }) => `${from} ${type} ${to}`) ?? [];
    const part = await store.graph({
      nodes: [...wanted],
      edges: [...edges],
      supportOf: ofEdges,
      supportBy: entries.map(({ id }) => id),
      limit: ALL,
    });
    return {
      nodes: part.nodes,
      edges: [...part.edges, ...(moved?.edges ?? [])],
      support: [...part.support, ...(moved?.support ?? [])],
    };
  }

  /** Some nodes further on each time: what has faded below the floor goes.
   * @returns where it stopped; `undefined` at the end of the graph */
  async sweep(
    after: string | undefined,
    cycle: number,
    busy: ReadonlySet<string>,
  ): Promise<{ readonly swept: string | undefined; readonly gone: readonly string[] }> {
    const list = { limit: SWEEP, ...(after !== undefined && after !== "" && { after }) };
    const { nodes } = await this.#parts.store.graph({ list });
    const isGone = ({ id, confidence, cycle: last }: (typeof nodes)[number]) =>
      !busy.has(id) && isBelowFloor(faded(confidence, cycle - last));
    return {
      swept: nodes.length < SWEEP ? undefined : nodes.at(-1)?.id,
      gone: nodes.filter(isGone).map(({ id }) => id),
    };
  }
}

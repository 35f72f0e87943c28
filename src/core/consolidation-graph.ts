/** The parts of the graph that a batch of consolidation needs. */

import type { GraphNeighbourhood } from "../ltm/apply.js";
import { faded, isBelowFloor, isCandidate } from "../ltm/confidence.js";
import type { GraphOperation, Store, StoredEdge, StoredNode } from "../ports.js";
import { termsOf } from "../text/terms.js";
import type { Entry } from "../types.js";
import type { MemoryIndex } from "./memory-index.js";
import { type SeenNode, TouchedGraph } from "./touched-graph.js";

/** Stems of a batch by which the part of the graph is found that a consolidator sees, and nodes for each. */
const ANCHOR_TERMS = 48;
const NODES_PER_TERM = 4;
/** Nodes read for a stem: the person's own categories, which have many, stand among the general ones. */
const READ_PER_TERM = 16;
/** Stems of new nodes by which those are found that may be the same. */
const NAME_TERMS = 96;
/** Nodes looked at for their fading with each batch, which makes a few; of 256, a recall beside it waited 8 ms. */
const SWEEP = 64;
/** Support rows of a node that is merged. */
const ALL = 100_000;
/** Support of a general node that is looked at for memories of the same turn. */
const SUPPORTERS = 256;
/** Kinds above those of a batch that are looked at, and edges of one; an edge that leads further is not made. */
const MOST_KINDS = 512;
const KINDS_OF_ONE = 256;

export class ConsolidationGraph {
  readonly #parts: { readonly store: Store; readonly index: () => MemoryIndex };

  constructor(parts: { readonly store: Store; readonly index: () => MemoryIndex }) {
    this.#parts = parts;
  }

  /** The part of the graph that the fragments speak of, with its neighbours; candidates are nobody's to see. */
  async anchors(
    entries: readonly Entry[],
  ): Promise<{ readonly nodes: readonly StoredNode[]; readonly edges: readonly StoredEdge[] }> {
    const { store, index } = this.#parts;
    const frequency = (term: string) => index().lexical.documentFrequency(term);
    const terms = [...new Set(entries.flatMap(({ indexText }) => termsOf(indexText)))]
      .sort((one, other) => frequency(one) - frequency(other))
      .slice(0, ANCHOR_TERMS);
    const found = await store.graph({ terms, limit: READ_PER_TERM });
    const shown = found.nodes.filter((node) => !isCandidate(node));
    const near = new Set(
      terms.flatMap((term) => {
        const named = shown.filter((node) => node.terms.includes(term));
        return (["general", "own"] as const).flatMap((of) => named.filter(({ scope }) => scope === of).slice(0, NODES_PER_TERM));
      }),
    );
    const { edges } = await store.graph({ edgesOf: [...near].map(({ id }) => id), limit: NODES_PER_TERM });
    const ends = edges.flatMap(({ from, to }) => [from, to]);
    const all = await store.graph({ nodes: [...new Set([...[...near].map(({ id }) => id), ...ends])] });
    const nodes = all.nodes.filter((node) => !isCandidate(node));
    const ids = new Set(nodes.map(({ id }) => id));
    return { nodes, edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
  }

  /** All that the operations touch, as it is stored, with what may be the same, and the kinds above it.
   * @param seen nodes that they may name */
  async around(
    operations: readonly GraphOperation[],
    seen: readonly SeenNode[],
    entries: readonly Entry[],
  ): Promise<GraphNeighbourhood> {
    const { store, index } = this.#parts;
    const touched = new TouchedGraph(operations, seen);
    const terms = touched.terms.slice(0, NAME_TERMS);
    const named = terms.length > 0 ? await store.graph({ terms, limit: READ_PER_TERM }) : undefined;
    const near = named?.nodes.filter(({ scope }) => scope === "general") ?? [];
    const merged = touched.merged(near);
    const moved = merged.length > 0 ? await store.graph({ edgesOf: merged, supportOf: merged, limit: ALL }) : undefined;
    const [edges, general] = [touched.edges(near), touched.general(near)];
    const ofEdges = moved?.edges.map(({ from, type, to }) => `${from} ${type} ${to}`) ?? [];
    const [part, above, told] = await Promise.all([
      store.graph({
        nodes: touched.nodes(near),
        edges,
        supportOf: ofEdges,
        supportBy: entries.map(({ id }) => id),
        limit: ALL,
      }),
      touched.changesKinds ? this.#above(general) : undefined,
      general.length > 0 ? store.graph({ supportOf: [...general, ...edges], limit: SUPPORTERS }) : undefined,
    ]);
    return {
      nodes: part.nodes,
      edges: [...(above?.edges ?? []), ...part.edges, ...(moved?.edges ?? [])],
      support: [...part.support, ...(moved?.support ?? []), ...(told?.support ?? [])],
      ...(above && { unexplored: above.unexplored }),
      turnsOf: (id) =>
        index()
          .entry(id)
          ?.sources.map(({ turnId }) => turnId) ?? [],
    };
  }

  /** The kinds above some nodes, and the kinds above those. */
  async #above(ids: readonly string[]): Promise<{ readonly edges: StoredEdge[]; readonly unexplored: ReadonlySet<string> }> {
    const edges: StoredEdge[] = [];
    const unexplored = new Set<string>();
    const seen = new Set(ids);
    let front = ids;
    while (front.length > 0 && seen.size <= MOST_KINDS) {
      const known = new Set(front);
      const found = await this.#parts.store.graph({ edgesOf: front, limit: KINDS_OF_ONE });
      const out = new Map<string, number>();
      const up = found.edges.filter(({ from, type }) => {
        if (!known.has(from)) return false;
        out.set(from, (out.get(from) ?? 0) + 1);
        return type === "IsA";
      });
      for (const [id, count] of out) if (count >= KINDS_OF_ONE) unexplored.add(id);
      edges.push(...up);
      front = [...new Set(up.map(({ to }) => to))].filter((id) => !seen.has(id));
      for (const id of front) seen.add(id);
    }
    for (const id of front) unexplored.add(id);
    return { edges, unexplored };
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

/** Sound operations on a part of the graph, as the rows that a write must put. Doing it twice changes nothing. */

import type { GraphNode, GraphOperation, GraphWrite, StoredEdge, StoredNode, SupportRow } from "../ports.js";
import type { EntryId, Timestamp } from "../types.js";
import { contradicted, SUPPORT_WEIGHT, supported } from "./confidence.js";
import { isNegated, mayMerge, meansSame, termsOfStatement } from "./likeness.js";
import { nodeId, termsOfName } from "./node-id.js";

/** The part of the graph that a batch may change. */
export interface GraphNeighbourhood {
  readonly nodes: readonly StoredNode[];
  readonly edges: readonly StoredEdge[];
  /** All support of them. */
  readonly support: readonly SupportRow[];
}

export interface BatchFacts {
  /** The entry of each fragment. */
  readonly entryOf: (fragment: number) => EntryId | undefined;
  readonly cycle: number;
  readonly now: Timestamp;
}

export function applyOperations(
  operations: readonly GraphOperation[],
  around: GraphNeighbourhood,
  facts: BatchFacts,
): Required<GraphWrite> {
  const change = new GraphChange(around, facts);
  for (const operation of operations) change.apply(operation);
  return change.write;
}

const keyOf = ({ from, type, to }: Pick<StoredEdge, "from" | "type" | "to">): string => `${from} ${type} ${to}`;

class GraphChange {
  readonly #facts: BatchFacts;
  readonly #nodes: Map<string, StoredNode>;
  readonly #edges: Map<string, StoredEdge>;
  /** What each node and edge rests on. */
  readonly #support = new Map<string, Map<EntryId, number>>();
  /** Ids of this batch, and merged ones, to those that they are now. */
  readonly #ids = new Map<string, string>();
  /** Stems of statements. */
  readonly #terms = new Map<string, ReadonlySet<string>>();
  readonly #touched = new Set<string>();
  readonly #removed = new Set<string>();

  constructor({ nodes, edges, support }: GraphNeighbourhood, facts: BatchFacts) {
    this.#facts = facts;
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#edges = new Map(edges.map((edge) => [keyOf(edge), edge]));
    for (const { of, entryId, weight } of support) this.#supportOf(of).set(entryId, weight);
  }

  get write(): Required<GraphWrite> {
    const touched = [...this.#touched].filter((id) => !this.#removed.has(id));
    return {
      nodes: touched.flatMap((id) => this.#nodes.get(id) ?? []),
      edges: touched.flatMap((id) => this.#edges.get(id) ?? []),
      support: touched.flatMap((of) => [...this.#supportOf(of)].map(([entryId, weight]) => ({ of, entryId, weight }))),
      removeNodes: [...this.#removed].filter((id) => !id.includes(" ")),
      removeEdges: [...this.#removed].filter((id) => id.includes(" ")),
    };
  }

  apply(operation: GraphOperation): void {
    switch (operation.type) {
      case "addNode":
        return this.#addNode(operation);
      case "addEdge":
        return this.#addEdge(this.#now(operation.from), this.#now(operation.to), operation.edge, operation.support);
      case "merge":
        return this.#merge(this.#now(operation.from), this.#now(operation.into));
      case "update": {
        const node = this.#nodes.get(this.#now(operation.id));
        if (!node) return;
        // What it says the other way round is a contradiction, and both stay until one falls below the floor.
        if (isNegated(node.statement) !== isNegated(operation.statement))
          return this.#addNode({
            type: "addNode",
            node: { ...node, statement: operation.statement },
            support: operation.support,
          });
        this.#nodes.set(node.id, { ...node, statement: operation.statement });
        return this.#give(node.id, operation.support);
      }
      case "discard":
        return;
    }
  }

  #addNode({ node, support }: Extract<GraphOperation, { type: "addNode" }>): void {
    if (this.#entries(support).length === 0) return;
    const { scope = "general" } = node;
    const given = { ...node, scope, confidence: 0 };
    const exact = nodeId(node, scope);
    const id = this.#nodes.has(exact) ? exact : (this.#like(given)?.id ?? exact);
    // The same node may be asked for under an id of the neighbourhood or of this batch.
    if (node.id !== id) this.#ids.set(node.id, id);
    const known = this.#nodes.get(id);
    if (!known) {
      const { type, name, statement } = node;
      const terms = [...new Set([...termsOfName(name), ...(node.terms ?? [])])];
      this.#nodes.set(id, { id, type, name, statement, confidence: 0, scope, terms, createdAt: this.#facts.now, cycle: 0 });
      this.#ids.delete(id);
      this.#removed.delete(id);
    }
    const opposite = this.#nodes.get(nodeId(node, scope, !isNegated(node.statement)));
    const isNews = this.#entries(support).some((entryId) => !this.#supportOf(id).has(entryId));
    if (opposite && isNews) {
      this.#nodes.set(opposite.id, { ...opposite, confidence: contradicted(opposite.confidence) });
      this.#touched.add(opposite.id);
    }
    this.#give(id, support);
  }

  /** A node that says the same in other words; what is of the person is told apart by its name alone. */
  #like(given: GraphNode & Pick<StoredNode, "scope">): StoredNode | undefined {
    if (given.scope === "own") return undefined;
    const terms = termsOfStatement(given);
    for (const node of this.#nodes.values()) {
      const known = this.#terms.get(node.statement) ?? termsOfStatement(node);
      this.#terms.set(node.statement, known);
      if (meansSame(terms, known) && mayMerge(given, node)) return node;
    }
    return undefined;
  }

  #addEdge(from: string, to: string, type: StoredEdge["type"], support: readonly number[]): void {
    // Two ids of the batch may have become one node.
    if (this.#entries(support).length === 0 || from === to || !this.#nodes.has(from) || !this.#nodes.has(to)) return;
    const edge = { from, type, to, confidence: 0 };
    if (!this.#edges.has(keyOf(edge))) this.#edges.set(keyOf(edge), edge);
    this.#give(keyOf(edge), support);
  }

  #merge(from: string, into: string): void {
    const [gone, kept] = [this.#nodes.get(from), this.#nodes.get(into)];
    if (!gone || !kept || gone === kept || !mayMerge(gone, kept)) return;
    this.#nodes.set(into, {
      ...kept,
      terms: [...new Set([...kept.terms, ...gone.terms])],
      cycle: Math.max(kept.cycle, gone.cycle),
    });
    this.#move(from, into);
    for (const edge of [...this.#edges.values()]) {
      if (edge.from !== from && edge.to !== from) continue;
      const ends = { from: edge.from === from ? into : edge.from, to: edge.to === from ? into : edge.to };
      if (ends.from !== ends.to) {
        const moved = { ...edge, ...ends };
        if (!this.#edges.has(keyOf(moved))) this.#edges.set(keyOf(moved), { ...moved, confidence: 0 });
        this.#move(keyOf(edge), keyOf(moved));
      }
      this.#edges.delete(keyOf(edge));
      this.#removed.add(keyOf(edge));
    }
    this.#nodes.delete(from);
    this.#removed.add(from);
    this.#ids.set(from, into);
  }

  /** Support that both had counts once. */
  #move(from: string, into: string): void {
    for (const [entryId, weight] of this.#supportOf(from)) this.#raise(into, entryId, weight);
    this.#touched.add(into);
  }

  #give(of: string, fragments: readonly number[]): void {
    for (const entryId of this.#entries(fragments)) this.#raise(of, entryId, SUPPORT_WEIGHT);
    const node = this.#nodes.get(of);
    if (node) this.#nodes.set(of, { ...node, cycle: this.#facts.cycle });
    this.#touched.add(of);
  }

  #raise(of: string, entryId: EntryId, weight: number): void {
    const rows = this.#supportOf(of);
    if (rows.has(entryId)) return;
    rows.set(entryId, weight);
    const [node, edge] = [this.#nodes.get(of), this.#edges.get(of)];
    if (node) this.#nodes.set(of, { ...node, confidence: supported(node.confidence, [weight]) });
    if (edge) this.#edges.set(of, { ...edge, confidence: supported(edge.confidence, [weight]) });
  }

  #entries(fragments: readonly number[]): EntryId[] {
    return [...new Set(fragments)].flatMap((fragment) => this.#facts.entryOf(fragment) ?? []);
  }

  #supportOf(of: string): Map<EntryId, number> {
    const known = this.#support.get(of) ?? new Map<EntryId, number>();
    this.#support.set(of, known);
    return known;
  }

  /** Ids lead on from merge to merge, never twice through the same. */
  #now(id: string): string {
    const seen = new Set<string>();
    let now = id;
    for (let next = this.#ids.get(now); next !== undefined && !seen.has(next); next = this.#ids.get(now)) {
      seen.add(next);
      now = next;
    }
    return now;
  }
}

/** Sound operations on a part of the graph, as the rows that a write must put. Doing it twice changes nothing. */

import type { GraphNode, GraphOperation, GraphWrite, StoredEdge, StoredNode, SupportRow } from "../ports.js";
import type { EntryId, Timestamp } from "../types.js";
import { contradicted, faded, SUPPORT_WEIGHT, supported } from "./confidence.js";
import { IsALinks } from "./is-a.js";
import { differsInNumber, isAbout, isCalledAlike, isNegated, mayMerge, numbersOf, saysSame } from "./likeness.js";
import { nodeId, termsOfName } from "./node-id.js";
import { type Refusal, weightOf } from "./operations.js";

/** The part of the graph that a batch may change. */
export interface GraphNeighbourhood {
  readonly nodes: readonly StoredNode[];
  readonly edges: readonly StoredEdge[];
  /** All support of them. */
  readonly support: readonly SupportRow[];
  /** Nodes whose kinds are not all here. */
  readonly unexplored?: ReadonlySet<string>;
  /** Turns that an entry was told in: two of one turn are one memory. By default each entry is its own. */
  readonly turnsOf?: (entryId: EntryId) => readonly string[];
}

export interface BatchFacts {
  /** The entry of each fragment. */
  readonly entryOf: (fragment: number) => EntryId | undefined;
  readonly cycle: number;
  readonly now: Timestamp;
  /** Told of what turns out to be unsound only beside all that is stored. */
  readonly onRefused?: (reason: Refusal) => void;
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

/** Ids that a node may have: by its name, and where a node of that name says another number, with its own. */
export function idsOf(
  node: Named,
  scope: StoredNode["scope"],
  isNegative: boolean = isNegated(node.statement),
): readonly string[] {
  const numbers = scope === "general" ? numbersOf(node) : "";
  const plain = nodeId(node, scope, isNegative);
  return numbers === "" ? [plain] : [plain, nodeId({ ...node, name: `${node.name} ${numbers}` }, scope, isNegative)];
}

type Named = Pick<GraphNode, "type" | "name" | "statement">;

const keyOf = ({ from, type, to }: Pick<StoredEdge, "from" | "type" | "to">): string => `${from} ${type} ${to}`;

class GraphChange {
  readonly #facts: BatchFacts;
  readonly #nodes: Map<string, StoredNode>;
  readonly #edges: Map<string, StoredEdge>;
  readonly #links: IsALinks;
  readonly #turnsOf: (entryId: EntryId) => readonly string[];
  /** What each node and edge rests on. */
  readonly #support = new Map<string, Map<EntryId, number>>();
  /** Ids of this batch, and merged ones, to those that they are now. */
  readonly #ids = new Map<string, string>();
  readonly #touched = new Set<string>();
  readonly #removed = new Set<string>();

  constructor({ nodes, edges, support, unexplored, turnsOf = () => [] }: GraphNeighbourhood, facts: BatchFacts) {
    this.#facts = facts;
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#edges = new Map(edges.map((edge) => [keyOf(edge), edge]));
    this.#links = new IsALinks(edges, unexplored);
    this.#turnsOf = turnsOf;
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
        return this.#addEdge(operation);
      case "merge":
        return this.#merge(this.#now(operation.from), this.#now(operation.into));
      case "update":
        return this.#update(operation);
      case "discard":
        return;
    }
  }

  #update({ id, statement, support }: Extract<GraphOperation, { type: "update" }>): void {
    const node = this.#nodes.get(this.#now(id));
    if (!node) return;
    if (!isAbout(node, statement)) return this.#refuse("differs in meaning");
    const updated = { ...node, statement };
    // What it says the other way round is a contradiction, and both stay until one falls below the floor; so do two numbers.
    if (isNegated(node.statement) !== isNegated(statement) || differsInNumber(node, updated))
      return this.#addNode({ type: "addNode", node: { ...updated, id: `${id} otherwise` }, support });
    this.#nodes.set(node.id, updated);
    this.#give(node.id, support);
  }

  #addNode({ node, support }: Extract<GraphOperation, { type: "addNode" }>): void {
    if (this.#entries(support).length === 0) return;
    const { scope = "general" } = node;
    const given = { ...node, scope, confidence: 0 };
    const exact = this.#place(given);
    const id = this.#nodes.has(exact) ? exact : (this.#like(given)?.id ?? exact);
    // The same node may be asked for under an id of the neighbourhood or of this batch.
    if (node.id !== id) this.#ids.set(node.id, id);
    const known = this.#nodes.get(id);
    if (!known) {
      const { type, name, statement } = node;
      const terms = [...new Set([...termsOfName(name), ...(node.terms ?? [])])];
      const { cycle, now } = this.#facts;
      this.#nodes.set(id, { id, type, name, statement, confidence: 0, scope, terms, createdAt: now, cycle });
      this.#ids.delete(id);
      this.#removed.delete(id);
    }
    const opposite = this.#nodes.get(this.#place(given, !isNegated(node.statement)));
    const isNews = this.#entries(support).some((entryId) => !this.#supportOf(id).has(entryId));
    if (opposite && isNews && !differsInNumber(opposite, given)) {
      this.#nodes.set(opposite.id, { ...opposite, confidence: contradicted(opposite.confidence) });
      this.#touched.add(opposite.id);
    }
    this.#give(id, support);
  }

  /** The id that is its own, or that of the node that says what it says. */
  #place(given: Named & Pick<StoredNode, "scope">, isNegative: boolean = isNegated(given.statement)): string {
    const [plain = "", numbered] = idsOf(given, given.scope, isNegative);
    const known = this.#nodes.get(plain);
    return known && numbered !== undefined && differsInNumber(known, given) ? numbered : plain;
  }

  /** A node that says the same under a like name; what is of the person is told apart by its name alone. */
  #like(given: GraphNode & Pick<StoredNode, "scope">): StoredNode | undefined {
    if (given.scope === "own") return undefined;
    const terms = new Set(termsOfName(given.name));
    for (const node of this.#nodes.values()) {
      const isNear = node.terms.some((term) => terms.has(term));
      if (isNear && mayMerge(given, node) && isCalledAlike(given, node) && saysSame(given.statement, node.statement)) return node;
    }
    return undefined;
  }

  #addEdge(operation: Extract<GraphOperation, { type: "addEdge" }>): void {
    const [from, to, type] = [this.#now(operation.from), this.#now(operation.to), operation.edge];
    // Two ids of the batch may have become one node.
    if (this.#entries(operation.support).length === 0 || from === to || !this.#nodes.has(from) || !this.#nodes.has(to)) return;
    const edge = { from, type, to, confidence: 0 };
    if (!this.#edges.has(keyOf(edge))) {
      if (type === "IsA" && this.#links.wouldClose(from, to)) return this.#refuse("cycle");
      this.#put(edge);
    }
    const weight = weightOf(operation);
    this.#give(keyOf(edge), operation.support, typeof weight === "number" ? weight : SUPPORT_WEIGHT);
  }

  #merge(from: string, into: string): void {
    const [gone, kept] = [this.#nodes.get(from), this.#nodes.get(into)];
    if (!gone || !kept || gone === kept) return;
    if (!mayMerge(gone, kept)) return this.#refuse("differs in type, number or negation");
    if (!isCalledAlike(gone, kept)) return this.#refuse("differs in meaning");
    if (this.#links.wouldCloseAsOne(from, into)) return this.#refuse("cycle");
    const cycle = Math.max(kept.cycle, gone.cycle);
    const terms = [...new Set([...kept.terms, ...gone.terms])];
    this.#nodes.set(into, { ...kept, terms, cycle, confidence: faded(kept.confidence, cycle - kept.cycle) });
    this.#move(from, into, cycle - gone.cycle);
    for (const edge of [...this.#edges.values()]) {
      if (edge.from !== from && edge.to !== from) continue;
      const ends = { from: edge.from === from ? into : edge.from, to: edge.to === from ? into : edge.to };
      if (ends.from !== ends.to) {
        const moved = { ...edge, ...ends };
        if (!this.#edges.has(keyOf(moved))) this.#put({ ...moved, confidence: 0 });
        this.#move(keyOf(edge), keyOf(moved));
      }
      this.#edges.delete(keyOf(edge));
      this.#links.remove(edge);
      this.#removed.add(keyOf(edge));
    }
    this.#nodes.delete(from);
    this.#removed.add(from);
    this.#ids.set(from, into);
  }

  #put(edge: StoredEdge): void {
    this.#edges.set(keyOf(edge), edge);
    this.#links.add(edge);
    this.#removed.delete(keyOf(edge));
  }

  /** Support that both had counts once, and what has faded since comes as it is.
   * @param idle batches since the one was supported that it goes from */
  #move(from: string, into: string, idle = 0): void {
    for (const [entryId, weight] of this.#supportOf(from)) this.#raise(into, entryId, faded(weight, idle));
    this.#touched.add(into);
  }

  #give(of: string, fragments: readonly number[], weight = SUPPORT_WEIGHT): void {
    const node = this.#nodes.get(of);
    const { cycle } = this.#facts;
    // What has faded stays so: support comes on top of what is left.
    if (node) this.#nodes.set(of, { ...node, cycle, confidence: faded(node.confidence, cycle - node.cycle) });
    for (const entryId of this.#entries(fragments)) this.#raise(of, entryId, weight, node?.confidence);
    this.#touched.add(of);
  }

  /** @param before confidence of a node before it faded */
  #raise(of: string, entryId: EntryId, given: number, before?: number): void {
    const rows = this.#supportOf(of);
    const known = rows.get(entryId);
    const weight = this.#isToldAlready(of, entryId) ? 0 : given;
    // A memory that comes again gives back what it gave at first, as far as that has only faded.
    if (known !== undefined && (known > 0 || weight === 0))
      return this.#sure(of, (confidence) => Math.max(confidence, Math.min(before ?? 0, known)));
    rows.set(entryId, weight);
    this.#sure(of, (confidence) => supported(confidence, [weight]));
  }

  /** Whether another entry of the same turn supports general knowledge: one memory in two parts. */
  #isToldAlready(of: string, entryId: EntryId): boolean {
    const { scope } = this.#nodes.get(of) ?? this.#nodes.get(this.#edges.get(of)?.from ?? "") ?? {};
    const turns = scope === "general" ? new Set(this.#turnsOf(entryId)) : new Set();
    if (turns.size === 0) return false;
    return [...this.#supportOf(of)].some(
      ([other, weight]) => other !== entryId && weight > 0 && this.#turnsOf(other).some((turn) => turns.has(turn)),
    );
  }

  #sure(of: string, change: (confidence: number) => number): void {
    const [node, edge] = [this.#nodes.get(of), this.#edges.get(of)];
    if (node) this.#nodes.set(of, { ...node, confidence: change(node.confidence) });
    if (edge) this.#edges.set(of, { ...edge, confidence: change(edge.confidence) });
  }

  #refuse(reason: Refusal): void {
    this.#facts.onRefused?.(reason);
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

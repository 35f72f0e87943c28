/** What operations of a batch may touch of the graph, by its ids, before any of it is read. */

import { idsOf } from "../ltm/apply.js";
import { isCalledAlike, isNegated } from "../ltm/likeness.js";
import { termsOfName } from "../ltm/node-id.js";
import type { GraphNode, GraphOperation, StoredNode } from "../ports.js";

/** A node that a consolidator has seen. */
export type SeenNode = Omit<GraphNode, "confidence"> & { readonly scope?: StoredNode["scope"] };

export class TouchedGraph {
  readonly #operations: readonly GraphOperation[];
  readonly #seen: ReadonlyMap<string, SeenNode>;
  readonly #added: ReadonlyMap<string, SeenNode>;

  constructor(operations: readonly GraphOperation[], seen: readonly SeenNode[]) {
    this.#operations = operations;
    this.#seen = new Map(seen.map((node) => [node.id, node]));
    const added = operations.flatMap((operation) => (operation.type === "addNode" ? operation.node : []));
    this.#added = new Map(added.map((node) => [node.id, node]));
  }

  /** Stems of the names of new general nodes. */
  get terms(): readonly string[] {
    const general = [...this.#added.values()].filter(isGeneral);
    return [...new Set(general.flatMap(({ name }) => termsOfName(name)))];
  }

  /** Nodes that are merged. */
  merged(near: readonly StoredNode[]): readonly string[] {
    return this.#operations.flatMap((operation) =>
      operation.type === "merge" ? [operation.from, operation.into].flatMap((id) => this.#places(id, near)) : [],
    );
  }

  /** All nodes: those that are named, those that new ones may be, and what says the contrary.
   * @param near that new ones may be, as they are called */
  nodes(near: readonly StoredNode[]): readonly string[] {
    const contrary = [...this.#added.values()].flatMap((node) => idsOf(node, scopeOf(node), !isNegated(node.statement)));
    const retold = this.#operations.flatMap((operation) => {
      const node = operation.type === "update" ? this.#named(operation.id) : undefined;
      return node && operation.type === "update" ? idsOf({ ...node, statement: operation.statement }, scopeOf(node)) : [];
    });
    const added = [...this.#added.keys()].flatMap((id) => this.#places(id, near));
    return [...new Set([...this.#seen.keys(), ...added, ...contrary, ...retold])];
  }

  /** Edges that are added, between all that their ends may be. */
  edges(near: readonly StoredNode[]): readonly string[] {
    const ids = this.#operations.flatMap((operation) => {
      if (operation.type !== "addEdge") return [];
      const tos = this.#places(operation.to, near);
      return this.#places(operation.from, near).flatMap((from) => tos.map((to) => `${from} ${operation.edge} ${to}`));
    });
    return [...new Set(ids)];
  }

  /** General nodes that something is said of. */
  general(near: readonly StoredNode[]): readonly string[] {
    const told = this.#operations.flatMap((operation) => {
      if (operation.type === "addNode") return operation.node.id;
      if (operation.type === "addEdge") return [operation.from, operation.to];
      if (operation.type === "merge") return [operation.from, operation.into];
      return operation.type === "update" ? operation.id : [];
    });
    const general = [...new Set(told)].filter((id) => isGeneral(this.#named(id) ?? {}));
    return [...new Set(general.flatMap((id) => this.#places(id, near)))];
  }

  /** Whether it may change which kinds lie above a general node. */
  get changesKinds(): boolean {
    return this.#operations.some(
      (operation) =>
        operation.type === "merge" ||
        (operation.type === "addEdge" && operation.edge === "IsA" && isGeneral(this.#named(operation.to) ?? {})),
    );
  }

  #named(id: string): SeenNode | undefined {
    return this.#added.get(id) ?? this.#seen.get(id);
  }

  /** Ids under which a node may be stored. */
  #places(id: string, near: readonly StoredNode[]): readonly string[] {
    const node = this.#added.get(id);
    if (!node) return this.#seen.has(id) ? [id] : [];
    const ids = idsOf(node, scopeOf(node));
    if (!isGeneral(node)) return ids;
    const terms = new Set(termsOfName(node.name));
    const alike = near.filter((one) => one.terms.some((term) => terms.has(term)) && isCalledAlike(node, one));
    return [...ids, ...alike.map((one) => one.id)];
  }
}

function scopeOf({ scope = "general" }: Pick<SeenNode, "scope">): StoredNode["scope"] {
  return scope;
}

function isGeneral(node: Pick<SeenNode, "scope">): boolean {
  return scopeOf(node) === "general";
}

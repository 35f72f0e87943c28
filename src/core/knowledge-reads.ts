/** What is read of the graph for people: a page of it, or what is around a node. */

import { faded } from "../ltm/confidence.js";
import type { Store, StoredNode } from "../ports.js";
import type { KnowledgeNode, KnowledgePart } from "../types.js";
import { ConsolidationJobs } from "./consolidation-jobs.js";

/** Nodes of a page where none are asked for. */
const PAGE = 100;
/** Edges of a node, and memories that support it. */
const MOST = 64;

export class KnowledgeReads {
  readonly #store: Store;
  readonly #jobs: ConsolidationJobs;

  constructor(store: Store) {
    this.#store = store;
    this.#jobs = new ConsolidationJobs(store);
  }

  async nodes({ after, limit = PAGE }: { readonly after?: string; readonly limit?: number }): Promise<KnowledgePart> {
    const { nodes } = await this.#store.graph({ list: { limit, ...(after !== undefined && { after }) } });
    const last = nodes.length === limit ? nodes.at(-1)?.id : undefined;
    return { ...(await this.#shown(nodes)), ...(last !== undefined && { next: last }) };
  }

  /** General knowledge that at least two users of the database support. */
  async common({ after, limit = PAGE }: { readonly after?: string; readonly limit?: number }): Promise<KnowledgePart> {
    const { common } = await this.#store.graph({ common: { minUsers: 2, limit, ...(after !== undefined && { after }) } });
    const nodes = common.map(({ users: _, ...node }): KnowledgeNode => ({ ...node, scope: "common", entryIds: [] }));
    const last = common.length === limit ? common.at(-1)?.id : undefined;
    return { nodes, edges: [], ...(last !== undefined && { next: last }) };
  }

  /** The node, those beside it, and the edges between. */
  async neighbours(id: string): Promise<KnowledgePart> {
    const { edges } = await this.#store.graph({ edgesOf: [id], limit: MOST });
    const ids = [...new Set([id, ...edges.flatMap(({ from, to }) => [from, to])])];
    const { nodes } = await this.#store.graph({ nodes: ids });
    return this.#shown(nodes);
  }

  async #shown(nodes: readonly StoredNode[]): Promise<KnowledgePart> {
    const ids = nodes.map(({ id }) => id);
    const [{ edges, support }, { cycle }] = await Promise.all([
      this.#store.graph({ edgesOf: ids, supportOf: ids, limit: MOST }),
      this.#jobs.row(),
    ]);
    const supporters = new Map<string, KnowledgeNode["entryIds"][number][]>(ids.map((id) => [id, []]));
    for (const { of, entryId } of support) supporters.get(of)?.push(entryId);
    return {
      nodes: nodes.map(({ id, type, name, statement, confidence, scope, cycle: last }) => ({
        id,
        type,
        name,
        statement,
        confidence: faded(confidence, cycle - last),
        scope,
        entryIds: supporters.get(id) ?? [],
      })),
      edges: edges.map(({ from, to, type, confidence }) => ({ from, to, type, confidence })),
    };
  }
}

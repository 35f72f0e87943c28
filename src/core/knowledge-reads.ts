/** What is read of the graph for people: a page of it, or what is around a node. */

import { faded, isCandidate } from "../ltm/confidence.js";
import type { Store, StoredEdge, StoredNode } from "../ports.js";
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

  /** @param candidates with general knowledge that only one memory supports so far */
  async nodes({
    after,
    limit = PAGE,
    candidates = false,
  }: {
    readonly after?: string;
    readonly limit?: number;
    readonly candidates?: boolean;
  }): Promise<KnowledgePart> {
    const { nodes } = await this.#store.graph({ list: { limit, ...(after !== undefined && { after }) } });
    const last = nodes.length === limit ? nodes.at(-1)?.id : undefined;
    return { ...(await this.#shown(nodes, candidates)), ...(last !== undefined && { next: last }) };
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

  async #shown(all: readonly StoredNode[], withCandidates = false): Promise<KnowledgePart> {
    const nodes = withCandidates ? all : all.filter((node) => !isCandidate(node));
    const ids = nodes.map(({ id }) => id);
    const [{ edges: found, support }, { cycle }] = await Promise.all([
      this.#store.graph({ edgesOf: ids, supportOf: ids, limit: MOST }),
      this.#jobs.row(),
    ]);
    const edges = withCandidates ? found : await this.#betweenShown(found, all);
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
  /** @param known nodes that need not be read */
  async #betweenShown(edges: readonly StoredEdge[], known: readonly StoredNode[]): Promise<readonly StoredEdge[]> {
    const read = new Set(known.map(({ id }) => id));
    const others = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((id) => !read.has(id));
    const { nodes } = others.length > 0 ? await this.#store.graph({ nodes: others }) : { nodes: [] };
    const hidden = new Set([...known, ...nodes].filter((node) => isCandidate(node)).map(({ id }) => id));
    return edges.filter(({ from, to }) => !hidden.has(from) && !hidden.has(to));
  }
}

/** The graph's rows in IndexedDB: what a write does to them, inside its transaction, and what is read of them. */
import { unwrap } from "idb";
import type { CommonNode, GraphPart, GraphRead, GraphWrite, StoredEdge, StoredNode, SupportRow } from "../../ports.js";
import type { EntryId, UserId } from "../../types.js";
import { checkLimit } from "../checks.js";
import { byTarget, edgeId, edgeKey, edgesInCommon, inCommon, isEdge, isNode, limitOf, without } from "../graph-rows.js";
import { isRecord } from "../row-shapes.js";
import type { EdgeRow, NodeRow, ReadTransaction, StoreName, SupportedRow, WriteTransaction } from "../schema.js";
import { withPrefix } from "./ranges.js";

/** The object stores that the graph lies in. */
export const GRAPH_STORES: readonly StoreName[] = ["nodes", "edges", "supports"];

/** Rows read at a time where all of a range are wanted. */
const PAGE = 256;
/** Rows written at a time: the thread is held for no more. */
const SLICE = 16;

/** Reads of either transaction. */
class GraphReads {
  readonly user: UserId;
  readonly #transaction: ReadTransaction;

  constructor(transaction: ReadTransaction | WriteTransaction, user: UserId) {
    // A read of either transaction; the union of both is more than the compiler can follow.
    this.#transaction = transaction as ReadTransaction;
    this.user = user;
  }

  async node(id: string): Promise<StoredNode | undefined> {
    return nodeOf(await this.#transaction.objectStore("nodes").get([this.user, id]));
  }

  async edge([from, type, to]: readonly [string, string, string]): Promise<StoredEdge | undefined> {
    return edgeOf(await this.#transaction.objectStore("edges").get([this.user, from, type, to]));
  }

  async withTerm(term: string, limit: number): Promise<StoredNode[]> {
    const rows = await this.#transaction
      .objectStore("nodes")
      .index("byTerm")
      .getAll(IDBKeyRange.only([this.user, term]), limit);
    return rows.flatMap((row) => nodeOf(row) ?? []);
  }

  async list({ after, limit }: NonNullable<GraphRead["list"]>): Promise<StoredNode[]> {
    const range =
      after === undefined ? withPrefix(this.user) : IDBKeyRange.bound([this.user, after], [this.user, []], true, true);
    const rows = await this.#transaction.objectStore("nodes").getAll(range, checkLimit(limit));
    return rows.flatMap((row) => nodeOf(row) ?? []);
  }

  async edgesOf(id: string, limit?: number): Promise<StoredEdge[]> {
    const edges = this.#transaction.objectStore("edges");
    const [out, back] = await Promise.all([
      edges.getAll(withPrefix(this.user, id), limit),
      edges.index("byTarget").getAll(IDBKeyRange.only([this.user, id]), limit),
    ]);
    return [...out, ...back].flatMap((row) => edgeOf(row) ?? []);
  }

  async supportOf(of: string, limit?: number): Promise<SupportRow[]> {
    const rows = await this.#transaction.objectStore("supports").getAll(withPrefix(this.user, of), limit);
    return rows.flatMap((row) => supportOf(row) ?? []);
  }

  async supportBy(entryId: EntryId): Promise<SupportRow[]> {
    const index = this.#transaction.objectStore("supports").index("byEntry");
    return (await index.getAll(IDBKeyRange.only([this.user, entryId]))).flatMap((row) => supportOf(row) ?? []);
  }

  async counts(): Promise<{ readonly nodes: number; readonly edges: number }> {
    const range = withPrefix(this.user);
    const [nodes, edges] = await Promise.all([
      this.#transaction.objectStore("nodes").count(range),
      this.#transaction.objectStore("edges").count(range),
    ]);
    return { nodes, edges };
  }

  /** Of all users of the database, page by page of the index. */
  async common({ minUsers, after, limit }: NonNullable<GraphRead["common"]>): Promise<CommonNode[]> {
    const most = checkLimit(limit);
    const index = this.#transaction.objectStore("nodes").index("byShared");
    const found: CommonNode[] = [];
    let same: StoredNode[] = [];
    const end = () => {
      if (same.length >= minUsers) found.push(inCommon(same));
      same = [];
    };
    let from: IDBValidKey[] | undefined = after === undefined ? undefined : [after, []];
    while (found.length < most) {
      const rows = (await index.getAll((from && IDBKeyRange.lowerBound(from, true)) as never, PAGE)) as NodeRow[];
      for (const row of rows) {
        const node = nodeOf(row);
        if (!node) continue;
        if (same[0] && same[0].id !== node.id) end();
        same.push(node);
      }
      const last = rows.at(-1);
      if (rows.length < PAGE || !last) {
        end();
        break;
      }
      from = [last.shared ?? "", last.user];
    }
    return found.slice(0, most);
  }

  /** Edges from a node that so many users have. */
  async commonEdges(id: string, minUsers: number): Promise<StoredEdge[]> {
    const [nodes, edges] = [this.#transaction.objectStore("nodes"), this.#transaction.objectStore("edges")];
    const sharers = (await nodes.index("byShared").getAll(IDBKeyRange.bound([id], [id, []]) as never)) as NodeRow[];
    const rows = await Promise.all(sharers.map(({ user }) => edges.getAll(withPrefix(user, id))));
    return edgesInCommon(
      rows.flat().flatMap((row) => edgeOf(row) ?? []),
      minUsers,
    );
  }
}

export async function readGraph(transaction: ReadTransaction, user: UserId, read: GraphRead): Promise<GraphPart> {
  const most = limitOf(read);
  const rows = new GraphReads(transaction, user);
  const each = <Key, Row>(keys: readonly Key[] | undefined, of: (key: Key) => Promise<Row[]>) =>
    Promise.all((keys ?? []).map(of)).then((found) => found.flat());
  const [byId, byTerm, listed, edgesById, edgesAround, support, supportBy, common, counts] = await Promise.all([
    each(read.nodes, async (id) => [await rows.node(id)]),
    each(read.terms, (term) => rows.withTerm(term, most)),
    read.list ? rows.list(read.list) : [],
    each(read.edges, async (id) => [await rows.edge(edgeKey(id) ?? ["", "", ""])]),
    each(read.edgesOf, (id) => rows.edgesOf(id, most)),
    each(read.supportOf, (of) => rows.supportOf(of, most)),
    each(read.supportBy, (id) => rows.supportBy(id)),
    read.common ? withEdges(rows, read.common) : { nodes: [], edges: [] },
    read.counts ? rows.counts() : undefined,
  ]);
  const edges = [...edgesById, ...edgesAround, ...common.edges].filter((edge) => edge !== undefined);
  const nodes = [...byId, ...byTerm, ...listed].filter((node) => node !== undefined);
  return {
    nodes: [...new Map(nodes.map((node) => [node.id, node])).values()],
    edges: [...new Map(edges.map((edge) => [edgeId(edge), edge])).values()],
    support: [...support, ...supportBy],
    common: common.nodes,
    ...(counts && { counts }),
  };
}

async function withEdges(rows: GraphReads, common: NonNullable<GraphRead["common"]>) {
  const nodes = await rows.common(common);
  const edges = common.withEdges ? await Promise.all(nodes.map(({ id }) => rows.commonEdges(id, common.minUsers))) : [];
  return { nodes, edges: edges.flat() };
}

export class GraphRows {
  readonly #reads: GraphReads;
  readonly #transaction: WriteTransaction;
  readonly #user: UserId;

  constructor(transaction: WriteTransaction, user: UserId) {
    this.#transaction = transaction;
    this.#user = user;
    this.#reads = new GraphReads(transaction, user);
  }

  /** What these entries supported loses them. */
  async unsupport(entryIds: readonly EntryId[]): Promise<void> {
    const rows = (await Promise.all(entryIds.map((id) => this.#reads.supportBy(id)))).flat();
    for (const { of, entryId } of rows) this.#delete("supports", of, entryId);
    for (const [of, lost] of byTarget(rows)) {
      const key = edgeKey(of);
      const [row, left] = await Promise.all([key ? this.#reads.edge(key) : this.#reads.node(of), this.#reads.supportOf(of, 1)]);
      if (!row) continue;
      if (left.length === 0 && !row.isImported) await (key ? this.#removeEdge(of) : this.#removeNode(of));
      else if ("name" in row) this.#putNode(without(row, lost));
      else this.#putEdge(without(row, lost));
    }
  }

  /** @param isStored whether an entry is there after this write */
  async write(
    { nodes = [], edges = [], support = [], removeNodes = [], removeEdges = [] }: GraphWrite,
    isStored: (id: EntryId) => boolean,
  ): Promise<void> {
    for (const id of removeNodes) await this.#removeNode(id);
    for (const id of removeEdges) this.#removeEdge(id);
    await this.#inSlices(nodes, (node) => this.#putNode(node));
    const ends = await Promise.all(edges.map(({ from, to }) => Promise.all([this.#reads.node(from), this.#reads.node(to)])));
    const joined = edges.filter((_, at) => ends[at]?.every((node) => node !== undefined));
    await this.#inSlices(joined, (edge) => this.#putEdge(edge));
    const stored = support.filter(({ entryId }) => isStored(entryId));
    await this.#inSlices(stored, (row) =>
      this.#put("supports", { user: this.#user, support: row } satisfies SupportedRow, row.of, row.entryId),
    );
  }

  /** Others have the thread between two slices, while the transaction waits for a key that it does not need. */
  async #inSlices<T>(rows: readonly T[], put: (row: T) => void): Promise<void> {
    for (const [at, row] of rows.entries()) {
      put(row);
      if (at % SLICE === SLICE - 1) await this.#transaction.objectStore("nodes").getKey([this.#user, ""]);
    }
  }

  #putNode(node: StoredNode): void {
    const terms = [...new Set(node.terms)].map((term) => [this.#user, term] as const);
    const isShared = node.scope === "general" && !node.isImported;
    this.#put("nodes", { user: this.#user, node, terms, ...(isShared && { shared: node.id }) } satisfies NodeRow, node.id);
  }

  #putEdge(edge: StoredEdge): void {
    this.#put("edges", { user: this.#user, edge } satisfies EdgeRow, edge.from, edge.type, edge.to);
  }

  async #removeNode(id: string): Promise<void> {
    for (const edge of await this.#reads.edgesOf(id)) this.#removeEdge(edgeId(edge));
    this.#delete("nodes", id);
    this.#deleteAll(id);
  }

  #removeEdge(id: string): void {
    this.#delete("edges", ...(edgeKey(id) ?? []));
    this.#deleteAll(id);
  }

  #deleteAll(of: string): void {
    unwrap(this.#transaction.objectStore("supports")).delete(withPrefix(this.#user, of));
  }

  #put(store: StoreName, row: object, ...key: readonly string[]): void {
    unwrap(this.#transaction.objectStore(store)).put(row, [this.#user, ...key]);
  }

  #delete(store: StoreName, ...key: readonly string[]): void {
    unwrap(this.#transaction.objectStore(store)).delete([this.#user, ...key]);
  }
}

function nodeOf(row: unknown): StoredNode | undefined {
  return isRecord(row) && isNode(row.node) ? row.node : undefined;
}

function edgeOf(row: unknown): StoredEdge | undefined {
  return isRecord(row) && isEdge(row.edge) ? row.edge : undefined;
}

function supportOf(row: unknown): SupportRow | undefined {
  return isRecord(row) && isRecord(row.support) ? (row.support as unknown as SupportRow) : undefined;
}

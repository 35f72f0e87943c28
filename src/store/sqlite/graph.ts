/** The graph's rows in SQLite: what a write does to them, inside its transaction, and what is read of them. */
import type { Database } from "better-sqlite3";
import type { CommonNode, GraphPart, GraphRead, GraphWrite, StoredEdge, StoredNode, SupportRow } from "../../ports.js";
import type { EntryId } from "../../types.js";
import { checkLimit } from "../checks.js";
import { byTarget, edgeId, edgeKey, edgesInCommon, inCommon, isEdge, isNode, limitOf, without } from "../graph-rows.js";
import { fromKey, toKey } from "./key.js";

interface BodyOnly {
  readonly body: string;
}

interface SupportColumns {
  readonly of: Buffer;
  readonly entry: Buffer;
  readonly weight: number;
}

export class GraphRows {
  readonly #database: Database;
  readonly #user: number;

  constructor(database: Database, user: number) {
    this.#database = database;
    this.#user = user;
  }

  /** What these entries supported loses them. */
  unsupport(entryIds: readonly EntryId[]): void {
    const lost = byTarget(this.supportBy(entryIds));
    for (const id of entryIds) this.#run("DELETE FROM supports WHERE user = ? AND entry = ?", toKey(id));
    for (const [of, rows] of lost) {
      const isLast = this.#database
        .prepare("SELECT 1 FROM supports WHERE user = ? AND of = ? LIMIT 1")
        .get(this.#user, toKey(of));
      const key = edgeKey(of);
      const row = key ? this.#edge(key) : this.node(of);
      if (!row) continue;
      if (isLast === undefined && !row.isImported) {
        if (key) this.#removeEdge(of);
        else this.#removeNode(of);
      } else if ("name" in row) this.#putNode(without(row, rows));
      else this.#putEdge(without(row, rows));
    }
  }

  /** @param isStored whether an entry is there after this write */
  write(
    { nodes = [], edges = [], support = [], removeNodes = [], removeEdges = [] }: GraphWrite,
    isStored: (id: EntryId) => boolean,
  ): void {
    for (const id of removeNodes) this.#removeNode(id);
    for (const id of removeEdges) this.#removeEdge(id);
    for (const node of nodes) this.#putNode(node);
    for (const edge of edges) if (this.node(edge.from) && this.node(edge.to)) this.#putEdge(edge);
    for (const { of, entryId, weight } of support)
      if (isStored(entryId))
        this.#database
          .prepare("INSERT OR REPLACE INTO supports (user, of, entry, weight) VALUES (?, ?, ?, ?)")
          .run(this.#user, toKey(of), toKey(entryId), weight);
  }

  read(read: GraphRead): GraphPart {
    const most = limitOf(read);
    const nodes = new Map<string, StoredNode>();
    for (const id of read.nodes ?? []) keep(nodes, this.node(id));
    for (const term of read.terms ?? [])
      for (const { body } of this.#all<BodyOnly>(
        "SELECT body FROM node_terms t JOIN nodes n ON n.user = t.user AND n.id = t.node WHERE t.user = ? AND t.term = ? LIMIT ?",
        toKey(term),
        most,
      ))
        keep(nodes, JSON.parse(body));
    if (read.list) {
      const after = toKey(read.list.after ?? "");
      const limit = checkLimit(read.list.limit);
      const page = "SELECT body FROM nodes WHERE user = ? AND id > ? ORDER BY id LIMIT ?";
      for (const { body } of this.#all<BodyOnly>(page, after, limit)) keep(nodes, JSON.parse(body));
    }
    const edges = (read.edgesOf ?? []).flatMap((id) =>
      ["source", "target"].flatMap((end) =>
        this.#all<BodyOnly>(`SELECT body FROM edges WHERE user = ? AND ${end} = ? LIMIT ?`, toKey(id), most),
      ),
    );
    const support = (read.supportOf ?? []).flatMap((of) =>
      this.#all<SupportColumns>("SELECT of, entry, weight FROM supports WHERE user = ? AND of = ? LIMIT ?", toKey(of), most),
    );
    const byId = (read.edges ?? []).flatMap((id) => this.#edge(edgeKey(id) ?? ["", "", ""]) ?? []);
    const common = read.common ? commonNodes(this.#database, read.common) : [];
    const shared = read.common?.withEdges ? common.flatMap(({ id }) => commonEdges(this.#database, id, read.common)) : [];
    const parsed = [...byId, ...edges.map(({ body }): unknown => JSON.parse(body)).filter(isEdge), ...shared];
    return {
      nodes: [...nodes.values()],
      edges: [...new Map(parsed.map((edge) => [edgeId(edge), edge])).values()],
      support: [...support.map(supportRow), ...this.supportBy(read.supportBy ?? [])],
      common,
      ...(read.counts && { counts: { nodes: this.#count("nodes"), edges: this.#count("edges") } }),
    };
  }

  node(id: string): StoredNode | undefined {
    const [row] = this.#all<BodyOnly>("SELECT body FROM nodes WHERE user = ? AND id = ?", toKey(id));
    const node: unknown = row && JSON.parse(row.body);
    return isNode(node) ? node : undefined;
  }

  supportBy(entryIds: readonly EntryId[]): SupportRow[] {
    const rows = "SELECT of, entry, weight FROM supports WHERE user = ? AND entry = ?";
    return entryIds.flatMap((id) => this.#all<SupportColumns>(rows, toKey(id)).map(supportRow));
  }

  #edge([from, type, to]: readonly [string, string, string]): StoredEdge | undefined {
    const select = "SELECT body FROM edges WHERE user = ? AND source = ? AND type = ? AND target = ?";
    const [row] = this.#all<BodyOnly>(select, toKey(from), type, toKey(to));
    const edge: unknown = row && JSON.parse(row.body);
    return isEdge(edge) ? edge : undefined;
  }

  #putNode(node: StoredNode): void {
    const id = toKey(node.id);
    const isShared = node.scope === "general" && !node.isImported ? 1 : 0;
    this.#run("DELETE FROM nodes WHERE user = ? AND id = ?", id);
    this.#run("DELETE FROM node_terms WHERE user = ? AND node = ?", id);
    this.#run("INSERT INTO nodes (user, id, is_shared, body) VALUES (?, ?, ?, ?)", id, isShared, JSON.stringify(node));
    for (const term of new Set(node.terms))
      this.#run("INSERT INTO node_terms (user, term, node) VALUES (?, ?, ?)", toKey(term), id);
  }

  #putEdge(edge: StoredEdge): void {
    const insert = "INSERT OR REPLACE INTO edges (user, source, type, target, body) VALUES (?, ?, ?, ?, ?)";
    this.#run(insert, toKey(edge.from), edge.type, toKey(edge.to), JSON.stringify(edge));
  }

  #removeNode(id: string): void {
    for (const end of ["source", "target"])
      for (const { body } of this.#all<BodyOnly>(`SELECT body FROM edges WHERE user = ? AND ${end} = ?`, toKey(id)))
        this.#removeEdge(edgeId(JSON.parse(body)));
    for (const table of ["nodes WHERE user = ? AND id", "node_terms WHERE user = ? AND node", "supports WHERE user = ? AND of"])
      this.#run(`DELETE FROM ${table} = ?`, toKey(id));
  }

  #removeEdge(id: string): void {
    const key = edgeKey(id);
    if (!key) return;
    const [from, type, to] = key;
    this.#run("DELETE FROM edges WHERE user = ? AND source = ? AND type = ? AND target = ?", toKey(from), type, toKey(to));
    this.#run("DELETE FROM supports WHERE user = ? AND of = ?", toKey(id));
  }

  #count(table: "nodes" | "edges"): number {
    return this.#all<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table} WHERE user = ?`)[0]?.count ?? 0;
  }

  #all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.#database.prepare<unknown[], Row>(sql).all(this.#user, ...values);
  }

  #run(sql: string, ...values: readonly unknown[]): void {
    this.#database.prepare<unknown[]>(sql).run(this.#user, ...values);
  }
}

/** Of all users of the database. */
function commonNodes(
  database: Database,
  { minUsers, after = "", limit }: NonNullable<GraphRead["common"]>,
): readonly CommonNode[] {
  const ids = database
    .prepare<unknown[], { id: Buffer }>(
      "SELECT id FROM nodes WHERE is_shared = 1 AND id > ? GROUP BY id HAVING COUNT(*) >= ? ORDER BY id LIMIT ?",
    )
    .all(toKey(after), minUsers, checkLimit(limit));
  const select = database.prepare<unknown[], BodyOnly>("SELECT body FROM nodes WHERE is_shared = 1 AND id = ? ORDER BY user");
  return ids.map(({ id }) => inCommon(select.all(id).map(({ body }) => JSON.parse(body))));
}

/** Edges from a node that so many users have. */
function commonEdges(
  database: Database,
  id: string,
  { minUsers = 2 }: Partial<NonNullable<GraphRead["common"]>> = {},
): StoredEdge[] {
  const rows = database
    .prepare<unknown[], BodyOnly>(
      "SELECT body FROM edges WHERE user IN (SELECT user FROM nodes WHERE is_shared = 1 AND id = ?) AND source = ?",
    )
    .all(toKey(id), toKey(id));
  return edgesInCommon(rows.map(({ body }): unknown => JSON.parse(body)).filter(isEdge), minUsers);
}

function keep(nodes: Map<string, StoredNode>, node: unknown): void {
  if (isNode(node)) nodes.set(node.id, node);
}

function supportRow({ of, entry, weight }: SupportColumns): SupportRow {
  return { of: fromKey(of), entryId: fromKey(entry) as EntryId, weight };
}

/** What both backends say of the graph's rows: the id of an edge, what a lost support takes along, what is refused at the door. */
import type { CommonNode, GraphEdge, GraphRead, GraphWrite, StoredEdge, StoredNode, SupportRow } from "../ports.js";
import type { Entry } from "../types.js";
import { isRecord } from "./row-shapes.js";

/** Rows for each key that is asked for, where a caller names no limit. */
const DEFAULT_LIMIT = 64;
const EDGE_TYPES: ReadonlySet<string> = new Set(["IsA", "HasProperty", "RelatedTo", "Implies"] satisfies GraphEdge["type"][]);

/** Node ids have no spaces, so that no edge is taken for another. */
export function edgeId({ from, type, to }: Pick<GraphEdge, "from" | "type" | "to">): string {
  return `${from} ${type} ${to}`;
}

/** The ends and the type of an edge's id; `undefined` for the id of a node. */
export function edgeKey(id: string): readonly [from: string, type: string, to: string] | undefined {
  const [from = "", type = "", to, ...rest] = id.split(" ");
  return to === undefined || rest.length > 0 ? undefined : [from, type, to];
}

/** Confidence without what a support gave: the step c ← 1 − (1 − c)(1 − weight) backwards. */
export function without<Row extends StoredNode | StoredEdge>(row: Row, lost: readonly SupportRow[]): Row {
  const doubt = lost.reduce((left, { weight }) => Math.min(1, left / (1 - weight)), 1 - row.confidence);
  return { ...row, confidence: 1 - doubt };
}

/** An entry of other words is consolidated anew. */
export function withoutConsolidation(entry: Entry, before: Entry | undefined): Entry {
  const isReworded = before && before.indexText !== entry.indexText;
  return isReworded && before.consolidatedAt === entry.consolidatedAt ? unconsolidated(entry) : entry;
}

/** As it was before any consolidation. */
export function unconsolidated({ consolidatedAt: _, consolidatedByEngineAt: __, ...entry }: Entry): Entry {
  return entry;
}

export function isNode(value: unknown): value is StoredNode {
  return isRecord(value) && typeof value.id === "string" && typeof value.name === "string" && Number.isFinite(value.confidence);
}

export function isEdge(value: unknown): value is StoredEdge {
  return isRecord(value) && typeof value.from === "string" && typeof value.to === "string" && Number.isFinite(value.confidence);
}

/** @throws TypeError | RangeError for rows that no reader could use */
export function checkGraph({ nodes = [], edges = [], support = [], removeNodes = [], removeEdges = [] }: GraphWrite): void {
  for (const { id, name, statement, confidence, terms } of nodes) {
    checkNodeId(id);
    if (typeof name !== "string" || typeof statement !== "string")
      throw new TypeError(`a text of the node ${id} is not a string`);
    if (!Array.isArray(terms)) throw new TypeError(`the terms of the node ${id} are not an array`);
    checkConfidence(id, confidence);
  }
  for (const edge of edges) {
    checkNodeId(edge.from);
    checkNodeId(edge.to);
    if (!EDGE_TYPES.has(edge.type)) throw new TypeError(`the type of an edge is ${String(edge.type)}`);
    if (edge.from === edge.to) throw new TypeError(`the node ${edge.from} has an edge to itself`);
    checkConfidence(edgeId(edge), edge.confidence);
  }
  for (const { of, weight } of support)
    if (!(weight >= 0 && weight < 1))
      throw new RangeError(`the support of ${of} weighs ${weight}, not 0 or more and less than 1`);
  for (const id of removeNodes) checkNodeId(id);
  for (const id of removeEdges) if (!edgeKey(id)) throw new TypeError(`${id} is not the id of an edge`);
}

/** @throws RangeError */
export function limitOf({ limit = DEFAULT_LIMIT }: Pick<GraphRead, "limit">): number {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`limit must be an integer of 1 or more, got ${limit}`);
  return limit;
}

/** Nodes that several partitions hold, as one. */
export function inCommon(nodes: readonly StoredNode[]): CommonNode {
  const [first] = nodes as readonly [StoredNode];
  const statements = nodes.map(({ statement }) => statement);
  const same = statements.find((statement, at) => statements.indexOf(statement) !== at);
  const doubt = nodes.reduce((left, { confidence }) => left * (1 - confidence), 1);
  const { id, type, name } = first;
  return { id, type, name, confidence: 1 - doubt, users: nodes.length, ...(same !== undefined && { statement: same }) };
}

/** What so many users say of their own of one node's edges, as one each. */
export function edgesInCommon(edges: readonly StoredEdge[], minUsers: number): StoredEdge[] {
  const same = new Map<string, StoredEdge[]>();
  for (const edge of edges) if (!edge.isImported) same.set(edgeId(edge), [...(same.get(edgeId(edge)) ?? []), edge]);
  return [...same.values()]
    .filter(({ length }) => length >= minUsers)
    .map((all) => {
      const [{ from, to, type }] = all as unknown as readonly [StoredEdge];
      return { from, to, type, confidence: 1 - all.reduce((left, { confidence }) => left * (1 - confidence), 1) };
    });
}

/** Support rows by what they support. */
export function byTarget(rows: readonly SupportRow[]): ReadonlyMap<string, readonly SupportRow[]> {
  const found = new Map<string, SupportRow[]>();
  for (const row of rows) {
    const same = found.get(row.of);
    if (same) same.push(row);
    else found.set(row.of, [row]);
  }
  return found;
}

function checkNodeId(id: string): void {
  if (typeof id !== "string" || id === "" || id.includes(" "))
    throw new TypeError(`the id of a node must be a string without spaces, got ${JSON.stringify(id)}`);
}

function checkConfidence(of: string, confidence: number): void {
  if (!(confidence >= 0 && confidence <= 1)) throw new RangeError(`the confidence of ${of} is ${confidence}, not 0 to 1`);
}

/** General knowledge as it goes from device to device: what is read of a file, and the rows that it becomes. */

import type { ConsolidationBatch, GraphNode, GraphOperation, GraphPart, StoredEdge, StoredNode } from "../ports.js";
import type { KnowledgeFile, Timestamp } from "../types.js";
import { faded, IMPORTED } from "./confidence.js";
import { nodeId, termsOfName } from "./node-id.js";
import { checkOperations, operationsFor, type Refusals } from "./operations.js";

export const FORMAT = "keepsake-knowledge";
export const VERSION = 1;
/** Nodes and edges of a file; ten times what a person's memory comes to in years. */
const MAX_ROWS = 200_000;

/** The frame of a file; its nodes and edges are looked at one by one.
 * @throws TypeError for what is no such file; RangeError for a newer version or too many rows */
export function readKnowledge(file: unknown): { readonly nodes: readonly unknown[]; readonly edges: readonly unknown[] } {
  const { format, version, nodes, edges } = members(file);
  if (format !== FORMAT || !Array.isArray(nodes) || !Array.isArray(edges))
    throw new TypeError(`knowledge is an object with format "${FORMAT}", version, nodes and edges`);
  if (version !== VERSION) throw new RangeError(`this build reads version ${VERSION} of ${FORMAT}, not ${String(version)}`);
  if (nodes.length + edges.length > MAX_ROWS)
    throw new RangeError(`knowledge has at most ${MAX_ROWS} nodes and edges, not ${nodes.length + edges.length}`);
  return { nodes, edges };
}

export interface SoundKnowledge {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly StoredEdge[];
  readonly refused: Refusals;
}

/** What may come in: the same rules as for a consolidator that is not on this device, and ids of our own making.
 * @param around what is stored beside it already, so that no circle is closed */
export function soundKnowledge(
  { nodes, edges }: ReturnType<typeof readKnowledge>,
  around: Pick<GraphPart, "nodes" | "edges">,
  identifies: (text: string) => boolean,
): SoundKnowledge {
  const ids = new Map<unknown, string>();
  const confidences = new Map<string, number>();
  const wanted: unknown[] = [];
  const unsure = { count: 0 };
  const isSure = (confidence: unknown): confidence is number =>
    typeof confidence === "number" && confidence > 0 && confidence <= 1;
  for (const one of nodes) {
    const node = members(one);
    if (!isSure(node.confidence)) unsure.count++;
    else {
      const id = idOf(node);
      ids.set(node.id, id);
      confidences.set(id, node.confidence);
      const { type, name, statement } = node;
      wanted.push({ type: "addNode", node: { id, type, name, statement: statement ?? name }, support: [1] });
    }
  }
  for (const one of edges) {
    const { from, to, type, confidence } = members(one);
    if (!isSure(confidence)) unsure.count++;
    else {
      const ends = { from: ids.get(from) ?? "", to: ids.get(to) ?? "" };
      confidences.set(`${ends.from} ${String(type)} ${ends.to}`, confidence);
      wanted.push({ type: "addEdge", ...ends, edge: type, support: [1] });
    }
  }
  const { sound, refused } = checkOperations(wanted, batchFor(wanted.length, around), { identifies, allowsOwn: false });
  const sure = (key: string): number => (confidences.get(key) ?? 0) * IMPORTED;
  return {
    nodes: sound.flatMap((operation) =>
      operation.type === "addNode" ? [{ ...plainNode(operation), confidence: sure(operation.node.id) }] : [],
    ),
    edges: sound.flatMap((operation) => {
      if (operation.type !== "addEdge") return [];
      const { from, to, edge: type } = operation;
      return [{ from, to, type, confidence: sure(`${from} ${type} ${to}`), isImported: true as const }];
    }),
    refused: { ...refused, ...(unsure.count > 0 && { "not an operation": (refused["not an operation"] ?? 0) + unsure.count }) },
  };
}

/** The rows to put, of those that tell more than what is stored: nothing on a second time, and never over the person's own word. */
export function importedRows(
  { nodes, edges }: Pick<SoundKnowledge, "nodes" | "edges">,
  stored: Pick<GraphPart, "nodes" | "edges">,
  { cycle, now }: { readonly cycle: number; readonly now: Timestamp },
): { readonly nodes: readonly StoredNode[]; readonly edges: readonly StoredEdge[] } {
  const key = ({ from, type, to }: StoredEdge): string => `${from} ${type} ${to}`;
  const knownNodes = new Map(stored.nodes.map((node) => [node.id, node]));
  const knownEdges = new Map(stored.edges.map((edge) => [key(edge), edge]));
  return {
    nodes: nodes.flatMap((node): StoredNode[] => {
      const known = knownNodes.get(node.id);
      if (known && (!known.isImported || faded(known.confidence, cycle - known.cycle) >= node.confidence)) return [];
      const createdAt = known?.createdAt ?? now;
      return [{ ...node, scope: "general", terms: [...new Set(termsOfName(node.name))], createdAt, cycle, isImported: true }];
    }),
    edges: edges.filter((edge) => {
      const known = knownEdges.get(key(edge));
      return !known || (known.isImported === true && known.confidence < edge.confidence);
    }),
  };
}

/** As it goes out, without anything of the row that it was. */
export function knowledgeFile(nodes: KnowledgeFile["nodes"], edges: KnowledgeFile["edges"]): KnowledgeFile {
  return { format: FORMAT, version: VERSION, nodes, edges };
}

/** Ids of files are not trusted: another device may have made them in another way. */
function idOf({ type, name, statement }: Readonly<Record<string, unknown>>): string {
  const text = (value: unknown): string => (typeof value === "string" ? value.slice(0, 1_000) : "");
  return nodeId({ type: text(type) as GraphNode["type"], name: text(name), statement: text(statement) }, "general");
}

function plainNode({ node: { id, type, name, statement } }: Extract<GraphOperation, { type: "addNode" }>) {
  return { id, type, name, statement };
}

function batchFor(operations: number, around: Pick<GraphPart, "nodes" | "edges">): ConsolidationBatch {
  const count = Math.ceil(operations / (operationsFor(2) - operationsFor(1))) + 1;
  return {
    fragments: Array.from({ length: count }, (_, at) => ({ fragment: at + 1, text: "", kind: "fact" as const })),
    nodes: around.nodes,
    edges: around.edges,
  };
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Looks at what a consolidator wants of the graph, operation by operation: what it may not do is refused and counted, the rest is done. */

import type { ConsolidationBatch, EdgeType, GraphNode, GraphOperation, NodeType } from "../ports.js";
import { mayMerge } from "./likeness.js";

export type Refusal =
  | "not an operation"
  | "unknown id"
  | "unknown fragment"
  | "without support"
  | "too long"
  | "wrong type"
  | "edge to itself"
  | "cycle"
  | "differs in type, number or negation"
  | "names an identity"
  | "event of one person"
  | "too many operations";

/** How often each reason applied. */
export type Refusals = Readonly<Partial<Record<Refusal, number>>>;

export interface OperationRules {
  /** Whether a text names somebody, by every detector there is. */
  readonly identifies: (text: string) => boolean;
  /** The consolidator stays on the device: it may add nodes of the person's own, which are not looked at for identities. */
  readonly allowsOwn: boolean;
}

/** Operations that a batch of this many fragments may ask for. */
export const operationsFor = (fragments: number): number => 8 * fragments + 8;

const MAX_NAME = 80;
const MAX_STATEMENT = 240;
const MAX_ID = 80;
/** A small model copies the "…" of the prompt's example. */
const SAYS = /[\p{L}\p{N}]/u;
const NODE_TYPES: ReadonlySet<unknown> = new Set<NodeType>(["Entity", "Concept"]);
const EDGE_TYPES: ReadonlySet<unknown> = new Set<EdgeType>(["IsA", "HasProperty", "RelatedTo", "Implies"]);
/** Knowledge speaks of nobody and of no day. */
const PERSONAL =
  /(?<![\p{L}'’])(?:I|me|my|mine|we|our|us|you|your|he|she|him|his|her|hers|(?:the )?user(?:['’]s)?|assistant|ich|mein\w*|du|dein\w*|yo|mi|tú|tu)(?![\p{L}])|我|你|他|她|用户/iu;
const DAY =
  /(?<!\p{Nd})(?:(?:19|20)\p{Nd}{2}|\p{Nd}{1,2}[./-]\p{Nd}{1,2}(?:[./-]\p{Nd}{2,4})?)(?!\p{Nd})|(?<!\p{L})(?:yesterday|today|tonight|tomorrow|last (?:week|month|year|night|summer|winter|spring|autumn|fall)|next (?:week|month|year)|gestern|heute|morgen|ayer|hoy|mañana)(?!\p{L})|昨天|今天|明天/iu;

export function checkOperations(
  wanted: readonly unknown[],
  batch: ConsolidationBatch,
  { identifies, allowsOwn }: OperationRules,
): { readonly sound: readonly GraphOperation[]; readonly refused: Refusals } {
  const nodes = new Map<string, Omit<GraphNode, "confidence">>(batch.nodes.map((node) => [node.id, node]));
  const parents = new Map<string, Set<string>>();
  for (const { from, to, type } of batch.edges) if (type === "IsA") parentsOf(parents, from).add(to);
  const fragments = new Set(batch.fragments.map(({ fragment }) => fragment));
  const isText = (value: unknown, most: number): value is string =>
    typeof value === "string" && SAYS.test(value) && value.length <= most;
  const saysTooMuch = (...texts: readonly string[]): Refusal | undefined => {
    if (identifies(texts.join("\n")) || texts.some((text) => /\[[A-Z]+_/u.test(text))) return "names an identity";
    return texts.some((text) => PERSONAL.test(text) || DAY.test(text)) ? "event of one person" : undefined;
  };
  const unsupported = (support: unknown): Refusal | undefined => {
    if (!Array.isArray(support) || support.length === 0) return "without support";
    return support.every((fragment) => fragments.has(fragment)) ? undefined : "unknown fragment";
  };

  const refusal = (operation: GraphOperation): Refusal | undefined => {
    switch (operation.type) {
      case "addNode": {
        const { node, support } = operation;
        if (typeof node !== "object" || node === null) return "not an operation";
        if (!isText(node.id, MAX_ID) || !isText(node.name, MAX_NAME) || !isText(node.statement, MAX_STATEMENT)) return "too long";
        if (!NODE_TYPES.has(node.type)) return "wrong type";
        if (node.scope === "own" && !allowsOwn) return "wrong type";
        const problem = unsupported(support) ?? (node.scope === "own" ? undefined : saysTooMuch(node.name, node.statement));
        if (!problem) nodes.set(node.id, node);
        return problem;
      }
      case "addEdge": {
        const { from, to, edge, support } = operation;
        if (!EDGE_TYPES.has(edge)) return "wrong type";
        if (!nodes.has(from) || !nodes.has(to)) return "unknown id";
        if (from === to) return "edge to itself";
        if (edge === "IsA" && reaches(parents, to, from)) return "cycle";
        const problem = unsupported(support);
        if (!problem && edge === "IsA") parentsOf(parents, from).add(to);
        return problem;
      }
      case "merge": {
        const [from, into] = [nodes.get(operation.from), nodes.get(operation.into)];
        if (!from || !into) return "unknown id";
        if (from === into) return "edge to itself";
        return mayMerge({ ...from, confidence: 0 }, { ...into, confidence: 0 })
          ? undefined
          : "differs in type, number or negation";
      }
      case "update": {
        const node = nodes.get(operation.id);
        if (!node) return "unknown id";
        if (!isText(operation.statement, MAX_STATEMENT)) return "too long";
        return unsupported(operation.support) ?? saysTooMuch(operation.statement);
      }
      case "discard":
        return fragments.has(operation.fragment) ? undefined : "unknown fragment";
      default:
        return "not an operation";
    }
  };

  const sound: GraphOperation[] = [];
  const refused: Partial<Record<Refusal, number>> = {};
  const most = operationsFor(batch.fragments.length);
  for (const [at, operation] of wanted.entries()) {
    const isOperation = typeof operation === "object" && operation !== null;
    const reason = at >= most ? "too many operations" : isOperation ? refusal(operation as GraphOperation) : "not an operation";
    if (reason) refused[reason] = (refused[reason] ?? 0) + 1;
    else sound.push(operation as GraphOperation);
  }
  return { sound, refused };
}

function parentsOf(parents: Map<string, Set<string>>, id: string): Set<string> {
  const known = parents.get(id) ?? new Set();
  parents.set(id, known);
  return known;
}

function reaches(parents: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    for (const parent of parents.get(id) ?? []) seen.add(parent);
  }
  return false;
}

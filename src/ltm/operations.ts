/** Looks at what a consolidator wants of the graph, operation by operation: what it may not do is refused and counted, the rest is done. */

import type { ConsolidationBatch, EdgeType, GraphNode, GraphOperation, NodeType } from "../ports.js";
import { SUPPORT_WEIGHT } from "./confidence.js";
import { hasPlaceholder, looksLikePerson, UserIds } from "./identity-marks.js";
import { IsALinks } from "./is-a.js";
import { isAbout, isCalledAlike, mayMerge } from "./likeness.js";
import { isOfOnePerson } from "./one-person.js";

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
  | "differs in meaning"
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
  /** Ids of the users of this memory. */
  readonly userIds?: readonly string[];
}

/** Operations that a batch of this many fragments may ask for. */
export const operationsFor = (fragments: number): number => 8 * fragments + 8;

const MAX_NAME = 80;
const MAX_STATEMENT = 240;
const MAX_ID = 80;
/** A small model copies the "…" of the prompt's example. */
const SAYS = /[\p{L}\p{N}]/u;
const IS_WORD = /^[\p{L}\p{M}\p{N}]+$/u;
const NODE_TYPES: ReadonlySet<unknown> = new Set<NodeType>(["Entity", "Concept"]);
const EDGE_TYPES: ReadonlySet<unknown> = new Set<EdgeType>(["IsA", "HasProperty", "RelatedTo", "Implies"]);
/** Stems by which a node is to be found beside its name. */
const MAX_TERMS = 128;

export function checkOperations(
  wanted: readonly unknown[],
  batch: ConsolidationBatch,
  { identifies, allowsOwn, userIds = [] }: OperationRules,
): { readonly sound: readonly GraphOperation[]; readonly refused: Refusals } {
  const nodes = new Map<string, Omit<GraphNode, "confidence">>(batch.nodes.map((node) => [node.id, node]));
  const links = new IsALinks(batch.edges);
  const users = new UserIds(userIds);
  const fragments = new Set(batch.fragments.map(({ fragment }) => fragment));
  const isText = (value: unknown, most: number): value is string =>
    typeof value === "string" && SAYS.test(value) && value.length <= most;
  const saysTooMuch = (...texts: readonly string[]): Refusal | undefined => {
    const isNamed = (text: string): boolean => hasPlaceholder(text) || users.isIn(text) || looksLikePerson(text);
    if (identifies(texts.join("\n")) || texts.some(isNamed)) return "names an identity";
    return texts.some(isOfOnePerson) ? "event of one person" : undefined;
  };
  /** What is to be found by other words than its name. Marks and words of any kind are for what is of the person's own. */
  const misleads = ({ scope, terms }: Extract<GraphOperation, { type: "addNode" }>["node"]): Refusal | undefined => {
    if (terms === undefined) return undefined;
    if (!allowsOwn || !Array.isArray(terms) || terms.length > MAX_TERMS || !terms.every((term) => isText(term, MAX_NAME)))
      return "wrong type";
    if (scope === "own") return undefined;
    return terms.every((term) => IS_WORD.test(term)) ? saysTooMuch(...terms) : "wrong type";
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
        const { name, statement, type, scope = "general" } = node;
        if (scope !== "general" && !(scope === "own" && allowsOwn)) return "wrong type";
        // A thing of one name is told of by what it does.
        const told = type === "Entity" ? [name, statement, `${name} ${statement}`] : [name, statement];
        const problem = unsupported(support) ?? misleads(node) ?? (scope === "own" ? undefined : saysTooMuch(...told));
        if (!problem) nodes.set(node.id, node);
        return problem;
      }
      case "addEdge": {
        const { from, to, edge, support } = operation;
        if (!EDGE_TYPES.has(edge)) return "wrong type";
        if (!nodes.has(from) || !nodes.has(to)) return "unknown id";
        if (from === to) return "edge to itself";
        if (edge === "IsA" && links.wouldClose(from, to)) return "cycle";
        const problem = unsupported(support) ?? (isWeight(weightOf(operation)) ? undefined : "wrong type");
        if (!problem) links.add({ from, type: edge, to });
        return problem;
      }
      case "merge": {
        const [from, into] = [nodes.get(operation.from), nodes.get(operation.into)];
        if (!from || !into) return "unknown id";
        if (from === into) return "edge to itself";
        if (!mayMerge({ ...from, confidence: 0 }, { ...into, confidence: 0 })) return "differs in type, number or negation";
        return isCalledAlike(from, into) ? undefined : "differs in meaning";
      }
      case "update": {
        const node = nodes.get(operation.id);
        if (!node) return "unknown id";
        if (!isText(operation.statement, MAX_STATEMENT)) return "too long";
        const problem = unsupported(operation.support) ?? saysTooMuch(operation.statement);
        return problem ?? (isAbout(node, operation.statement) ? undefined : "differs in meaning");
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

/** What each memory of an edge gives to it, where that is less than usual: as to an association, by how far it is above chance. */
export function weightOf(operation: Extract<GraphOperation, { type: "addEdge" }>): unknown {
  return "weight" in operation ? operation.weight : undefined;
}

/** Anybody may be less sure of something than one memory makes it. */
function isWeight(weight: unknown): boolean {
  return weight === undefined || (typeof weight === "number" && weight > 0 && weight <= SUPPORT_WEIGHT);
}

/** Whether two nodes say the same: what may be merged, and what contradicts. */

import type { GraphNode, StoredNode } from "../ports.js";
import { fold, termsOf } from "../text/terms.js";

const NEGATION =
  /(?<![\p{L}])(?:not|no|never|none|nobody|nothing|without|cannot|neither|nor|kein\w*|nicht|nie|niemals|ohne|nunca|jamás|sin|tampoco)(?![\p{L}])|n['’]t(?![\p{L}])|不|没|無|无|未/iu;
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
const NUMBER_WORDS =
  /(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|half|once|twice)(?!\p{L})/giu;
/** Share of the stems of both statements from which on they say the same. */
const SAME = 0.8;

export function isNegated(statement: string): boolean {
  return NEGATION.test(statement);
}

/** Of two nodes, when type, whose they are, numbers and negation agree; whether they mean the same is another question. */
export function mayMerge(one: GraphNode & Partial<StoredNode>, other: GraphNode & Partial<StoredNode>): boolean {
  return (
    one.type === other.type &&
    (one.scope ?? "general") === (other.scope ?? "general") &&
    isNegated(one.statement) === isNegated(other.statement) &&
    numbersOf(one) === numbersOf(other)
  );
}

/** Stems of what a node says. */
export function termsOfStatement({ statement }: Pick<GraphNode, "statement">): ReadonlySet<string> {
  return new Set(termsOf(statement));
}

/** Nearly the same words. */
export function meansSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((term) => other.has(term)).length;
  return shared > 0 && shared / (one.size + other.size - shared) >= SAME;
}

function numbersOf({ name, statement }: GraphNode): string {
  const text = fold(`${name} ${statement}`);
  return [...new Set([...(text.match(NUMBER) ?? []), ...(text.match(NUMBER_WORDS) ?? [])])].sort().join(" ");
}

/** Ids of nodes: the same for the same thing on every device, so that graphs can be joined. */

import type { GraphNode, StoredNode } from "../ports.js";
import { fold, stem, wordsOf } from "../text/terms.js";
import { isNegated } from "./likeness.js";

/** Two words of FNV-1a with different seeds: of 10^5 nodes two share an id once in 3·10^9 graphs. */
const SEEDS = [0x811c9dc5, 0x9e3779b9] as const;

/** Stems of a name, in order: "Hiking trips" and "hiking trip" are one. */
export function termsOfName(name: string): string[] {
  return wordsOf(name).map((word) => stem(word));
}

/** The term by which all categories of somebody are found at once; no word has a sign in it. */
export function categoriesOf(subject: string): string {
  return `=${fold(subject).trim()}`;
}

/** What a statement denies is another node than what it says. */
export function nodeId(
  { type, name, statement }: Pick<GraphNode, "type" | "name" | "statement">,
  scope: StoredNode["scope"],
  isNegative: boolean = isNegated(statement),
): string {
  const key = `${scope}\n${type}\n${isNegative ? "not " : ""}${termsOfName(name).join(" ") || fold(name)}`;
  return `n${SEEDS.map((seed) => hash(key, seed).toString(36).padStart(7, "0")).join("")}`;
}

function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  // The low bits of FNV follow the last letters closely.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/** Whether two nodes say the same: what may be merged, what contradicts, and whether new words are still about a node. */

import type { GraphNode, StoredNode } from "../ports.js";
import { fold, stem, termsOf, wordsOf } from "../text/terms.js";

const NEGATION =
  /(?<![\p{L}])(?:not|no|never|none|nobody|nothing|without|cannot|neither|nor|kein\w*|nicht|nie|niemals|ohne|nunca|jamás|sin|tampoco)(?![\p{L}])|n['’]t(?![\p{L}])|不|没|無|无|未/iu;
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*|[二两三四五六七八九十百千万亿]+/gu;
const NUMBER_WORDS =
  /(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|dozen|hundred|thousand|million|half|once|twice|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|hundert|tausend|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|cien|mil)(?!\p{L})/gu;
/** How a statement says that its subject has another name. */
const OTHER_NAME =
  /(?<!\p{L})(?:also (?:known as|called|named)|(?:an)?other (?:name|word|term) (?:for|of)|short (?:form )?(?:for|of)|an? (?:abbreviation|synonym) (?:for|of)|the same (?:thing )?as|heisst auch|auch bekannt als|auch (?=\S+ genannt)|ein anderes wort fur|kurz(?:form)? (?:von|fur)|dasselbe wie|tambien (?:llamad[oa]|conocid[oa] como)|otro nombre (?:de|para)|sinonimo de|lo mismo que)\s*|又称|也叫|也称|别名/gu;
/** Share of the stems of the longer statement, in their order, from which on two say the same. */
const SAME = 0.8;
/** Share of the fewer stems of two statements that both have, from which on they are about one thing; for those that do not name it. */
const ABOUT = 0.5;

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

type Named = Pick<GraphNode, "name" | "statement"> & { readonly terms?: readonly string[] };

/** Whether two nodes are called alike, or one by another name of the other. "House boat" and "boat house" are two things, "green tea" and
 * "tea that is green" one. */
export function isCalledAlike(one: Named, other: Named): boolean {
  const [ones, others] = [nameOf(one), nameOf(other)];
  if (ones.join(" ") === others.join(" ") || wordsOf(one.name).join("") === wordsOf(other.name).join("")) return true;
  const isReordered = [...ones].sort().join(" ") === [...others].sort().join(" ");
  if (isReordered && isLoose(one.name, ones) !== isLoose(other.name, others)) return true;
  return isOtherName(one, other) || isOtherName(other, one);
}

/** Whether two statements say nearly the same: the same words in the same order. */
export function saysSame(one: string, other: string): boolean {
  const [ones, others] = [termsOf(one), termsOf(other)];
  return commonInOrder(ones, others) >= SAME * Math.max(1, ones.length, others.length);
}

/** Whether a new statement is still about its node: it names it; or neither it nor the old one does, and they share their words. */
export function isAbout(node: Named, statement: string): boolean {
  const called = [nameOf(node), othersOf(node)].filter(({ length }) => length > 0);
  const names = (text: string): boolean => {
    const terms = new Set([...termsOf(text), ...wordsOf(text).map((word) => stem(word))]);
    return called.some((name) => name.every((term) => terms.has(term)));
  };
  if (names(statement)) return true;
  if (names(node.statement)) return false;
  const [before, after] = [new Set(termsOf(node.statement)), new Set(termsOf(statement))];
  const shared = [...after].filter((term) => before.has(term)).length;
  return shared > 0 && shared >= ABOUT * Math.min(before.size, after.size);
}

/** Whether both give numbers, and others. */
export function differsInNumber(
  one: Pick<GraphNode, "name" | "statement">,
  other: Pick<GraphNode, "name" | "statement">,
): boolean {
  const [ones, others] = [numbersOf(one), numbersOf(other)];
  return ones !== "" && others !== "" && ones !== others;
}

/** All numbers of a node, in digits and in words; "" for none. */
export function numbersOf({ name, statement }: Pick<GraphNode, "name" | "statement">): string {
  const text = fold(`${name} ${statement}`);
  return [...new Set([...(text.match(NUMBER) ?? []), ...(text.match(NUMBER_WORDS) ?? [])])].sort().join(" ");
}

/** Stems of what a name says; of all its words where it is made of those that say nothing elsewhere. */
function nameOf({ name }: Pick<Named, "name">): readonly string[] {
  const terms = termsOf(name);
  return terms.length > 0 ? terms : wordsOf(name).map((word) => stem(word));
}

/** A name with words in it that only join the others. */
function isLoose(name: string, terms: readonly string[]): boolean {
  return wordsOf(name).length > terms.length;
}

/** Whether the one says of itself that it is called as the other, or was merged with what was. */
function isOtherName(one: Named, other: Named): boolean {
  const name = nameOf(other);
  const merged = new Set(othersOf(one));
  if (name.length > 0 && name.every((term) => merged.has(term))) return true;
  if (isNegated(one.statement)) return false;
  const statement = fold(one.statement);
  return [...statement.matchAll(OTHER_NAME)].some(({ 0: said, index }) => {
    const after = termsOf(statement.slice(index + said.length));
    return name.length > 0 && name.every((term, at) => after[at] === term);
  });
}

/** Stems that a node was given beside those of its name, as by a merge. */
function othersOf({ name, terms = [] }: Named): string[] {
  const own = new Set([...termsOf(name), ...wordsOf(name).map((word) => stem(word))]);
  return terms.filter((term) => !own.has(term));
}

/** Length of the longest sequence that two have in common. */
function commonInOrder(ones: readonly string[], others: readonly string[]): number {
  let before = new Array<number>(others.length + 1).fill(0);
  for (const one of ones) {
    const row = [0];
    for (const [at, other] of others.entries())
      row.push(one === other ? (before[at] ?? 0) + 1 : Math.max(before[at + 1] ?? 0, row[at] ?? 0));
    before = row;
  }
  return before.at(-1) ?? 0;
}

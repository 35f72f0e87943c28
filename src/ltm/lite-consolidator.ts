/** Consolidates without a model: "X is a Y" in its several forms, what brings something about, and what things are like make general
 * knowledge; what somebody says that they do, have, want or like makes categories of their own, with each instance by IsA, so that a
 * question that asks for all of them finds all; and so do the everyday words that they use. */

import type { Consolidator, Fragment, GraphOperation } from "../ports.js";
import { stem, wordsOf } from "../text/terms.js";
import { CATEGORIES, type Category } from "./categories.js";
import { EVERYDAY } from "./everyday.js";
import { generalIn, type Said } from "./general-patterns.js";
import { categoriesOf } from "./node-id.js";
import { thing } from "./thing.js";

const MAX_PER_FRAGMENT = 3;
/** Fragments between two pauses: half a millisecond. */
const SLICE = 3;

const stemsOf = (words: string): string[] => [...new Set(wordsOf(words).map((word) => stem(word)))];
const ASKED = CATEGORIES.map((of) => [of, stemsOf(of.asked)] as const);
/** A word by which a question asks is found by itself; what a category brings are the others. */
const KINDS = EVERYDAY.map(({ name, asked, words }) => {
  const terms = stemsOf(asked);
  return { name, terms, words: new Set(stemsOf(words).filter((word) => !terms.includes(word))) };
});

/** @returns a consolidator that stays on the device and needs no model */
export function liteConsolidator(): Consolidator {
  return {
    id: "lite",
    place: "device",
    isBlind: true,
    consolidate: async ({ fragments }, { signal, pause } = {}) => {
      const operations: GraphOperation[] = [];
      for (const [at, fragment] of fragments.entries()) {
        signal?.throwIfAborted();
        operations.push(...operationsOf(fragment));
        if (at % SLICE === SLICE - 1) await pause?.();
      }
      return joined(operations);
    },
  };
}

function operationsOf(fragment: Fragment): GraphOperation[] {
  const { subject } = fragment;
  // An assistant collects nothing in its life, and what it tells of the world it knows without being reminded.
  const operations =
    subject === "assistant" ? [] : [...general(fragment), ...(subject === undefined ? [] : own(fragment, subject))];
  return operations.length > 0
    ? operations
    : [{ type: "discard", fragment: fragment.fragment, reason: "says nothing that lasts" }];
}

/** What several fragments ask for is asked for once, with the support of each. */
function joined(operations: readonly GraphOperation[]): GraphOperation[] {
  const found = new Map<string, GraphOperation>();
  for (const operation of operations) {
    const key = keyOf(operation, found.size);
    const same = found.get(key);
    const isSupported = same && "support" in same && "support" in operation;
    found.set(key, isSupported ? { ...same, support: [...new Set([...same.support, ...operation.support])] } : operation);
  }
  return [...found.values()];
}

function keyOf(operation: GraphOperation, otherwise: number): string {
  if (operation.type === "addNode") return `node ${operation.node.id}\n${operation.node.statement}`;
  return operation.type === "addEdge" ? `edge ${operation.from}\n${operation.edge}\n${operation.to}` : `${otherwise}`;
}

/** What a statement says of both ends of an edge. */
const STATEMENTS: Readonly<Record<Said["edge"], readonly [verb: string, ofOther: string]>> = {
  IsA: ["is a kind of", "a kind of thing"],
  Implies: ["often brings", "something that comes of another"],
  HasProperty: ["is known for", "something that things are known for"],
  RelatedTo: ["often helps with", "something that another helps with"],
};

function general({ fragment, text }: Fragment): GraphOperation[] {
  return generalIn(text, MAX_PER_FRAGMENT).flatMap(({ from, edge, to }): GraphOperation[] => {
    const [verb, ofOther] = STATEMENTS[edge];
    const other = addNode(to, `${to}: ${ofOther}`, fragment);
    if (from === undefined) return [other];
    return [
      addNode(from, `${from} ${verb} ${to}`, fragment),
      other,
      { type: "addEdge", from: `general ${from}`, to: `general ${to}`, edge, support: [fragment] },
    ];
  });
}

function addNode(name: string, statement: string, fragment: number): GraphOperation {
  return { type: "addNode", node: { id: `general ${name}`, type: "Concept", name, statement }, support: [fragment] };
}

function category(subject: string, name: string, terms: readonly string[], fragment: number): GraphOperation {
  return {
    type: "addNode",
    node: {
      id: `${subject}: ${name}`,
      type: "Concept",
      name: `${subject}: ${name}`,
      statement: `${name} of ${subject}`,
      scope: "own",
      terms: [...terms, categoriesOf(subject)],
    },
    support: [fragment],
  };
}

function own({ fragment, text }: Fragment, subject: string): GraphOperation[] {
  const operations: GraphOperation[] = [];
  for (const [of, terms] of ASKED) {
    const ones = instances(of, text).slice(0, MAX_PER_FRAGMENT);
    if (ones.length === 0) continue;
    const kind = `${subject}: ${of.name}`;
    const support = [fragment];
    operations.push(category(subject, of.name, terms, fragment));
    for (const one of of.isNamed ? ones : []) {
      const name = `${subject}: ${one}`;
      operations.push(
        {
          type: "addNode",
          node: { id: name, type: "Entity", name, statement: `${one}, one of the ${of.name} of ${subject}`, scope: "own" },
          support,
        },
        { type: "addEdge", from: name, to: kind, edge: "IsA", support },
      );
    }
  }
  const used = stemsOf(text);
  for (const { name, terms, words } of KINDS)
    if (used.some((word) => words.has(word))) operations.push(category(subject, name, terms, fragment));
  return operations;
}

function instances({ said }: Category, text: string): string[] {
  const found = new Set<string>();
  for (const { groups = {} } of text.matchAll(new RegExp(said.source, `${said.flags}g`))) {
    const one = thing(groups.one ?? groups.two ?? "");
    if (one) found.add(one);
  }
  return [...found];
}

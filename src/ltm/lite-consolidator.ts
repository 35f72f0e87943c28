/** Consolidates without a model: "X is a Y" in its several forms makes general knowledge; what somebody says that they do, have, want or
 * like makes categories of their own, with each instance by IsA, so that a question that asks for all of them finds all; and so do the
 * everyday words that they use. */

import type { Consolidator, Fragment, GraphOperation } from "../ports.js";
import { splitSentences } from "../text/sentences.js";
import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { stem, wordsOf } from "../text/terms.js";
import { CATEGORIES, type Category } from "./categories.js";
import { EVERYDAY } from "./everyday.js";
import { categoriesOf } from "./node-id.js";

/** A noun of one to three words. */
const NOUN = String.raw`[\p{L}][\p{L}’'-]{2,}(?:\s[\p{L}][\p{L}’'-]{2,}){0,2}`;
const ONE = String.raw`[\p{L}][\p{L}’'-]{2,}`;
/** Of things, not of the people who talk: each with the instance and its class. */
const IS_A: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:the\s|an?\s)?(?<x>${NOUN})\s(?:is|are)\s(?:a|an)\s(?:kind of\s|type of\s|sort of\s|form of\s)?(?<y>${NOUN})`,
    "iu",
  ),
  new RegExp(String.raw`(?<y>${ONE})\ssuch as\s(?<x>${NOUN})`, "iu"),
  new RegExp(String.raw`(?<x>${NOUN})\s(?:and|or)\s(?:other|similar)\s(?<y>${ONE})`, "iu"),
  new RegExp(String.raw`(?<x>${NOUN})\s(?:ist|sind)\s(?:ein|eine|einer)\s(?<y>${ONE})`, "iu"),
  new RegExp(String.raw`(?<x>${ONE})\ses\s(?:un|una)\s(?<y>${ONE})`, "iu"),
  /(?<x>\p{Script=Han}{2,6})是(?:一种|一個|一个)(?<y>\p{Script=Han}{2,6})/u,
];
const IMPLIES = new RegExp(
  String.raw`^(?<x>${NOUN})\s(?:always\s|usually\s|often\s)?(?:causes?|leads? to|results? in|makes? for|prevents?|improves?|reduces?|helps? with)\s(?<y>${NOUN})`,
  "iu",
);
/** Words with which no name of a thing begins or ends. */
const LOOSE =
  /^(?:(?:this|that|these|those|it|there|here|what|which|who|he|she|we|they|you|one|everything|something|nothing|anything|my|your|his|her|its|our|their|such|very|really|quite|so|great|good|nice|lot|bit|few|much|more|most|and|or|but|the|an)\s)+|\s(?:and|or|but|a|an|the|that|who|which|of|for|to|in|on|at|with|until|till|since|during|after|before|than|as|by|from|my|your|his|her|its|our|their|is|are|was|were|tonight|today|tomorrow|yesterday|again|too|now|then)$/iu;
/** "In October" is no place, and "a week" nothing that one has. */
const TIME =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|springs?|summers?|autumns?|falls?|winters?|weekends?|(?:half|a)?\s?(?:hours?|days?|weeks?|months?|years?|mornings?|evenings?|nights?)|half)$/iu;
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

function general({ fragment, text }: Fragment): GraphOperation[] {
  const operations: GraphOperation[] = [];
  for (const sentence of splitSentences(text)) {
    for (const [pattern, edge] of [...IS_A.map((one) => [one, "IsA"] as const), [IMPLIES, "Implies"] as const]) {
      const { x = "", y = "" } = pattern.exec(sentence)?.groups ?? {};
      const [from, to] = [thing(x), thing(y)];
      if (!from || !to || from === to || operations.length >= MAX_PER_FRAGMENT * 3) continue;
      const [verb, says] =
        edge === "IsA" ? ["is a kind of", "a kind of thing"] : ["often brings", "something that comes of another"];
      operations.push(addNode(from, `${from} ${verb} ${to}`, fragment), addNode(to, `${to}: ${says}`, fragment), {
        type: "addEdge",
        from: `general ${from}`,
        to: `general ${to}`,
        edge,
        support: [fragment],
      });
    }
  }
  return operations;
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

/** The name of a thing as it is told, or nothing where it is none. */
function thing(words: string): string | undefined {
  let name = words.trim().replace(/\s+/gu, " ");
  for (let before = ""; before !== name; ) {
    before = name;
    name = name.replace(LOOSE, "").trim();
  }
  const content = wordsOf(name).filter((word) => !ENGLISH_STOP_WORDS.has(word));
  // Two letters are a name where each is a syllable.
  const isLong = name.length > 2 || /^\p{Script=Han}{2}$/u.test(name);
  return content.length > 0 && isLong && !TIME.test(name) ? name.toLowerCase() : undefined;
}

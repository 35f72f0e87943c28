/** A consolidator that answers from a script: something of every statement of the workload that it is sent. */

import type { Consolidator, GraphOperation } from "../../../src/ports.js";
import type { Entry, KnowledgeFile } from "../../../src/types.js";

/** "I keep the quilt number 7 in the loft", also retold in the third person. */
const KEPT = /\b(?:keeps?|kept) the (?<thing>[a-z]+)\b.* in the (?<place>[a-z]+)\b/;
/** What all of them support. */
const KEEPING = "keeping";
/** As long as a model may think, so that a kill finds a batch on its way. */
const MOST_THINKING_MS = 30;

/** Whether the consolidator makes something of such a memory. */
export function isTaught({ indexText }: Pick<Entry, "indexText">): boolean {
  return KEPT.test(indexText);
}

export function scriptedConsolidator(random: () => number): Consolidator {
  return {
    id: "scripted",
    place: "engine",
    consolidate: async ({ fragments }) => {
      await new Promise((resolve) => setTimeout(resolve, random() * MOST_THINKING_MS));
      const operations = fragments.flatMap(({ fragment, text }) => operationsOf(fragment, text));
      return [...operations.filter(({ type }) => type === "addNode"), ...operations.filter(({ type }) => type !== "addNode")];
    },
  };
}

function operationsOf(fragment: number, text: string): GraphOperation[] {
  const { thing, place } = KEPT.exec(text)?.groups ?? {};
  if (!thing || !place) return [{ type: "discard", fragment, reason: "keeps nothing" }];
  const support = [fragment];
  const edge = (from: string, to: string, type: "IsA" | "RelatedTo"): GraphOperation => ({
    type: "addEdge",
    from,
    to,
    edge: type,
    support,
  });
  return [
    concept(KEEPING, "people keep what they own somewhere", support),
    concept(thing, `a ${thing} is kept indoors`, support),
    concept(place, `room for storage: ${place}`, support),
    edge(thing, KEEPING, "IsA"),
    edge(thing, place, "RelatedTo"),
  ];
}

function concept(name: string, statement: string, support: readonly number[]): GraphOperation {
  return { type: "addNode", node: { id: name, type: "Concept", name, statement }, support };
}

/** What another device knows; nothing of the workload speaks of it. */
export const FOREIGN_KNOWLEDGE: KnowledgeFile = {
  format: "keepsake-knowledge",
  version: 1,
  nodes: [
    { id: "a", type: "Concept", name: "rooibos", statement: "rooibos is a kind of tea", confidence: 0.9 },
    { id: "b", type: "Concept", name: "tea", statement: "a hot drink", confidence: 0.8 },
  ],
  edges: [{ from: "a", to: "b", type: "IsA", confidence: 0.9 }],
};

/** What memories mention together more often than chance would have it, among the general knowledge that a batch speaks of. */

import { isCandidate, SUPPORT_WEIGHT } from "../ltm/confidence.js";
import type { GraphOperation, Store, StoredNode } from "../ports.js";
import { termsOf } from "../text/terms.js";
import type { Entry } from "../types.js";
import type { MemoryIndex } from "./memory-index.js";

/** Memories that mention two nodes together, at least. */
const LEAST_TOGETHER = 3;
/** How far above chance: twice as often is a hint, eight times as often all that one memory can give. */
const LEAST_LIFT = 2;
const FULL_LIFT = 8;
/** Stems of a batch by which its nodes are found, and nodes read for each. */
const TERMS = 24;
const NODES_PER_TERM = 8;
/** Memories of a stem beyond which it tells nothing, and pairs that a batch may add. */
const MOST_MENTIONS = 512;
const PAIRS = 8;

export interface Associated {
  readonly nodes: readonly StoredNode[];
  readonly operations: readonly GraphOperation[];
}

interface Mentioned {
  readonly node: StoredNode;
  readonly terms: readonly string[];
  /** Of all memories. */
  readonly memories: ReadonlySet<string>;
  /** Of this batch. */
  readonly fragments: ReadonlySet<number>;
}

/** @param batch by the numbers of their fragments, from 1 on; what went meanwhile is `undefined` */
export async function associationsOf(
  { store, index }: { readonly store: Store; readonly index: () => MemoryIndex },
  batch: readonly (Entry | undefined)[],
): Promise<Associated> {
  const { lexical, table } = index();
  const said = batch.map((entry) => new Set(entry ? termsOf(entry.indexText) : []));
  const frequency = (term: string) => lexical.documentFrequency(term);
  const terms = [...new Set(said.flatMap((one) => [...one]))]
    .filter((term) => frequency(term) >= LEAST_TOGETHER && frequency(term) <= MOST_MENTIONS)
    .sort((one, other) => frequency(one) - frequency(other))
    .slice(0, TERMS);
  if (terms.length < 2) return { nodes: [], operations: [] };
  const { nodes } = await store.graph({ terms, limit: NODES_PER_TERM });
  const mentioned = nodes
    .filter((node) => node.scope === "general" && !isCandidate(node))
    .flatMap((node) => {
      const name = termsOf(node.name);
      const fragments = new Set(
        said.flatMap((one, at) => (name.length > 0 && name.every((term) => one.has(term)) ? at + 1 : [])),
      );
      return fragments.size > 0 ? { node, terms: name, memories: memoriesWith(name), fragments } : [];
    });
  const pairs = mentioned
    .flatMap((one, at) => mentioned.slice(at + 1).flatMap((other) => pairOf(one, other) ?? []))
    .sort((one, other) => other.lift - one.lift)
    .slice(0, PAIRS);
  return {
    nodes: [...new Set(pairs.flatMap(({ one, other }) => [one, other]))],
    operations: pairs.map(({ one, other, support, lift }) => {
      // One edge for two nodes, whichever is named first.
      const [from = "", to = ""] = [one.id, other.id].sort();
      const weight = SUPPORT_WEIGHT * Math.min(1, Math.log(lift) / Math.log(FULL_LIFT));
      return { type: "addEdge", from, to, edge: "RelatedTo", support, weight } as GraphOperation;
    }),
  };

  /** Memories that mention all of a name; entries of one turn are one. */
  function memoriesWith(name: readonly string[]): ReadonlySet<string> {
    const [first, ...others] = name.map((term) => new Set(lexical.postings(term)));
    const slots = [...(first ?? [])].filter((slot) => others.every((one) => one.has(slot)));
    return new Set(slots.flatMap((slot) => memoryOf(table.entry(slot)) ?? []));
  }

  function pairOf(one: Mentioned, other: Mentioned) {
    // "Tea" and "green tea" come together by their name.
    if (one.terms.some((term) => other.terms.includes(term))) return undefined;
    const support = [...one.fragments].filter((fragment) => other.fragments.has(fragment));
    const together = [...one.memories].filter((memory) => other.memories.has(memory)).length;
    const lift = (together * lexical.size) / (one.memories.size * other.memories.size);
    if (support.length === 0 || together < LEAST_TOGETHER || lift < LEAST_LIFT) return undefined;
    return { one: one.node, other: other.node, support, lift };
  }
}

function memoryOf(entry: Entry | undefined): string | undefined {
  return entry?.sources[0]?.turnId ?? entry?.id;
}

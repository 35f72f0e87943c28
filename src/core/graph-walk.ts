/** From a question into the graph: to the categories of those it is about, and from what is known of things at most two steps on; and
 * the memories that support what lies there. */

import { isCandidate } from "../ltm/confidence.js";
import { categoriesOf } from "../ltm/node-id.js";
import type { Store, StoredNode } from "../ports.js";
import { answerTypeOf } from "../retrieve/answer-types.js";
import type { EntryTable } from "../retrieve/entry-table.js";
import type { LinkedEntry } from "../retrieve/linked.js";
import { peopleIn, subjectOf } from "../retrieve/question.js";
import { termsOf } from "../text/terms.js";
import type { EntryId } from "../types.js";

/** Owners whose categories are looked at where a question names nobody, and categories of one. */
const OWNERS = 8;
const CATEGORIES = 96;
/** Memories of a category; one that holds more says little of each. */
const MEMBERS = 512;
/** General nodes for each word of a question, edges of one, and memories of one. */
const NODES = 8;
const EDGES = 24;
const SUPPORTS = 24;
/** General nodes that the walk reaches. */
const MOST_NODES = 48;
/** What a step leaves of a node's weight, and what one of the general nodes counts beside a category. */
const STEP = 0.7;
const GENERAL = 0.1;
/** Categories count together as much as this; chosen with the gain of a link, on four of LoCoMo's conversations. */
const FULL = 1.5;
/** Owners, words and nodes that are remembered until the graph changes. */
const REMEMBERED = 1_024;

/** Rows as they were read, until something changes. */
interface Remembered {
  readonly byTerm: Map<string, readonly StoredNode[]>;
  readonly members: Map<string, readonly EntryId[]>;
}

interface Reached {
  readonly node: StoredNode;
  readonly weight: number;
  readonly path: readonly string[];
}

export class GraphWalk {
  readonly #store: Store;
  #remembered: Remembered = { byTerm: new Map(), members: new Map() };

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads anew from here on. */
  forget(): void {
    this.#remembered = { byTerm: new Map(), members: new Map() };
  }

  /** @returns memories by id, each with its weight (0 to 1) and the way that led to it */
  async walk(text: string, table: EntryTable): Promise<ReadonlyMap<EntryId, LinkedEntry>> {
    const speakers = table.speakers();
    const people = peopleIn(text, speakers);
    const owners = ownersOf(text, people, speakers);
    const names = new Set(people.flatMap((name) => termsOf(name)));
    const terms = [...new Set(termsOf(text))].filter((term) => !names.has(term));
    // A question for a time is not one for a kind of thing, and its answer stands in one memory.
    const asksForTime = ["when", "duration"].includes(answerTypeOf(text));
    const marks = asksForTime ? [] : owners.map((owner) => categoriesOf(owner));
    const remembered = this.#remembered;
    // What is known of things answers who asks about nobody; for the rest its reads would cost more than they bring.
    const [, found] = await Promise.all([
      this.#read(marks, CATEGORIES, remembered),
      isOfSomebody(text, people) ? undefined : this.#read(terms, NODES, remembered).then(() => this.#general(terms, remembered)),
    ]);
    const linked = new Map(found ?? []);
    const sums = new Map<EntryId, number>();
    for (const [at, mark] of marks.entries()) {
      const asked = (remembered.byTerm.get(mark) ?? []).filter((node) => terms.some((term) => node.terms.includes(term)));
      await this.#readMembers(asked, remembered);
      const all = memoriesAbout(owners[at] as string, table);
      for (const { id, name } of asked) {
        const members = remembered.members.get(id) ?? [];
        const gain = members.length > MEMBERS ? 0 : tells(members.length, all) / FULL;
        for (const entryId of gain > 0 ? members : []) {
          sums.set(entryId, (sums.get(entryId) ?? 0) + gain);
          const path = linked.get(entryId)?.path;
          linked.set(entryId, { weight: Math.min(1, sums.get(entryId) as number), path: path?.includes(": ") ? path : name });
        }
      }
    }
    return linked;
  }

  /** Nodes of terms that are not remembered. */
  async #read(terms: readonly string[], limit: number, { byTerm }: Remembered): Promise<void> {
    const missing = terms.filter((term) => !byTerm.has(term));
    if (missing.length === 0) return;
    const { nodes } = await this.#store.graph({ terms: missing, limit });
    makeRoom(byTerm, missing.length);
    for (const term of missing)
      byTerm.set(
        term,
        nodes.filter((node) => node.terms.includes(term)),
      );
  }

  async #readMembers(nodes: readonly StoredNode[], { members }: Remembered): Promise<void> {
    const missing = nodes.map(({ id }) => id).filter((id) => !members.has(id));
    if (missing.length === 0) return;
    const { support } = await this.#store.graph({ supportOf: missing, limit: MEMBERS + 1 });
    makeRoom(members, missing.length);
    const found = new Map(missing.map((id) => [id, [] as EntryId[]]));
    for (const { of, entryId } of support) found.get(of)?.push(entryId);
    for (const [id, entryIds] of found) members.set(id, entryIds);
  }

  /** What is known of things that the question names, of their classes and instances. */
  async #general(terms: readonly string[], { byTerm }: Remembered): Promise<ReadonlyMap<EntryId, LinkedEntry>> {
    const asked = new Set(terms);
    const reached = new Map<string, Reached>();
    for (const node of terms.flatMap((term) => byTerm.get(term) ?? [])) {
      const shared = node.terms.filter((term) => asked.has(term)).length;
      const weight = Math.min(1, shared / Math.min(3, terms.length));
      if (node.scope === "general" && !isCandidate(node)) reached.set(node.id, { node, weight, path: [node.name] });
    }
    for (let step = 0, front = [...reached.values()]; step < 2 && front.length > 0; step++)
      front = await this.#step(front, reached);
    if (reached.size === 0) return new Map();
    const { support } = await this.#store.graph({ supportOf: [...reached.keys()], limit: SUPPORTS });
    const linked = new Map<EntryId, LinkedEntry>();
    for (const { of, entryId } of support) {
      const { weight, path } = reached.get(of) as Reached;
      if ((linked.get(entryId)?.weight ?? 0) < weight * GENERAL)
        linked.set(entryId, { weight: weight * GENERAL, path: path.join(" → ") });
    }
    return linked;
  }

  /** Down to instances, and from one to its class, but never from class to class through an instance. */
  async #step(front: readonly Reached[], reached: Map<string, Reached>): Promise<Reached[]> {
    const { edges } = await this.#store.graph({ edgesOf: front.map(({ node }) => node.id), limit: EDGES });
    const others = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((id) => !reached.has(id));
    if (others.length === 0) return [];
    const { nodes } = await this.#store.graph({ nodes: others.slice(0, MOST_NODES) });
    const [around, before] = [new Map(nodes.map((node) => [node.id, node])), new Map(front.map((one) => [one.node.id, one]))];
    const next: Reached[] = [];
    for (const { from, to, type } of edges)
      for (const [start, end] of [
        [before.get(to), around.get(from)],
        [type === "IsA" ? undefined : before.get(from), around.get(to)],
      ] as const) {
        if (!start || !end || end.scope !== "general" || isCandidate(end) || reached.has(end.id) || reached.size >= MOST_NODES)
          continue;
        const found = { node: end, weight: start.weight * STEP, path: [...start.path, end.name] };
        reached.set(end.id, found);
        next.push(found);
      }
    return next;
  }
}

/** How much a category of so many tells of each, 0 to 1: of all memories about somebody next to nothing, of a single one everything. */
function tells(members: number, all: number): number {
  return members === 0 ? 0 : Math.max(0, Math.min(1, Math.log((all + 1) / members) / Math.log(all + 1)));
}

function memoriesAbout(subject: string, table: EntryTable): number {
  const number = table.nameNumber(subject);
  return number < 0 ? 0 : table.subject.subarray(0, table.slotLimit).reduce((sum, one) => sum + (one === number ? 1 : 0), 0);
}

function isOfSomebody(text: string, people: readonly string[]): boolean {
  return people.length > 0 || subjectOf(text, people) !== undefined;
}

function ownersOf(text: string, people: readonly string[], speakers: readonly string[]): readonly string[] {
  if (people.length > 0) return people;
  const asker = subjectOf(text, people);
  return asker === undefined ? ["user", ...speakers].slice(0, OWNERS) : asker === "user" ? ["user"] : [];
}

function makeRoom(remembered: Map<string, unknown>, more: number): void {
  for (const key of remembered.keys()) {
    if (remembered.size + more <= REMEMBERED) return;
    remembered.delete(key);
  }
}

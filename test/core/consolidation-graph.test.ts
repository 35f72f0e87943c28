import { describe, expect, it } from "vitest";
import { ConsolidationGraph } from "../../src/core/consolidation-graph.js";
import type { MemoryIndex } from "../../src/core/memory-index.js";
import { applyOperations } from "../../src/ltm/apply.js";
import { SUPPORT_WEIGHT } from "../../src/ltm/confidence.js";
import { nodeId } from "../../src/ltm/node-id.js";
import type { GraphOperation, GraphRead, Store, StoredEdge, StoredNode, SupportRow } from "../../src/ports.js";
import type { Entry, EntryId } from "../../src/types.js";
import { edge, entry, node, turnId } from "../store/samples.js";

/** A store that lists nodes by id, page by page. */
function graphOf(nodes: readonly StoredNode[]): ConsolidationGraph {
  const sorted = [...nodes].sort((one, other) => (one.id < other.id ? -1 : 1));
  const graph = async ({ list: { after = "", limit = 1 } = {} }: GraphRead) => ({
    nodes: sorted.filter(({ id }) => id > after).slice(0, limit),
    edges: [],
    support: [],
    common: [],
  });
  return new ConsolidationGraph({ store: { graph } as unknown as Store, index: () => ({}) as MemoryIndex });
}

const OLD = 60;

describe("the sweep beside a batch", () => {
  it("takes what has faded below the floor, and leaves what is sure, fresh, or was told of in this batch", async () => {
    const graph = graphOf([
      node("faded", { confidence: SUPPORT_WEIGHT, cycle: 1 }),
      node("busy", { confidence: SUPPORT_WEIGHT, cycle: 1 }),
      node("fresh", { confidence: SUPPORT_WEIGHT, cycle: OLD - 1 }),
      node("sure", { confidence: 0.9, cycle: 1 }),
    ]);
    expect(await graph.sweep("", OLD, new Set(["busy"]))).toEqual({ swept: undefined, gone: ["faded"] });
  });

  it("looks at a part each time, and comes to all of them", async () => {
    const all = Array.from({ length: 600 }, (_, at) =>
      node(`n${String(at).padStart(3, "0")}`, { confidence: SUPPORT_WEIGHT, cycle: 1 }),
    );
    const graph = graphOf(all);
    const gone: string[] = [];
    let parts = 0;
    for (let after: string | undefined = ""; after !== undefined; parts++) {
      const swept = await graph.sweep(after, OLD, new Set());
      gone.push(...swept.gone);
      after = swept.swept;
    }
    expect(parts).toBeGreaterThan(1);
    expect(gone).toEqual(all.map(({ id }) => id));
  });
});

const idOf = (name: string, statement = `what ${name} is`) => nodeId({ type: "Concept", name, statement }, "general");
const stored = (name: string, given: Partial<StoredNode> = {}) =>
  node(idOf(name), { name, statement: `what ${name} is`, terms: [name], ...given });
const kind = (from: string, to: string) => edge(idOf(from), "IsA", idOf(to), SUPPORT_WEIGHT);
const add = (name: string, statement = `what ${name} is`): GraphOperation => ({
  type: "addNode",
  node: { id: name, type: "Concept", name, statement },
  support: [1],
});
const link = (from: string, to: string): GraphOperation => ({ type: "addEdge", from, to, edge: "IsA", support: [1] });

/** A graph of some rows, beside entries. */
function graphWith(
  rows: {
    readonly nodes?: readonly StoredNode[];
    readonly edges?: readonly StoredEdge[];
    readonly support?: readonly SupportRow[];
  },
  entries: readonly Entry[] = [],
) {
  const { nodes = [], edges = [], support = [] } = rows;
  const keyOf = ({ from, type, to }: StoredEdge) => `${from} ${type} ${to}`;
  const graph = async (read: GraphRead) => {
    const { limit = 64 } = read;
    const named = (read.terms ?? []).flatMap((term) => nodes.filter((one) => one.terms.includes(term)).slice(0, limit));
    const around = (read.edgesOf ?? []).flatMap((id) => [
      ...edges.filter(({ from }) => from === id).slice(0, limit),
      ...edges.filter(({ to }) => to === id).slice(0, limit),
    ]);
    return {
      nodes: [...new Set([...nodes.filter(({ id }) => read.nodes?.includes(id)), ...named])],
      edges: [...new Set([...edges.filter((one) => read.edges?.includes(keyOf(one))), ...around])],
      support: support.filter(({ of, entryId }) => read.supportOf?.includes(of) || read.supportBy?.includes(entryId)),
      common: [],
    };
  };
  const index = () =>
    ({
      entry: (id: EntryId) => entries.find((one) => one.id === id),
      lexical: { documentFrequency: () => 1 },
    }) as unknown as MemoryIndex;
  return new ConsolidationGraph({ store: { graph } as unknown as Store, index });
}

async function applied(graph: ConsolidationGraph, operations: readonly GraphOperation[], entries: readonly Entry[]) {
  const refused: string[] = [];
  const around = await graph.around(operations, [], entries);
  const entryOf = (fragment: number) => entries[fragment - 1]?.id;
  const onRefused = (reason: string) => refused.push(reason);
  return { write: applyOperations(operations, around, { entryOf, cycle: 1, now: 1, onRefused }), refused };
}

const said = (id: string, turn: string): Entry => ({
  ...entry(id),
  sources: [{ turnId: turnId(turn), role: "user", quote: id }],
  revision: 1,
});

describe("what a batch may change", () => {
  const chain = ["zebrax", "yakky", "xerow", "wombo", "vixen", "urchin"];
  const links = chain.slice(1).map((to, at) => kind(chain[at] as string, to));

  it("knows the kinds above what is said, however far, so that no circle is closed over batches", async () => {
    const graph = graphWith({ nodes: chain.map((name) => stored(name)), edges: links });
    const { write, refused } = await applied(graph, [add("urchin"), add("zebrax"), link("urchin", "zebrax")], [said("e", "t")]);
    expect([write.edges, refused]).toEqual([[], ["cycle"]]);
    const { refused: none } = await applied(graph, [add("urchin"), add("whale"), link("urchin", "whale")], [said("e", "t")]);
    expect(none).toEqual([]);
  });

  it("makes no edge that leads further than was looked", async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `kind${at}`);
    const graph = graphWith({
      nodes: many.map((name) => stored(name)),
      edges: many.slice(1).map((to, at) => kind(many[at] as string, to)),
    });
    const { refused } = await applied(graph, [add("new"), add("kind0"), link("new", "kind0")], [said("e", "t")]);
    expect(refused).toEqual(["cycle"]);
  });

  it("holds what is called alike and says the same, with its edges and its support", async () => {
    const nodes = [stored("green tea", { terms: ["green", "tea"], confidence: 0.7 }), stored("drink")];
    const edges = [{ ...kind("green tea", "drink"), confidence: 0.7 }];
    const support = [{ of: idOf("green tea"), entryId: "old" as EntryId, weight: SUPPORT_WEIGHT }];
    const graph = graphWith({ nodes, edges, support });
    const { write } = await applied(
      graph,
      [add("tea that is green", "what green tea is"), add("drink"), link("tea that is green", "drink")],
      [said("e", "t")],
    );
    expect(write.nodes.map(({ name }) => name)).toEqual(["green tea", "drink"]);
    expect(write.edges[0]?.confidence).toBeGreaterThan(0.7);
    expect(write.support.map(({ entryId }) => entryId)).toContain("old");
  });

  it("tells two entries of one turn from two memories", async () => {
    const [first, second, other] = [said("e1", "t1"), said("e2", "t1"), said("e3", "t2")];
    const nodes = [stored("tea", { confidence: SUPPORT_WEIGHT, cycle: 1 })];
    const support = [{ of: idOf("tea"), entryId: first.id, weight: SUPPORT_WEIGHT }];
    const graph = graphWith({ nodes, support }, [first, second, other]);
    const sure = async (by: Entry) => (await applied(graph, [add("tea")], [by])).write.nodes[0]?.confidence;
    expect([await sure(second), await sure(other)]).toEqual([SUPPORT_WEIGHT, 0.4375]);
  });
});

describe("the part that a consolidator sees", () => {
  const entries = [{ ...entry("e", "tea and milk"), revision: 1 }];

  it("holds no candidates, nor edges to them", async () => {
    const graph = graphWith({
      nodes: [stored("tea"), stored("milk", { confidence: SUPPORT_WEIGHT }), stored("drink")],
      edges: [kind("tea", "drink"), kind("tea", "milk")],
    });
    const { nodes, edges } = await graph.anchors(entries);
    expect([nodes.map(({ name }) => name).sort(), edges]).toEqual([["drink", "tea"], [kind("tea", "drink")]]);
  });

  it("holds general nodes however many categories of persons are found by the same word", async () => {
    const own = Array.from({ length: 6 }, (_, at) => node(`own${at}`, { scope: "own", terms: ["tea"] }));
    const graph = graphWith({ nodes: [...own, stored("tea")] });
    const { nodes } = await graph.anchors(entries);
    expect(nodes.filter(({ scope }) => scope === "general").map(({ name }) => name)).toEqual(["tea"]);
    expect(nodes).toHaveLength(5);
  });
});

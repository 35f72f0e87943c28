import { describe, expect, it } from "vitest";
import { applyOperations, type GraphNeighbourhood, idsOf } from "../../src/ltm/apply.js";
import { faded, isBelowFloor, isCandidate, SUPPORT_WEIGHT, supported } from "../../src/ltm/confidence.js";
import { nodeId } from "../../src/ltm/node-id.js";
import type { GraphOperation, GraphWrite } from "../../src/ports.js";
import type { EntryId } from "../../src/types.js";

const EMPTY: GraphNeighbourhood = { nodes: [], edges: [], support: [] };
const facts = { entryOf: (fragment: number) => `e${fragment}` as EntryId, cycle: 3, now: 7 };
const add = (name: string, support: readonly number[], statement = `what ${name} is`): GraphOperation => ({
  type: "addNode",
  node: { id: name, type: "Concept", name, statement },
  support,
});
const link = (from: string, to: string, support: readonly number[]): GraphOperation => ({
  type: "addEdge",
  from,
  to,
  edge: "IsA",
  support,
});
const idOf = (name: string, statement = `what ${name} is`) => nodeId({ type: "Concept", name, statement }, "general");
const stored = (write: Required<GraphWrite>): GraphNeighbourhood => write;
const confidences = ({ nodes }: Pick<Required<GraphWrite>, "nodes">) =>
  Object.fromEntries(nodes.map(({ name, confidence }) => [name, confidence]));
const edgesOf = ({ nodes, edges }: Required<GraphWrite>) => {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return edges.map(({ from, type, to }) => `${names.get(from)} ${type} ${names.get(to)}`);
};
/** Refuses what is unsound, and tells why. */
const applied = (operations: readonly GraphOperation[], around = EMPTY, given: Partial<typeof facts> = {}) => {
  const refused: string[] = [];
  const onRefused = (reason: string) => refused.push(reason);
  return { write: applyOperations(operations, around, { ...facts, ...given, onRefused }), refused };
};
const CHAI = "what chai, also called tea, is";
const two = supported(SUPPORT_WEIGHT, [SUPPORT_WEIGHT]);

describe("operations on a graph", () => {
  it("raise confidence once for each entry, however often they come", () => {
    const first = applyOperations([add("tea", [1, 2, 2]), add("drink", [1]), link("tea", "drink", [1])], EMPTY, facts);
    expect(confidences(first)).toEqual({ tea: two, drink: SUPPORT_WEIGHT });
    expect(first.edges).toEqual([{ from: idOf("tea"), type: "IsA", to: idOf("drink"), confidence: SUPPORT_WEIGHT }]);
    const again = applyOperations([add("tea", [1, 2, 2]), add("drink", [1]), link("tea", "drink", [1])], stored(first), facts);
    expect(again).toEqual(first);
  });

  it("take the same name and nearly the same words for the same node", () => {
    const { nodes } = applyOperations(
      [add("green teas", [1]), add("Green tea", [2]), add("tea that is green", [3], "what green teas is")],
      EMPTY,
      facts,
    );
    expect(nodes.map(({ name, confidence }) => [name, confidence])).toEqual([["green teas", supported(two, [SUPPORT_WEIGHT])]]);
  });

  it("keep apart what differs in a number or is denied, and what is denied loses confidence", () => {
    const { nodes } = applyOperations(
      [
        add("tea", [1], "tea is brewed for 3 minutes"),
        add("brewing", [2], "tea is brewed for 5 minutes"),
        add("tea", [3], "tea is not brewed for 3 minutes"),
      ],
      EMPTY,
      facts,
    );
    expect(nodes).toHaveLength(3);
    expect(nodes[0]?.confidence).toBeLessThan(SUPPORT_WEIGHT);
    expect(nodes.slice(1).map(({ confidence }) => confidence)).toEqual([SUPPORT_WEIGHT, SUPPORT_WEIGHT]);
  });

  it("keep apart what says the same of two things, or the same words in another order", () => {
    const { nodes } = applyOperations(
      [
        add("plum", [1], "a fruit tree"),
        add("pear", [2], "a fruit tree"),
        add("dogs", [1], "dogs chase cats"),
        add("the dogs", [2], "cats chase dogs"),
      ],
      EMPTY,
      facts,
    );
    expect(nodes.map(({ name }) => name)).toEqual(["plum", "pear", "dogs", "the dogs"]);
  });

  it("keep both of one name that say two numbers, and find each again", () => {
    const wanted = [
      add("tea", [1], "tea is brewed for 3 minutes"),
      add("tea", [2], "tea is brewed for 5 minutes"),
      add("tea", [3], "tea is a drink"),
    ];
    const first = applyOperations(wanted, EMPTY, facts);
    expect(first.nodes.map(({ statement, confidence }) => [statement, confidence])).toEqual([
      ["tea is brewed for 3 minutes", two],
      ["tea is brewed for 5 minutes", SUPPORT_WEIGHT],
    ]);
    expect(applyOperations(wanted, first, facts)).toEqual(first);
    const ids = wanted.flatMap((one) => (one.type === "addNode" ? idsOf(one.node, "general") : []));
    for (const { id } of first.nodes) expect(ids).toContain(id);
  });

  it("merge two nodes with their edges and support, what both had counted once", () => {
    const before = applyOperations(
      [add("tea", [1]), add("chai", [1, 2], CHAI), add("drink", [1]), link("tea", "drink", [1]), link("chai", "drink", [1, 2])],
      EMPTY,
      facts,
    );
    const chai = idOf("chai", CHAI);
    const merged = applyOperations([{ type: "merge", from: chai, into: idOf("tea") }], stored(before), facts);
    expect(confidences(merged)).toEqual({ tea: two });
    expect(merged.edges.map(({ from, confidence }) => [from, confidence])).toEqual([[idOf("tea"), two]]);
    expect(merged.removeNodes).toEqual([chai]);
    expect(merged.removeEdges).toEqual([`${chai} IsA ${idOf("drink")}`]);
    expect(
      merged.support
        .filter(({ of }) => of === idOf("tea"))
        .map(({ entryId }) => entryId)
        .sort(),
    ).toEqual(["e1", "e2"]);
  });

  it("make no edge to itself of a merge, and follow ids that were merged before", () => {
    const before = applyOperations([add("tea", [1]), add("chai", [1], CHAI), link("chai", "tea", [1])], EMPTY, facts);
    const chai = idOf("chai", CHAI);
    const operations: GraphOperation[] = [
      { type: "merge", from: chai, into: idOf("tea") },
      { type: "merge", from: idOf("tea"), into: chai },
      { type: "update", id: chai, statement: "what a cup of chai is", support: [2] },
    ];
    const { nodes, edges } = applyOperations(operations, stored(before), facts);
    expect([nodes.map(({ name, statement }) => [name, statement]), edges]).toEqual([[["tea", "what a cup of chai is"]], []]);
  });

  it("merge nothing that is not called alike, and take no update that speaks of something else", () => {
    const before = applyOperations([add("war", [1]), add("peace", [2])], EMPTY, facts);
    const { write, refused } = applied(
      [
        { type: "merge", from: idOf("war"), into: idOf("peace") },
        { type: "update", id: idOf("war"), statement: "coffee poisons many dogs", support: [3] },
      ],
      before,
    );
    expect([write.nodes, write.removeNodes, refused]).toEqual([[], [], ["differs in meaning", "differs in meaning"]]);
  });

  it("keep what was said where an update denies it or gives another number", () => {
    const before = applyOperations([add("tea", [1, 2], "tea is brewed for 3 minutes")], EMPTY, facts);
    const id = idOf("tea", "tea is brewed for 3 minutes");
    const { nodes } = applyOperations(
      [
        { type: "update", id, statement: "tea is brewed for 5 minutes", support: [3] },
        { type: "update", id, statement: "tea is not brewed for 3 minutes", support: [4] },
      ],
      before,
      facts,
    );
    expect(nodes.map(({ statement }) => statement).sort()).toEqual([
      "tea is brewed for 3 minutes",
      "tea is brewed for 5 minutes",
      "tea is not brewed for 3 minutes",
    ]);
    expect(nodes.find((node) => node.id === id)?.confidence).toBeLessThan(two);
  });

  it("do nothing for an entry that went meanwhile", () => {
    const { support, nodes } = applyOperations([add("tea", [1])], EMPTY, { ...facts, entryOf: () => undefined });
    expect([support, nodes]).toEqual([[], []]);
  });
});

describe("circles of kinds", () => {
  it("are not closed by two names of one thing", () => {
    const { write, refused } = applied([
      add("dog", [1]),
      add("dogs", [1]),
      add("pet", [1]),
      link("dog", "pet", [1]),
      link("pet", "dogs", [1]),
    ]);
    expect([edgesOf(write), refused]).toEqual([["dog IsA pet"], ["cycle"]]);
  });

  it("are not closed by a merge", () => {
    const { write, refused } = applied([
      add("alpha", [1]),
      add("bravo", [1]),
      add("charlie", [1], "charlie, also called alpha, is far"),
      link("alpha", "bravo", [1]),
      link("bravo", "charlie", [1]),
      { type: "merge", from: "charlie", into: "alpha" },
    ]);
    expect([edgesOf(write), refused]).toEqual([["alpha IsA bravo", "bravo IsA charlie"], ["cycle"]]);
  });

  it("are not closed over kinds that are stored, nor where those are not known to their end", () => {
    const before = applyOperations(
      [add("alpha", [1]), add("bravo", [1]), add("charlie", [1]), link("alpha", "bravo", [1]), link("bravo", "charlie", [1])],
      EMPTY,
      facts,
    );
    const back = [add("charlie", [2]), add("alpha", [2]), link("charlie", "alpha", [2])];
    expect(applied(back, before).refused).toEqual(["cycle"]);
    const unexplored = new Set([idOf("alpha")]);
    expect(applied(back, { ...before, edges: [], unexplored }).refused).toEqual(["cycle"]);
    expect(applied(back, { ...before, edges: [] }).refused).toEqual([]);
  });

  it("do not keep an edge from its support that is there already", () => {
    const before = applyOperations([add("tea", [1]), add("drink", [1]), link("tea", "drink", [1])], EMPTY, facts);
    const unexplored = new Set([idOf("drink")]);
    const { write, refused } = applied([add("tea", [2]), add("drink", [2]), link("tea", "drink", [2])], {
      ...before,
      unexplored,
    });
    expect([write.edges.map(({ confidence }) => confidence), refused]).toEqual([[two], []]);
  });
});

describe("confidence", () => {
  const at = (cycle: number) => ({ ...facts, cycle });
  const sure = ({ nodes }: Required<GraphWrite>) => nodes[0]?.confidence ?? 0;

  it("fades without support until it falls below the floor, later the more there was", () => {
    const lasts = (confidence: number) =>
      Array.from({ length: 1_000 }, (_, idle) => idle).find((idle) => isBelowFloor(faded(confidence, idle)));
    expect([lasts(SUPPORT_WEIGHT), lasts(two)]).toEqual([46, 74]);
    expect(faded(0.5, -3)).toBe(0.5);
  });

  it("rises from what fading has left", () => {
    const first = applyOperations([add("tea", [1])], EMPTY, at(0));
    const later = applyOperations([add("tea", [2])], first, at(40));
    expect(sure(later)).toBeCloseTo(supported(faded(SUPPORT_WEIGHT, 40), [SUPPORT_WEIGHT]), 12);
    expect(sure(later)).toBeCloseTo(0.334, 3);
    expect(later.nodes[0]?.cycle).toBe(40);
  });

  it("comes back to what one memory gave where that comes again, and no further", () => {
    const first = applyOperations([add("tea", [1])], EMPTY, at(0));
    expect(sure(applyOperations([add("tea", [1])], first, at(40)))).toBe(SUPPORT_WEIGHT);
    const many = applyOperations([add("tea", [1, 2, 3, 4, 5])], EMPTY, at(0));
    expect(sure(applyOperations([add("tea", [1])], many, at(40)))).toBeCloseTo(faded(sure(many), 40), 12);
    const denied = applyOperations([add("tea", [1], "tea is hot"), add("tea", [2], "tea is not hot")], EMPTY, at(0));
    expect(applyOperations([add("tea", [1], "tea is hot")], denied, at(0)).nodes[0]?.confidence).toBe(sure(denied));
  });

  it("counts in a merge what fading has left of both", () => {
    const [old, young] = [
      applyOperations([add("chai", [1], CHAI)], EMPTY, at(0)),
      applyOperations([add("tea", [2])], EMPTY, at(40)),
    ];
    const around = { nodes: [...old.nodes, ...young.nodes], edges: [], support: [...old.support, ...young.support] };
    const merged = applyOperations([{ type: "merge", from: idOf("chai", CHAI), into: idOf("tea") }], around, at(41));
    expect(sure(merged)).toBeCloseTo(supported(SUPPORT_WEIGHT, [faded(SUPPORT_WEIGHT, 40)]), 12);
  });

  it("rises by what an association is worth", () => {
    const wanted = [
      add("tea", [1]),
      add("cup", [1]),
      { type: "addEdge", from: "tea", to: "cup", edge: "RelatedTo", support: [1], weight: 0.1 },
    ];
    expect(applyOperations(wanted as GraphOperation[], EMPTY, facts).edges[0]?.confidence).toBeCloseTo(0.1, 12);
  });
});

describe("a candidate", () => {
  const turns: Readonly<Record<string, string>> = { e1: "t1", e2: "t1", e3: "t3" };
  const told: GraphNeighbourhood = { ...EMPTY, turnsOf: (entryId) => [turns[entryId] ?? ""] };
  const isOne = ({ nodes }: Required<GraphWrite>) => nodes.map((node) => isCandidate(node));

  it("is what a single memory says, until another one says it", () => {
    const first = applyOperations([add("tea", [1])], told, facts);
    expect(isOne(first)).toEqual([true]);
    expect(isOne(applyOperations([add("tea", [3])], { ...told, ...first }, facts))).toEqual([false]);
    expect(isOne(applyOperations([add("tea", [3])], { ...told, ...first }, { ...facts, cycle: 45 }))).toEqual([false]);
  });

  it("stays one where two entries of one turn say it, also one after the other", () => {
    const first = applyOperations([add("tea", [1, 2])], told, facts);
    expect([isOne(first), first.support.map(({ weight }) => weight)]).toEqual([[true], [SUPPORT_WEIGHT, 0]]);
    const before = applyOperations([add("tea", [1])], told, facts);
    const again = applyOperations([add("tea", [2])], { ...told, ...before }, facts);
    expect([isOne(again), again.support]).toEqual([[true], first.support]);
    expect(applyOperations([add("tea", [1, 2])], { ...told, ...first }, facts)).toEqual(first);
  });

  it("has the weight of the other entry where the first of its turn is gone", () => {
    const { nodes, ...rest } = applyOperations([add("tea", [1, 2])], told, facts);
    const left = {
      ...rest,
      nodes: nodes.map((node) => ({ ...node, confidence: 0 })),
      support: rest.support.filter(({ entryId }) => entryId !== "e1"),
    };
    expect(applyOperations([add("tea", [2])], { ...told, ...left }, facts).nodes[0]?.confidence).toBe(SUPPORT_WEIGHT);
  });

  it("is nothing of the person's own, and nothing from another device", () => {
    const own: GraphOperation = {
      type: "addNode",
      node: { id: "a", type: "Concept", name: "Mia: music", statement: "music of Mia", scope: "own" },
      support: [1, 2],
    };
    const { nodes } = applyOperations([own], told, facts);
    expect([nodes.map((node) => isCandidate(node)), nodes[0]?.confidence]).toEqual([[false], two]);
    expect(isCandidate({ scope: "general", confidence: 0.1, isImported: true })).toBe(false);
  });
});

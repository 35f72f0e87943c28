import { describe, expect, it } from "vitest";
import { applyOperations, type GraphNeighbourhood } from "../../src/ltm/apply.js";
import { faded, isBelowFloor, SUPPORT_WEIGHT, supported } from "../../src/ltm/confidence.js";
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

  it("merge two nodes with their edges and support, what both had counted once", () => {
    const before = applyOperations(
      [add("tea", [1]), add("chai", [1, 2]), add("drink", [1]), link("tea", "drink", [1]), link("chai", "drink", [1, 2])],
      EMPTY,
      facts,
    );
    const merged = applyOperations([{ type: "merge", from: idOf("chai"), into: idOf("tea") }], stored(before), facts);
    expect(confidences(merged)).toEqual({ tea: two });
    expect(merged.edges.map(({ from, confidence }) => [from, confidence])).toEqual([[idOf("tea"), two]]);
    expect(merged.removeNodes).toEqual([idOf("chai")]);
    expect(merged.removeEdges).toEqual([`${idOf("chai")} IsA ${idOf("drink")}`]);
    expect(
      merged.support
        .filter(({ of }) => of === idOf("tea"))
        .map(({ entryId }) => entryId)
        .sort(),
    ).toEqual(["e1", "e2"]);
  });

  it("make no edge to itself of a merge, and follow ids that were merged before", () => {
    const before = applyOperations([add("tea", [1]), add("chai", [1]), link("chai", "tea", [1])], EMPTY, facts);
    const operations: GraphOperation[] = [
      { type: "merge", from: idOf("chai"), into: idOf("tea") },
      { type: "merge", from: idOf("tea"), into: idOf("chai") },
      { type: "update", id: idOf("chai"), statement: "what a cup of it is", support: [2] },
    ];
    const { nodes, edges } = applyOperations(operations, stored(before), facts);
    expect([nodes.map(({ name, statement }) => [name, statement]), edges]).toEqual([[["tea", "what a cup of it is"]], []]);
  });

  it("do nothing for an entry that went meanwhile", () => {
    const { support, nodes } = applyOperations([add("tea", [1])], EMPTY, { ...facts, entryOf: () => undefined });
    expect([support, nodes]).toEqual([[], []]);
  });
});

describe("confidence", () => {
  it("fades without support until it falls below the floor, later the more there was", () => {
    const lasts = (confidence: number) =>
      Array.from({ length: 1_000 }, (_, idle) => idle).find((idle) => isBelowFloor(faded(confidence, idle)));
    expect([lasts(SUPPORT_WEIGHT), lasts(two)]).toEqual([46, 74]);
    expect(faded(0.5, -3)).toBe(0.5);
  });
});

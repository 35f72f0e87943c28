import { describe, expect, it } from "vitest";
import { FORMAT, importedRows, readKnowledge, soundKnowledge, VERSION } from "../../src/ltm/knowledge-file.js";
import { nodeId } from "../../src/ltm/node-id.js";

const node = (name: string, more: object = {}) => ({
  id: name,
  type: "Concept",
  name,
  statement: `${name} is a kind of thing`,
  confidence: 0.8,
  ...more,
});
const edge = (from: string, to: string, more: object = {}) => ({ from, to, type: "IsA", confidence: 0.6, ...more });
const file = (nodes: unknown[], edges: unknown[] = []) => ({ format: FORMAT, version: VERSION, nodes, edges });
const identifies = (text: string) => /ann/iu.test(text);
const NOTHING = { nodes: [], edges: [] };
const sound = (nodes: unknown[], edges: unknown[] = []) => soundKnowledge(readKnowledge(file(nodes, edges)), NOTHING, identifies);
const idOf = (name: string) => nodeId({ type: "Concept", name, statement: `${name} is a kind of thing` }, "general");

describe("a file of knowledge", () => {
  it("comes in half as sure, under ids of our own", () => {
    expect(sound([node("rooibos"), node("tea")], [edge("rooibos", "tea")])).toEqual({
      nodes: [
        { ...node("rooibos"), id: idOf("rooibos"), confidence: 0.4 },
        { ...node("tea"), id: idOf("tea"), confidence: 0.4 },
      ],
      edges: [{ from: idOf("rooibos"), to: idOf("tea"), type: "IsA", confidence: 0.3, isImported: true }],
      refused: {},
    });
  });

  it("leaves out what names somebody, is no row, or breaks the graph, and takes the rest", () => {
    const { nodes, edges, refused } = sound(
      [
        node("tea"),
        node("drink"),
        node("Ann's cup"),
        node("date", { statement: "The party was on 2026-03-04" }),
        node("sure", { confidence: 2 }),
        node("long", { statement: "x".repeat(300) }),
        node("kind", { type: "Person" }),
        null,
      ],
      [
        edge("tea", "drink"),
        edge("drink", "tea"),
        edge("tea", "tea"),
        edge("tea", "nowhere"),
        edge("tea", "drink", { type: "Eats" }),
      ],
    );
    expect(nodes.map(({ name }) => name)).toEqual(["tea", "drink"]);
    expect(edges).toHaveLength(1);
    expect(refused).toEqual({
      "names an identity": 1,
      "event of one person": 1,
      "too long": 1,
      "wrong type": 2,
      cycle: 1,
      "edge to itself": 1,
      "unknown id": 1,
      "not an operation": 2,
    });
  });

  it("is not cut short by the number of operations that a batch may ask for", () => {
    const words = Array.from(
      { length: 2_000 },
      (_, at) => `thing${at.toString(9).replace(/\d/gu, (digit) => "bcdfghklm"[Number(digit)] ?? "")}`,
    );
    const { nodes, refused } = sound(words.map((word) => node(word)));
    expect(nodes).toHaveLength(2_000);
    expect(refused).toEqual({});
  });

  it("puts nothing a second time, and nothing over the person's own word", () => {
    const given = sound([node("rooibos"), node("tea")], [edge("rooibos", "tea")]);
    const at = { cycle: 3, now: 7 };
    const first = importedRows(given, NOTHING, at);
    expect(first).toMatchObject({ nodes: [{ isImported: true, cycle: 3, createdAt: 7, scope: "general" }, {}], edges: [{}] });
    expect(importedRows(given, first, at)).toEqual(NOTHING);
    const own = first.nodes.map(({ isImported: _, ...row }) => ({ ...row, confidence: 0.25 }));
    expect(importedRows(given, { nodes: own, edges: [] }, at).nodes).toEqual([]);
    const surer = sound([node("tea", { confidence: 1 })]);
    expect(importedRows(surer, first, at).nodes).toMatchObject([{ confidence: 0.5, createdAt: 7 }]);
  });

  it.each([
    ["nothing", undefined, TypeError],
    ["another format", { ...file([]), format: "other" }, TypeError],
    ["no list", { ...file([]), nodes: {} }, TypeError],
    ["a newer version", { ...file([]), version: 2 }, RangeError],
    ["too many rows", file(Array.from({ length: 200_001 })), RangeError],
  ])("is refused at the door for %s", (_, value, error) => {
    expect(() => readKnowledge(value)).toThrow(error);
  });
});

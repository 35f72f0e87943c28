import { describe, expect, it } from "vitest";
import { checkOperations, type OperationRules, operationsFor } from "../../src/ltm/operations.js";
import type { ConsolidationBatch, GraphEdge } from "../../src/ports.js";

const concept = (id: string, statement = `what ${id} is`) => ({ id, type: "Concept", name: id, statement }) as const;
const batch: ConsolidationBatch = {
  fragments: [
    { fragment: 1, text: "one", kind: "fact" },
    { fragment: 2, text: "two", kind: "fact" },
  ],
  nodes: [concept("tea"), concept("drink"), concept("not-tea", "tea is not a drink")].map((node) => ({
    ...node,
    confidence: 0.5,
  })),
  edges: [{ from: "tea", to: "drink", type: "IsA", confidence: 0.5 }],
};
const rules: OperationRules = {
  identifies: (text) => /melanie|@/i.test(text),
  allowsOwn: false,
  userIds: ["walter77@corp", "b"],
};
const check = (wanted: readonly unknown[], allowsOwn = false) => checkOperations(wanted, batch, { ...rules, allowsOwn });
const add = (node: object, support: unknown = [1]) => ({ type: "addNode", node, support });
const link = (from: string, to: string, edge: string = "IsA", support: unknown = [1]) =>
  ({ type: "addEdge", from, to, edge, support }) as const;

describe("an operation", () => {
  it.each<[string, unknown, string]>([
    ["prose", "I am sorry, I cannot do that.", "not an operation"],
    ["nothing", null, "not an operation"],
    ["another verb", { type: "dropAll" }, "not an operation"],
    ["a node that is none", add(null as never), "not an operation"],
    ["an edge between unknown nodes", link("tea", "milk"), "unknown id"],
    ["an update of an unknown node", { type: "update", id: "milk", statement: "white", support: [1] }, "unknown id"],
    ["a fragment that was not sent", add(concept("milk"), [3]), "unknown fragment"],
    ["a discarded fragment that was not sent", { type: "discard", fragment: 9, reason: "" }, "unknown fragment"],
    ["no support", add(concept("milk"), []), "without support"],
    ["support that is no list", link("tea", "drink", "RelatedTo", "all"), "without support"],
    ["an endless statement", add(concept("milk", "white ".repeat(100))), "too long"],
    ["an empty name", add({ ...concept("milk"), name: " " }), "too long"],
    ["the example of the prompt as a name", add({ ...concept("milk"), name: "…" }), "too long"],
    ["the example of the prompt as a statement", add(concept("milk", "…")), "too long"],
    ["another type of node", add({ ...concept("milk"), type: "Person" }), "wrong type"],
    ["another type of edge", link("tea", "drink", "Owns"), "wrong type"],
    ["a node of the person's own from outside", add({ ...concept("milk"), scope: "own" }), "wrong type"],
    ["an edge to itself", link("tea", "tea"), "edge to itself"],
    ["a cycle", link("drink", "tea"), "cycle"],
    [
      "a merge of what differs in negation",
      { type: "merge", from: "tea", into: "not-tea" },
      "differs in type, number or negation",
    ],
    ["a merge of two things that are not called alike", { type: "merge", from: "tea", into: "drink" }, "differs in meaning"],
    [
      "an update that speaks of something else",
      { type: "update", id: "tea", statement: "coffee poisons many dogs", support: [1] },
      "differs in meaning",
    ],
    ["a scope that there is not", add({ ...concept("milk"), scope: "shared" }), "wrong type"],
    ["a word to be found by from outside", add({ ...concept("milk"), terms: ["white"] }), "wrong type"],
    ["words to be found by that are no list", add({ ...concept("milk"), terms: 5 }), "wrong type"],
    ["more weight than a memory has", { ...link("tea", "drink", "RelatedTo"), weight: 0.9 }, "wrong type"],
    ["a name", add(concept("milk", "Melanie drinks it")), "names an identity"],
    ["the id of the user", add(concept("milk", "walter77@corp drinks it")), "names an identity"],
    ["a part of the id of the user", add(concept("milk of WALTER77")), "names an identity"],
    ["the id of the user in base64", add(concept("milk", `what ${btoa("walter77@corp")} drinks`)), "names an identity"],
    ["a placeholder", add(concept("milk", "[PERSON_k3vq7d2a] drinks it")), "names an identity"],
    ["the user", add(concept("milk", "what the user drinks")), "event of one person"],
    ["a day", add(concept("milk", "was spilt on 3.5.2023")), "event of one person"],
    ["what somebody did", { type: "update", id: "tea", statement: "she drinks it", support: [2] }, "event of one person"],
  ])("with %s is refused, and the rest is done", (_, wanted, reason) => {
    const { sound, refused } = check([wanted, add(concept("milk"))]);
    expect(refused).toEqual({ [reason]: 1 });
    expect(sound).toEqual([add(concept("milk"))]);
  });

  it("may use a node that one before it added", () => {
    expect(check([add(concept("milk")), link("milk", "drink")]).refused).toEqual({});
  });

  it("closes no cycle with one before it", () => {
    expect(check([add(concept("milk")), link("drink", "milk"), link("milk", "tea")]).refused).toEqual({ cycle: 1 });
  });

  it("beyond the number that a batch allows is refused", () => {
    const { sound, refused } = check(Array.from({ length: 10_000 }, () => link("tea", "drink", "RelatedTo")));
    expect(sound).toHaveLength(operationsFor(2));
    expect(refused).toEqual({ "too many operations": 10_000 - operationsFor(2) });
  });

  it("may name whoever is of the person's own life where it stays on the device", () => {
    expect(check([add({ ...concept("melanie: pottery"), scope: "own" })], true).refused).toEqual({});
  });

  it("finds its way through a graph that has cycles already", () => {
    const edges: GraphEdge[] = [...batch.edges, { from: "drink", to: "tea", type: "IsA", confidence: 0.5 }];
    const { refused } = checkOperations(
      [link("not-tea", "drink")],
      { ...batch, edges },
      { identifies: () => false, allowsOwn: false },
    );
    expect(refused).toEqual({});
  });

  it("may say by which words it is found where it stays on the device, but not by a mark or a name where it is of things", () => {
    const found = (terms: readonly string[], scope?: string) =>
      check([add({ ...concept("milk"), terms, ...(scope && { scope }) })], true).refused;
    expect(found(["white", "cow"])).toEqual({});
    expect(found(["=melanie"], "own")).toEqual({});
    expect(found(["=user"])).toEqual({ "wrong type": 1 });
    expect(found(["melanie"])).toEqual({ "names an identity": 1 });
  });

  it("may be less sure than a memory makes it", () => {
    expect(check([{ ...link("tea", "drink", "RelatedTo"), weight: 0.1 }]).refused).toEqual({});
  });
});
